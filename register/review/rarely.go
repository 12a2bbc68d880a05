package review

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// A field is missed if so many other documents could have it, of which so many percent do.
const (
	minOthers  = 5
	minPercent = 80
)

// blank is something that documents can fill in: an optional variable of an element, or a field of
// the object register of documents of a type, without an element.
type blank struct{ typ, element, name string }

// use is a blank of a document.
type use struct {
	blank
	given bool
	// placement is the position of the first placement of the element.
	placement int
}

// path returns the place of what is missing.
func (u *use) path() issue.Path {
	if u.element == "" {
		return issue.Root.Key("register").Key(u.name)
	}
	return at(u.placement).Key("variables")
}

// commonFields are the fields of the object register that can be missed. Others say what is
// true of few documents.
var commonFields = []struct {
	name  string
	given func(d *register.Details) bool
}{
	{"status", func(d *register.Details) bool { return d.Status != "" }},
	{"since", func(d *register.Details) bool { return d.Since != "" }},
	{"review_by", func(d *register.Details) bool { return d.ReviewBy != "" }},
	{"places", func(d *register.Details) bool { return len(d.Places) > 0 }},
	{"organisation", func(d *register.Details) bool { return d.Organisation.Name.Pick() != "" || d.Organisation.ID != "" }},
	{"themes", func(d *register.Details) bool { return len(d.Themes) > 0 }},
	{"assessments", func(d *register.Details) bool { return len(d.Assessments) > 0 }},
	{"classes", func(d *register.Details) bool { return len(d.Classes) > 0 }},
}

// collectUses returns the blanks of a document, each once.
func (p *pass) collectUses() (uses []use) {
	typ := p.Version.Type()
	for _, f := range commonFields {
		uses = append(uses, use{blank: blank{typ, "", f.name}, given: f.given(&p.Details)})
	}
	known := make(map[blank]int)
	for i := range p.entries {
		e := &p.entries[i]
		if e.Element == nil {
			continue
		}
		for k := range e.Element.Variables {
			v := &e.Element.Variables[k]
			if v.Required {
				continue
			}
			b := blank{typ, e.Element.ID, v.ID}
			n, seen := known[b]
			if !seen {
				n, known[b] = len(uses), len(uses)
				uses = append(uses, use{blank: b, placement: i})
			}
			uses[n].given = uses[n].given || fills(e.Placement, v.ID)
		}
	}
	return uses
}

// fills reports whether a placement has a value of a variable.
func fills(placed *taxonomy.Placement, id string) bool {
	for i := range placed.Variables {
		v := &placed.Variables[i]
		if v.ID != id {
			continue
		}
		if len(v.Options) > 0 {
			return true
		}
		for _, t := range v.Text {
			if strings.TrimSpace(t.Value) != "" {
				return true
			}
		}
	}
	return false
}

// compare reports blanks that most other documents fill in.
func compare(passes []*pass) {
	type count struct{ all, given int }
	counts := make(map[blank]count)
	for _, p := range passes {
		for _, u := range p.uses {
			c := counts[u.blank]
			c.all++
			if u.given {
				c.given++
			}
			counts[u.blank] = c
		}
	}
	for _, p := range passes {
		for _, u := range p.uses {
			c := counts[u.blank]
			others := c.all - 1
			switch {
			case u.given || others < minOthers || c.given*100 < others*minPercent:
			case u.element == "":
				p.report(RarelyMissing, u.path(), fmt.Sprintf("Most other documents of the type %s have the field %s in the object register.", u.typ, u.name),
					"add it if it is known")
			default:
				p.report(RarelyMissing, u.path(), fmt.Sprintf("Most other documents that place %s fill in its variable %s.", u.element, u.name),
					"add it if it is known")
			}
		}
	}
}
