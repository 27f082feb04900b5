package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// Servers of scripts that need more than a port: TLS, and Sentinels.

// port NAME: a free port, in a variable.
func cmdPort(ts *testscript.TestScript, _ bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	ts.Setenv(args[0], port)
}

// sentinel PORT NAME PRIMARYPORT [LINE…]: a Sentinel that watches a primary; each
// further argument is a line of its configuration.
func cmdSentinel(ts *testscript.TestScript, _ bool, args []string) {
	port, name, primary := args[0], args[1], args[2]
	dir := ts.MkAbs("sentinel-" + port)
	ts.Check(os.MkdirAll(dir, 0o755))
	lines := []string{"bind 127.0.0.1", "dir " + dir, fmt.Sprintf("sentinel monitor %s 127.0.0.1 %s 1", name, primary)}
	if tls := strings.Contains(strings.Join(args[3:], "\n"), "tls-port "+port); !tls {
		lines = append(lines, "port "+port)
	}
	conf := filepath.Join(dir, "sentinel.conf")
	ts.Check(os.WriteFile(conf, []byte(strings.Join(append(lines, args[3:]...), "\n")+"\n"), 0o600))
	cmd := exec.Command("redis-server", conf, "--sentinel")
	ts.Check(cmd.Start())
	ts.Defer(func() { _ = cmd.Process.Kill(); _, _ = cmd.Process.Wait() })
	eventually(scriptTB{ts: ts}, "Sentinel listens", func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

// certs: an authority, and certificates of a server and of a client, as PEM files.
func cmdCerts(ts *testscript.TestScript, _ bool, _ []string) { certificates(ts) }

// A certFolder is where certificates are written: a script's, or a test's.
type certFolder interface {
	Check(error)
	MkAbs(string) string
}

func certificates(ts certFolder) {
	ca := &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	caKey := issue(ts, "ca", ca, ca, nil)
	issue(ts, "server", &x509.Certificate{DNSNames: []string{"redis.example"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}, ca, caKey)
	issue(ts, "client", &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}, ca, caKey)
}

// issue writes NAME.pem and NAME.key; an authority signs itself.
func issue(ts certFolder, name string, c, ca *x509.Certificate, caKey *ecdsa.PrivateKey) *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	ts.Check(err)
	if caKey == nil {
		caKey = key
	}
	c.SerialNumber, c.Subject = big.NewInt(time.Now().UnixNano()), pkix.Name{CommonName: name}
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	der, err := x509.CreateCertificate(rand.Reader, c, ca, &key.PublicKey, caKey)
	ts.Check(err)
	private, err := x509.MarshalECPrivateKey(key)
	ts.Check(err)
	write := func(file, kind string, b []byte) {
		ts.Check(os.WriteFile(ts.MkAbs(file), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}), 0o600))
	}
	write(name+".pem", "CERTIFICATE", der)
	write(name+".key", "EC PRIVATE KEY", private)
	return key
}
