// Package address reads what the servers of this module have in common: the URL at which
// people reach one, the paths that it is asked for, and the limits of its options.
package address

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"
	"time"
)

// Limit returns a limit of the options of a server: 0 is the default, and a negative one
// is no limit.
func Limit[T int | int64 | time.Duration](of, standard, none T) T {
	if of < 0 {
		return none
	}
	return cmp.Or(of, standard)
}

// BasePath returns the path of a base URL, without a slash at its end. A base URL can be
// a path alone, and is empty for the root of a host.
func BasePath(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" && base != "" && base[0] != '/' || u.Host != "" && u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("BaseURL %q must be an http or https URL, or a path that begins with /", base)
	}
	return strings.TrimSuffix(u.EscapedPath(), "/"), nil
}

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
	if !absolute || !Clean(u.Path) {
		return nil, false
	}
	for more := rest != ""; more; {
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		if encoded {
			segment, _ = url.PathUnescape(segment) // the whole path has been decoded before
		}
		if segment == "" || len(segments) == cap(segments) {
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

// SlugRule says what a slug, the name of a document in addresses, must be.
const SlugRule = "1 to 64 lower-case letters, digits, - and _, not beginning with - or _, and not changes or a Windows device such as con"

var (
	slug   = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)
	device = regexp.MustCompile(`(?i)^(con|prn|aux|nul|(com|lpt)[0-9])$`)
)

// IsSlug reports whether a text can be a slug. Slugs are names of directories, too, and
// /documents/changes is a path of the HTTP API beside those of documents.
func IsSlug(text string) bool {
	return slug.MatchString(text) && !IsDevice(text) && text != "changes"
}

// IsDevice reports whether Windows creates no file with a name, whatever extension follows.
func IsDevice(name string) bool { return len(name) <= 4 && device.MatchString(name) }
