package httpcache

import (
	"fmt"
	"net/url"
	"strings"
)

// BasePath returns the path of a base URL, without a slash at its end. A base URL can be
// a path alone, and is empty for the root of a host.
func BasePath(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" && base != "" && base[0] != '/' || u.Host != "" && u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(base, "?#") {
		return "", fmt.Errorf("BaseURL %q must be an http or https URL, or a path that begins with /, without a query or fragment", base)
	}
	if u.User != nil { // pages show it
		return "", fmt.Errorf("BaseURL %q must have no user name and no password", u.Redacted())
	}
	return strings.TrimSuffix(u.EscapedPath(), "/"), nil
}
