package documents

import (
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/register/board"
)

// selectParam shows a box before each document of the list, to choose documents to compare. Those of
// [core.BoardParam] are chosen.
const selectParam = "select"

// selection is the documents that a reader has chosen to compare. It is in the address of the list and
// of all links in it, so a box is a link that adds or removes a document.
type selection struct {
	Slugs []string
	// Compare is the board, "" unless enough documents are chosen; Clear is the list with none of
	// them and, if there are none, without boxes.
	Compare, Clear string

	q     *request
	state url.Values // of the list
}

// selection returns what is chosen, and adds it to the state of the list. It is nil without boxes,
// which static sites do not have: they can't have a board for every choice.
func (q *request) selection(state url.Values) *selection {
	if !q.Params.Has(selectParam) || !q.Links.Live() {
		return nil
	}
	s := &selection{q: q, state: state}
	for slug := range strings.SplitSeq(q.Params.Get(core.BoardParam), ",") {
		if d, ok := q.Register.Document(slug); ok && !d.Removed() && len(s.Slugs) < board.Max && !slices.Contains(s.Slugs, d.Slug) {
			s.Slugs = append(s.Slugs, d.Slug)
		}
	}
	if len(s.Slugs) >= board.Min {
		s.Compare = q.To(core.ComparePath, url.Values{core.BoardParam: {s.Chosen()}})
	}
	if len(s.Slugs) == 0 {
		s.Clear = q.To(core.RegisterPath, state)
	}
	state.Set(selectParam, "1")
	if len(s.Slugs) > 0 {
		s.Clear = q.To(core.RegisterPath, core.With(state, core.BoardParam, ""))
		state.Set(core.BoardParam, s.Chosen())
	}
	return s
}

// Chosen are the slugs as an address has them.
func (s *selection) Chosen() string { return strings.Join(s.Slugs, ",") }

// Has reports whether a document is chosen.
func (s *selection) Has(slug string) bool { return slices.Contains(s.Slugs, slug) }

// Toggle returns the list with the other choice for a document, at its row; "" if a board has no room
// for it.
func (s *selection) Toggle(slug string) string {
	slugs := slices.DeleteFunc(slices.Clone(s.Slugs), func(chosen string) bool { return chosen == slug })
	if len(slugs) == len(s.Slugs) {
		if len(slugs) == board.Max {
			return ""
		}
		slugs = append(slugs, slug)
	}
	state := core.With(s.state, core.BoardParam, strings.Join(slugs, ","))
	if page := s.q.Params.Get("page"); page != "" {
		state.Set("page", page)
	}
	return s.q.To(core.RegisterPath, state) + "#r-" + slug
}

// everything returns the whole list, with the same choice.
func (s *selection) everything(q *request) string {
	state := make(url.Values)
	if s != nil {
		for _, name := range []string{selectParam, core.BoardParam} {
			if v := s.state.Get(name); v != "" {
				state.Set(name, v)
			}
		}
	}
	return q.To(core.RegisterPath, state)
}
