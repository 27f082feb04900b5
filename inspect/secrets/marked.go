package secrets

import "regexp"

// headers carry a secret up to the end of the line or of the quotes they stand
// in; shapes are secrets that show by themselves.
var (
	authHeader  = regexp.MustCompile(`(?i)(authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|digest|negotiate|token|apikey|aws4-hmac-sha256)\s+)?)([^\s"'][^"'\r\n]*)`)
	cookies     = regexp.MustCompile(`(?i)((?:set-)?cookie["']?\s*:\s*["']?)([^\s"'][^"'\r\n]*)`)
	bearer      = regexp.MustCompile(`(?i)\b(bearer\s+)([A-Za-z0-9._~+/=-]{8,})`)
	basic       = regexp.MustCompile(`\b(Basic\s+)([A-Za-z0-9+/=]{12,})`)
	shapes      = regexp.MustCompile(`\b(?:(?:AKIA|ASIA)[A-Z0-9]{16}|gh[pos]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abprs]-[A-Za-z0-9-]{8,}|sk_live_[A-Za-z0-9]{8,}|AIza[A-Za-z0-9_-]{30,}|hvs\.[A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{20,})`)
	jwt         = regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*`)
	keyOnOne    = regexp.MustCompile(`(-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)(.+?)(-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)`)
	keyBegin    = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----`)
	keyEnd      = regexp.MustCompile(`-----END [A-Z ]*PRIVATE KEY`)
	keyBodyLine = regexp.MustCompile(`^[\s|>#"']*(?:[A-Za-z0-9+/=\\n]+["',]*|(?:Proc-Type|DEK-Info|Version|Comment):.*|\*\*\*)?\s*$`)
)

func maskMarked(s string) string {
	s = keyOnOne.ReplaceAllString(s, "${1}"+Mark+"${3}")
	s = authHeader.ReplaceAllString(s, "${1}"+Mark)
	s = cookies.ReplaceAllString(s, "${1}"+Mark)
	s = bearer.ReplaceAllString(s, "${1}"+Mark)
	s = basic.ReplaceAllString(s, "${1}"+Mark)
	s = jwt.ReplaceAllString(s, Mark)
	return shapes.ReplaceAllString(s, Mark)
}
