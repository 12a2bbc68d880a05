package httpapi

import (
	"net/http"
	"net/url"
	"strings"
)

// router finds the route of an address. It does what [http.ServeMux] does with
// the patterns here, without redirects and answers of its own, and makes nothing.
type router struct {
	routes []routed
	also   map[string]*route // of other protocols, by their paths
}

// routed is a route with the segments of its pattern.
type routed struct {
	*route
	segments []string
}

// maxSegments is how many segments the address of a route may have.
const maxSegments = 8

// places are what stands in an address at the wildcards of its route.
type places struct{ version, elementID, file string }

func newRouter() router {
	rs := router{also: make(map[string]*route)}
	for i := range routes {
		segments := strings.Split(routes[i].pattern, "/")[1:]
		rs.routes = append(rs.routes, routed{&routes[i], segments})
	}
	return rs
}

// find returns the route of a request, which is unknown where there is none.
func (rs *router) find(r *http.Request) (*route, places) {
	if rt := rs.also[r.URL.Path]; rt != nil {
		return rt, places{}
	}
	var list [maxSegments]string
	segments, ok := split(r.URL, list[:0])
	if !ok {
		return &unknown, places{}
	}
	for _, rt := range rs.routes {
		if at, ok := rt.match(segments); ok {
			return rt.route, at
		}
	}
	return &unknown, places{}
}

// match compares an address with the pattern.
func (rt *routed) match(segments []string) (at places, ok bool) {
	if len(segments) != len(rt.segments) {
		return at, false
	}
	for i, want := range rt.segments {
		switch {
		case want == "{version}":
			at.version = segments[i]
		case want == "{element_id}":
			at.elementID = segments[i]
		case want == "{file}":
			at.file = segments[i]
		case want != segments[i]:
			return at, false
		}
	}
	return at, true
}

// split appends the segments of an address, decoded one by one: an encoded slash
// is no end of a segment. It fails for those that no route has.
func split(u *url.URL, segments []string) ([]string, bool) {
	if !clean(u.Path) {
		return nil, false
	}
	path, encoded := u.Path, u.RawPath != ""
	if encoded {
		path = u.EscapedPath()
	}
	for rest, more := path[1:], true; more; {
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		if encoded {
			var err error
			if segment, err = url.PathUnescape(segment); err != nil {
				return nil, false // can't be: it was decoded before
			}
		}
		if segment == "" || len(segments) == maxSegments {
			return nil, false
		}
		segments = append(segments, segment)
	}
	return segments, true
}
