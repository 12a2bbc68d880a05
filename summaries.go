package datachain

import (
	"slices"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
)

// maxSummaryBytes limits the summaries that are kept of a version. Those of 100,000
// elements are about 25 MB.
const maxSummaryBytes = 4 << 20

// summaries are elements of a version as lists show them by default. Each is made when it
// is first listed: projecting elements was a quarter of answering a search.
type summaries struct {
	mu    sync.RWMutex
	texts map[string]string // by element id
	size  int
}

// isSummary reports whether a projection is the default of lists.
func (p Projection) isSummary() bool {
	return len(p.Locales) == 0 && slices.Equal(p.Fields, ListFields())
}

// append appends the summary of an element.
func (s *summaries) append(dst []byte, r *taxonomy.Release, id string) []byte {
	s.mu.RLock()
	text, ok := s.texts[id]
	s.mu.RUnlock()
	if ok {
		return append(dst, text...)
	}
	start := len(dst)
	dst = Projection{Fields: ListFields()}.Append(dst, r.ElementJSON(id))
	s.keep(id, dst[start:])
	return dst
}

// keep keeps a summary if there is room for it.
func (s *summaries) keep(id string, text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size+len(text) > maxSummaryBytes {
		return
	}
	if s.texts == nil {
		s.texts = make(map[string]string)
	}
	if _, kept := s.texts[id]; !kept {
		s.texts[id] = string(text)
		s.size += len(text)
	}
}
