package lsp

import (
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
)

// report is what was found in a document that is not open, or in a file of a source.
type report struct {
	uri     string
	version *int
	found   []diagnostic
	// id is that of the result: equal ids mean equal diagnostics.
	id string
	// order says when the report changed: later ones have larger numbers.
	order int
	// source is set for a file of a source, and otherwise walk is the last walk
	// that found the document.
	source bool
	walk   int
	// shown is set if the client shows diagnostics of the file.
	shown bool
}

// resultID returns an id for diagnostics.
func resultID(found []diagnostic) string {
	h := fnv.New64a()
	if err := json.MarshalWrite(h, found, wire()); err != nil {
		return "" // never equal to another one
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// report keeps what was found in a file, for clients that ask for it, and publishes it
// to others. It reports whether that has changed. The caller has the lock.
func (s *session) report(at address, r *report) bool {
	was := s.reports[at]
	r.id = resultID(r.found)
	s.order++
	r.order = s.order
	if was != nil && was.id == r.id {
		r.order = was.order
	}
	if !r.source {
		s.scanner.count(was, -1)
		s.scanner.count(r, 1)
	}
	r.shown = len(r.found) > 0
	if r.shown || r.version != nil || was != nil && was.shown {
		s.publish(r.uri, r.version, orEmpty(r.found))
	}
	s.reports[at] = r
	s.wake()
	return was == nil || was.id != r.id
}

// forget removes what was found in a file that is not there any more, or has no findings.
// It reports whether there was a report. The caller has the lock.
func (s *session) forget(at address, uri string, version *int) bool {
	was := s.reports[at]
	if was != nil && was.shown || version != nil {
		s.publish(uri, version, []diagnostic{})
	}
	if was == nil {
		return false
	}
	if !was.source {
		s.scanner.count(was, -1)
	}
	delete(s.reports, at)
	s.wake()
	return true
}

// wake wakes the requests that wait for reports. The caller has the lock.
func (s *session) wake() {
	close(s.news)
	s.news = make(chan struct{})
}

// reportsSince returns the reports that changed after another one, in their order. Open
// documents have none: their texts are judged when they are asked for. The caller has the
// lock.
func (s *session) reportsSince(order int) []*report {
	var list []*report
	for _, r := range s.reports {
		if r.order > order && r.id != "" {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *report) int { return a.order - b.order })
	return list
}

// working reports whether work is going on that may change reports. The caller has the
// lock.
func (s *session) working() bool {
	lints := func(r *root) bool { return r.linter.running }
	return !s.stopping && (s.scanner.running || slices.ContainsFunc(s.workspace.roots, lints))
}

// refresh asks a client to ask for all diagnostics again. The caller has the lock.
func (s *session) refresh() {
	if s.client.pull && s.client.refresh {
		s.refreshed++
		s.out.put(notification{version2, []byte(`"refresh-` + strconv.Itoa(s.refreshed) + `"`), "workspace/diagnostic/refresh", nil})
	}
}
