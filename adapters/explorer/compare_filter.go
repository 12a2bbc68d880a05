package explorer

import (
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/internal/prose"
)

// filter is what to show of the changes between two versions. What is not valid in the
// address is left out.
type filter struct {
	category string // or "" for all
	severity string // or "" for all
	page     int    // of the changes of a severity, from 1
	// notices say what is not valid, and what is shown instead.
	notices []string
}

// changeFilter returns the filter that a request names.
func (q *request) changeFilter(p *pair) filter {
	f := filter{category: q.params.Get("category"), severity: q.params.Get("severity"), page: 1}
	w := &q.words.Compare
	if f.severity != "" && !slices.Contains(diff.Severities(), diff.Severity(f.severity)) {
		f.notices = append(f.notices, q.words.Fill(w.NoSeverity, q.repeated(f.severity)))
		f.severity = ""
	}
	_, added := p.new.Release().Category(f.category)
	_, removed := p.old.Release().Category(f.category)
	if f.category != "" && !added && !removed {
		f.notices = append(f.notices, q.words.Fill(w.NoCategory, q.repeated(f.category)))
		f.category = ""
	}
	return f
}

// turnTo sets the page to the one that the request names, or else to the nearest one.
func (f *filter) turnTo(q *request, pages int) {
	asked := q.params.Get("page")
	if asked == "" {
		return
	}
	n, err := strconv.Atoi(asked) // a number that is too large for an int is the largest int
	if f.page = min(max(n, 1), pages); err != nil || n != f.page {
		w := q.words
		f.notices = append(f.notices, w.Fill(w.Layout.NoPage, q.repeated(asked), w.Number(f.page), w.Number(pages)))
	}
}

// repeated returns a part of the address as a page repeats it.
func (q *request) repeated(s string) string { return q.raw(prose.Clip(s)).Plain }
