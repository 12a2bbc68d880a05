package source

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// reference is an id that must name something, or is named, and where it
// stands.
type reference struct {
	id   string
	at   issue.Position
	path issue.Path
}

func (d *decoder) reference(id string, n *node) reference {
	return reference{id, d.at(n.place), n.path()}
}

// id reads and checks the id of a thing; valid is the grammar of its kind. It
// returns "" where the id can't be used.
func (f fields) id(valid func(string) bool) string {
	n := f.get("id")
	if n == nil || !f.isText(n) {
		return ""
	}
	if valid(n.value) {
		return n.value
	}
	allowed := "letters, digits, _ and -"
	if valid("a.b") {
		allowed += ", and one period between them"
	}
	hint := fmt.Sprintf("write 1 to %d %s", taxonomy.MaxIDLength, allowed)
	if fixed := toID(n.value, valid); fixed != "" {
		hint = "write " + fixed
	}
	f.d.error(issue.CodeIDMalformed, n, fmt.Sprintf("%s: %q can't be an id: ids hold 1 to %d %s", f.what, prose.Clip(n.value), taxonomy.MaxIDLength, allowed), hint)
	return ""
}

// toID makes an id of what somebody wrote, or "".
func toID(s string, valid func(string) bool) string {
	if len(s) > taxonomy.MaxIDLength {
		return ""
	}
	fixed := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r == '.' && valid("a.b") || taxonomy.ValidID(string(r)):
			return r
		case unicode.Is(unicode.Mn, r):
			return -1 // an accent
		}
		return '_'
	}, norm.NFD.String(s)), "_.")
	if !valid(fixed) {
		return ""
	}
	return fixed
}

// thing is how messages call an object: by its id where it has a usable one.
func thing(what string, n *node) string {
	if id := n.get("id"); id != nil && id.kind == text && id.value != "" {
		return what + " " + prose.Clip(id.value)
	}
	if n.parent != nil && !n.inObject() {
		return fmt.Sprintf("%s %d", what, n.index+1)
	}
	return "the " + what
}

// references reads a list of ids that name other things, none of them twice.
func (f fields) references(key, what string) []reference {
	var refs []reference
	seen := make(map[string]place)
	for n := range f.list(key, 0) {
		if !f.isText(n) {
			continue
		}
		first, twice := seen[n.value]
		switch {
		case n.value == "":
			f.d.error(issue.CodeFieldValue, n, fmt.Sprintf("%s: %s is empty", f.what, f.name(n)), "write the id of a "+what+", or remove the item")
		case twice:
			f.d.error(issue.CodeIDDuplicate, n, fmt.Sprintf("%s: %s names %s twice, first in line %d", f.what, key, prose.Clip(n.value), first.line), "remove one of the two")
		default:
			seen[n.value] = n.place
			refs = append(refs, f.d.reference(n.value, n))
		}
	}
	return refs
}

// idSet finds ids of one kind that are there twice or differ only in case.
type idSet struct {
	what  string // "element", "category", …
	first map[string]seenID
}

type seenID struct {
	id string
	at issue.Position
}

func newIDSet(what string) *idSet { return &idSet{what: what, first: make(map[string]seenID)} }

// add puts an id into the set. It returns false, and what is wrong, where the
// set has it or one like it already.
func (s *idSet) add(id string, at issue.Position, path issue.Path) (issue.Issue, bool) {
	folded := strings.ToLower(id)
	first, taken := s.first[folded]
	if !taken {
		s.first[folded] = seenID{id, at}
		return issue.Issue{}, true
	}
	i := issue.Issue{
		Code: issue.CodeIDDuplicate, Severity: issue.SeverityError, Path: path, Position: at,
		Message: fmt.Sprintf("the %s %s is there twice, first at %s", s.what, prose.Clip(id), first.at),
		FixHint: "rename or remove one of the two",
	}
	if first.id != id {
		i.Code = issue.CodeIDCaseConflict
		i.Message = fmt.Sprintf("the %s ids %s and %s (at %s) differ only in case", s.what, prose.Clip(id), prose.Clip(first.id), first.at)
		i.FixHint = "rename one of the two"
	}
	return i, false
}

// addNode is add for the id at a node, with what is wrong noted.
func (s *idSet) addNode(d *decoder, id string, n *node) bool {
	if id == "" {
		return false
	}
	i, ok := s.add(id, d.at(n.place), n.path())
	if !ok {
		d.add(i)
	}
	return ok
}
