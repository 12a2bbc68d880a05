package source

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// id reads and checks the id of a thing; valid is the grammar of its kind. It
// returns "" where the id can't be used.
func (f fields) id(key string, valid func(string) bool) string {
	n := f.get(key)
	if n == nil || !f.is(n, text, `put it in quotes: "`+n.value+`"`) {
		return ""
	}
	if valid(n.value) {
		return n.value
	}
	allowed := "letters, digits, _ and -"
	if valid("a.b") {
		allowed += ", and one period between them"
	}
	hint := "write 1 to 128 " + allowed
	if fixed := toID(n.value, valid); fixed != "" {
		hint = "write " + fixed
	}
	f.d.error(taxonomy.CodeIDMalformed, n, fmt.Sprintf("%s: %q can't be an id: ids hold 1 to %d %s", f.what, shorten(n.value), taxonomy.MaxIDLength, allowed), hint)
	return ""
}

// toID makes an id of what somebody wrote, or "".
func toID(s string, valid func(string) bool) string {
	fixed := strings.Trim(strings.Map(func(r rune) rune {
		if r == '.' || taxonomy.ValidID(string(r)) {
			return r
		}
		return '_'
	}, s), "_.")
	if !valid(fixed) {
		return ""
	}
	return fixed
}

func shorten(s string) string {
	const most = 80
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// idSet finds ids of one kind that are there twice or differ only in case.
type idSet struct {
	what  string // "element", "category", …
	first map[string]seenID
}

type seenID struct {
	id string
	at taxonomy.Position
}

func newIDSet(what string) *idSet { return &idSet{what: what, first: make(map[string]seenID)} }

// has reports whether the very id is in the set.
func (s *idSet) has(id string) bool { return s.first[strings.ToLower(id)].id == id }

// add puts an id into the set. It returns false, and what is wrong, where the
// set has it or one like it already.
func (s *idSet) add(id string, at taxonomy.Position, path taxonomy.Path) (taxonomy.Issue, bool) {
	folded := strings.ToLower(id)
	first, taken := s.first[folded]
	if !taken {
		s.first[folded] = seenID{id, at}
		return taxonomy.Issue{}, true
	}
	i := taxonomy.Issue{
		Code: taxonomy.CodeIDDuplicate, Severity: taxonomy.SeverityError, Path: path, Position: at,
		Message: fmt.Sprintf("the %s %s is there twice, first at %s", s.what, id, first.at),
		FixHint: "rename or remove one of the two",
	}
	if first.id != id {
		i.Code = taxonomy.CodeIDCaseConflict
		i.Message = fmt.Sprintf("the %s ids %s and %s (at %s) differ only in case", s.what, id, first.id, first.at)
		i.FixHint = "rename one of the two"
	}
	return i, false
}

// addNode is add for the id at a node, with what is wrong noted.
func (s *idSet) addNode(d *decoder, id string, n *node) bool {
	if id == "" {
		return false
	}
	i, ok := s.add(id, d.at(n), n.path())
	if !ok {
		d.add(i)
	}
	return ok
}
