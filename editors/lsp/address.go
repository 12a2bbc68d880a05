package lsp

import (
	"io/fs"
	"net/url"
	"strings"
)

// address is a URI in a form that can be compared: clients escape different characters
// of the same path.
type address struct {
	origin string // scheme and host
	path   string // not escaped, without a slash at the end
}

// newAddress returns the address of a URI. One that has no path, such as that of an
// untitled document, is its own address.
func newAddress(uri string) address {
	u, err := url.Parse(uri)
	if err != nil || u.Opaque != "" || u.Scheme == "" {
		return address{origin: uri}
	}
	path := u.Path
	if len(path) > 2 && path[2] == ':' && path[0] == '/' { // /C:/taxonomies
		path = strings.ToLower(path[:2]) + path[2:]
	}
	host := strings.ToLower(u.Host)
	if u.Scheme == "file" && host == "localhost" {
		host = ""
	}
	return address{u.Scheme + "://" + host, strings.TrimSuffix(path, "/")}
}

// in returns the path of an address below a directory.
func (a address) in(dir address) (string, bool) {
	if a.origin != dir.origin || a.path == "" && dir.path == "" {
		return "", false
	}
	rest, below := strings.CutPrefix(a.path, dir.path+"/")
	return rest, below && fs.ValidPath(rest)
}

// join returns the URI of a file below a directory.
func join(dir, file string) string {
	return strings.TrimSuffix(dir, "/") + (&url.URL{Path: "/" + file}).EscapedPath()
}
