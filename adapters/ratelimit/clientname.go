package ratelimit

import "net/http"

const maxName = 64

// ClientName returns the name that a client gives itself in the field
// Service-Client: 1 to 64 visible ASCII characters. Whatever else is there, a
// second such field too, counts as no name: "".
func ClientName(h http.Header) string {
	values := h["Service-Client"]
	if len(values) != 1 || len(values[0]) > maxName {
		return ""
	}
	for i := range len(values[0]) {
		if c := values[0][i]; c <= ' ' || c > '~' {
			return ""
		}
	}
	return values[0]
}
