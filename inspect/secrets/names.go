package secrets

import (
	"slices"
	"strings"
)

// isSecretName says whether a variable, option, field or setting of this name
// holds a secret.
func isSecretName(name string) bool {
	low := strings.ToLower(strings.TrimLeft(name, "-"))
	parts := strings.FieldsFunc(low, func(r rune) bool { return r == '_' || r == '.' || r == '-' })
	if len(parts) == 0 || describes(parts) {
		return false
	}
	flat := strings.Join(parts, "")
	for _, w := range []string{"password", "passwd", "passphrase", "requirepass", "masterauth", "apikey", "accesskey", "secretkey",
		"privatekey", "accountkey", "sharedkey", "credential", "rediscliauth", "redisauth", "authpass", "sentinelpass", "filepass"} {
		if strings.Contains(flat, w) {
			return true
		}
	}
	last := parts[len(parts)-1]
	switch {
	case last == "pass", last == "secret", strings.HasSuffix(last, "secret"), last == "auth" && len(parts) > 1 && !isLower(name):
		return true
	case last == "pwd":
		return name != "PWD" && name != "OLDPWD"
	case strings.HasSuffix(last, "token"):
		return isAccessToken(name, parts)
	}
	return slices.Contains(parts, "secret")
}

// describes says whether a name speaks about a secret rather than holding one:
// its file, its age, the object it is kept in.
func describes(parts []string) bool {
	switch parts[len(parts)-1] {
	case "file", "path", "dir", "type", "mode", "method", "ttl", "timeout", "warning", "clients", "count", "length", "len", "size",
		"policy", "enabled", "provider", "expiration", "expires", "expiry", "at", "name", "ref", "id", "hash", "algorithm", "version", "url", "endpoint":
		// An access key's id is half of the secret.
		return !strings.Contains(strings.Join(parts, ""), "accesskeyid")
	}
	flat := strings.Join(parts, "")
	for _, w := range []string{"secretname", "secretref", "secretkeyref", "pullsecrets", "serviceaccounttoken", "mounttoken", "noauthwarning", "nopass", "askpass", "tokenexpirationseconds"} {
		if strings.Contains(flat, w) {
			return true
		}
	}
	return false
}

// isAccessToken tells tokens that open doors from fencing tokens, which are
// evidence: a bare token is one of those.
func isAccessToken(name string, parts []string) bool {
	flat := strings.Join(parts, "")
	for _, w := range []string{"fenc", "lock", "lease", "epoch", "owner", "holder"} {
		if strings.Contains(flat, w) {
			return false
		}
	}
	if flat == "token" {
		return false
	}
	for _, w := range []string{"access", "auth", "api", "bearer", "refresh", "session", "csrf", "xsrf", "git", "vault", "slack", "bot", "service", "jwt", "security", "id", "user", "client", "consul", "registry", "deploy", "admin", "join", "bootstrap", "secret"} {
		if strings.Contains(flat, w) {
			return true
		}
	}
	return !isLower(name) && strings.ToUpper(name) == name
}

func isLower(s string) bool { return strings.ToLower(s) == s }

// isNoSecret lists values that say there is none, or that open a block.
func isNoSecret(v string) bool {
	switch strings.ToLower(v) {
	case "", "true", "false", "null", "nil", "none", "<none>", "<nil>", "yes", "no", "on", "off", "|", ">", "|-", ">-", "{", "[", "(nil)", "\\", Mark:
		return true
	}
	return strings.HasPrefix(v, "<set to the key")
}
