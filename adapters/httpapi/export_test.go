package httpapi

import "net/http"

// Waiting returns how many requests wait to process a document.
func Waiting(h http.Handler) int {
	g := h.(*api).work
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.waiting
}

// Patterns returns the patterns of all routes, and whether each is for POST.
func Patterns() map[string]bool {
	patterns := map[string]bool{}
	for _, rt := range routes {
		patterns[rt.pattern] = rt.post
	}
	return patterns
}

// Find returns the pattern of the route of a request, or "", and the values of its
// wildcards.
func Find(r *http.Request) (pattern, version, name, file string) {
	rs, _ := newRouter(nil, nil)
	rt, at := rs.find(r.URL)
	return rt.pattern, at.version, at.element, at.file
}
