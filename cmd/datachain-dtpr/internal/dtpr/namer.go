package dtpr

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// location is where an id is.
type location struct {
	path     issue.Path
	position issue.Position
}

func locationOf(v source.Value) location { return location{v.Path(), v.Position()} }

// namer gives things of one kind valid ids. It is deterministic.
type namer struct {
	notes *notes
	what  string
	valid func(string) bool
	// given are the new ids by the old ones, and taken the new ones in lower case.
	given map[string]string
	taken map[string]bool
}

func newNamer(n *notes, what string, valid func(string) bool, reserved ...string) *namer {
	m := &namer{n, what, valid, make(map[string]string), make(map[string]bool)}
	for _, id := range reserved {
		m.taken[id] = true
	}
	return m
}

// define returns the id for a thing: its own, or a similar one if that is malformed or taken.
func (m *namer) define(id string, at location) string {
	fixed := id
	if !m.valid(id) {
		fixed = source.SuggestID(id, m.valid)
	}
	if fixed == "" {
		fixed = m.what
	}
	base := fixed
	if len(base) > ident.MaxIDLength-8 {
		base = base[:ident.MaxIDLength-8] // room for a number
	}
	for i := 2; m.taken[strings.ToLower(fixed)]; i++ {
		fixed = fmt.Sprintf("%s_%d", base, i)
	}
	m.taken[strings.ToLower(fixed)] = true
	if _, twice := m.given[id]; !twice {
		m.given[id] = fixed // references are to the first one
	}
	if fixed != id {
		m.notes.add(Note{
			Kind: Changed, Message: "the " + m.what + " id is malformed, reserved or taken, so it was changed",
			Subject: id + " -> " + fixed, Path: at.path, Position: at.position,
		})
	}
	return fixed
}

// refer returns the id that a thing was given, if it was defined.
func (m *namer) refer(id string) (string, bool) {
	fixed, ok := m.given[id]
	return fixed, ok
}
