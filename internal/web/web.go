// Package web holds what the servers of this module have in common: the URL at which people
// reach one, the paths that it is asked for, the limits of its options, what identifies a
// request across servers (its id and its W3C Trace Context), and Atom feeds (RFC 4287).
package web

import (
	"net/url"
	"path"
	"strings"
)

// Segments appends the segments of the path of a URL, each decoded by itself: an encoded
// slash does not end a segment. The root has none. It fails if the path is not [Clean],
// ends with a slash, or has more segments than the slice has room for. It does not
// allocate unless the path has encoded characters.
func Segments(u *url.URL, segments []string) ([]string, bool) {
	p, encoded := u.Path, u.RawPath != ""
	if encoded {
		p = u.EscapedPath()
	}
	rest, absolute := strings.CutPrefix(p, "/")
	if !absolute || encoded && !Clean(u.Path) {
		return nil, false
	}
	for more := rest != ""; more; {
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		if encoded {
			segment, _ = url.PathUnescape(segment) // the whole path has been decoded before
		}
		if segment == "" || segment == "." || segment == ".." || len(segments) == cap(segments) {
			return nil, false
		}
		segments = append(segments, segment)
	}
	return segments, true
}

// Clean reports whether a path is absolute and has no empty or dot segments. Only the last
// segment may be empty.
func Clean(p string) bool {
	if !strings.HasPrefix(p, "/") {
		return false
	}
	return !strings.Contains(p, "//") && !strings.Contains(p, "/.") || p == path.Clean(p)
}
