package redis

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	goredis "github.com/redis/go-redis/v9"
)

// TLSFiles are the paths of the --tls-* flags; empty ones are the system's own.
type TLSFiles struct {
	CA, Cert, Key, ServerName string
}

// ParseTarget reads a --redis value: redis://, rediss://, unix://, or a bare
// host:port. Its errors never repeat the value, which may hold a password.
func ParseTarget(text string, files TLSFiles) (Target, error) {
	if !strings.Contains(text, "://") {
		text = "redis://" + text
	}
	opt, err := goredis.ParseURL(text)
	if err != nil {
		return Target{}, errors.New("read --redis: not a Redis address (redis://[user:password@]host:port/db, rediss://…, unix:///path, or host:port)")
	}
	if _, port, err := net.SplitHostPort(opt.Addr); opt.Network == "tcp" {
		if n, numErr := strconv.ParseUint(port, 10, 16); err != nil || numErr != nil || n == 0 {
			return Target{}, errors.New("read --redis: the port must be a number from 1 to 65535")
		}
	}
	t := Target{Network: opt.Network, Addr: opt.Addr, User: opt.Username, Password: opt.Password, DB: opt.DB}
	if opt.TLSConfig != nil {
		t.TLS, err = tlsConfig(opt.TLSConfig, files)
	}
	return t, err
}

func tlsConfig(base *tls.Config, files TLSFiles) (*tls.Config, error) {
	cfg := base.Clone()
	if files.ServerName != "" {
		cfg.ServerName = files.ServerName
	}
	if files.CA != "" {
		pem, err := os.ReadFile(files.CA)
		if err != nil {
			return nil, fmt.Errorf("read --tls-ca: %w", err)
		}
		cfg.RootCAs = x509.NewCertPool()
		if !cfg.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("read --tls-ca: %s holds no PEM certificate", files.CA)
		}
	}
	if files.Cert != "" || files.Key != "" {
		pair, err := tls.LoadX509KeyPair(files.Cert, files.Key)
		if err != nil {
			return nil, fmt.Errorf("read --tls-cert and --tls-key: %w", err)
		}
		cfg.Certificates = []tls.Certificate{pair}
	}
	return cfg, nil
}
