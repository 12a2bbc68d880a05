package httpapi

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/address"
)

// router finds the route of a path. It does what [http.ServeMux] does for these
// patterns, but without redirects and responses of its own, and without
// allocating.
type router struct {
	routes [][]string // the segments of each pattern of routes
	mounts []*route   // the longest path first
}

// maxSegments is the number of segments of the longest route.
const maxSegments = 8

// places are the values of the wildcards of a route.
type places struct{ version, elementID, file string }

func newRouter(mounts []Mount) (router, error) {
	var rs router
	for i := range routes {
		rs.routes = append(rs.routes, strings.Split(routes[i].pattern, "/")[1:])
	}
	rs.mounts = []*route{{pattern: "/api"}, {pattern: prefix}} // no subtree has these
	for _, m := range mounts {
		rt, err := m.route()
		if err != nil {
			return rs, err
		}
		if slices.ContainsFunc(rs.mounts, func(other *route) bool { return other.pattern == m.Path }) {
			return rs, fmt.Errorf("httpapi: the path of the mount at %q is taken", m.Path)
		}
		rs.mounts = append(rs.mounts, rt)
	}
	slices.SortFunc(rs.mounts, func(a, b *route) int { return cmp.Compare(len(b.pattern), len(a.pattern)) })
	return rs, nil
}

// find returns the route of a request.
func (rs *router) find(u *url.URL) (*route, places) {
	var list [maxSegments]string
	if segments, ok := address.Segments(u, list[:0]); ok {
		for i := range rs.routes {
			if at, ok := match(rs.routes[i], segments); ok {
				return &routes[i], at
			}
		}
	}
	return rs.mounted(u.Path), places{}
}

// mounted returns the route of a mount. Below one that is not a subtree there is
// nothing.
func (rs *router) mounted(path string) *route {
	for _, rt := range rs.mounts {
		rest, ok := strings.CutPrefix(path, rt.pattern)
		switch {
		case !ok:
		case rt.mounted != nil && (rest == "" || strings.HasSuffix(rt.pattern, "/")):
			return rt
		case rest == "" || rest[0] == '/':
			return &unknown
		}
	}
	return &unknown
}

// match compares the segments of a path with those of a pattern.
func match(pattern, segments []string) (at places, ok bool) {
	if len(segments) != len(pattern) {
		return at, false
	}
	for i, want := range pattern {
		switch want {
		case "{version}":
			at.version = segments[i]
		case "{element_id}":
			at.elementID = segments[i]
		case "{file}":
			at.file = segments[i]
		case segments[i]:
		default:
			return at, false
		}
	}
	return at, true
}
