// Package faces puts the summary of a document into words, for all faces of a document: its
// page as text, signs, lists and the board say the same.
package faces

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/taxonomy"
)

// Point is a point of a summary in a language. Its texts are not escaped.
type Point struct {
	// Name is the heading.
	Name string
	// Level is the context value, "At most: …" if it is the highest of several, or "".
	Level string
	// Entries are what the document says, the first of which matters most: its own words,
	// or its own name, or the title of the element. If there are none, Nothing says so.
	Entries []string
	Nothing string
	// Contact is how to reach who answers for the system, or "".
	Contact string
	// Safeguard is what is done against a risk, or that none is given; "" for other points.
	Safeguard string
}

// Of puts a point into the language of a chooser.
func Of(p *datachain.Point, c *texts.Chooser) Point {
	pick := func(l taxonomy.Localized) string {
		value, _ := c.Pick(l)
		return strings.Join(strings.Fields(texts.Clean(value)), " ")
	}
	words := texts.FaceIn(c.Locale)
	said := Point{Name: words.Headings[p.Role]}
	if p.Role == "" && p.Category != nil {
		said.Name = pick(p.Category.Name)
	}
	if len(p.Entries) == 0 {
		said.Nothing = words.Nothing[p.Role]
		return said
	}
	if p.Context != nil {
		said.Level = pick(p.Context.Label)
		if p.AtMost {
			said.Level = fmt.Sprintf(words.AtMost, said.Level)
		}
	}
	for i := range p.Entries {
		e := &p.Entries[i]
		own := pick(e.Words)
		if own == "" || p.Role != taxonomy.RolePurpose {
			own = pick(e.Name)
		}
		if own == "" {
			own = pick(e.Element.Title)
		}
		said.Entries = append(said.Entries, own)
	}
	switch first := &p.Entries[0]; p.Role {
	case taxonomy.RoleAccountable:
		said.Contact = pick(first.Contact)
	case taxonomy.RoleRisk:
		if said.Safeguard = pick(first.Safeguard); said.Safeguard == "" {
			said.Safeguard = words.NoSafeguard
		}
	}
	return said
}

// Text returns the point without its name as one line.
func (p *Point) Text() string {
	var parts []string
	for _, part := range []string{p.Level, strings.Join(p.Entries, "; "), p.Nothing, p.Contact, p.Safeguard} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " – ")
}
