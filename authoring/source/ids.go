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

// reference is an id and where it is written.
type reference struct {
	id string
	spot
}

// named names an object in messages: by its id, or else by its place in a list.
func named(what string, n *node) string {
	if id := n.get("id"); id != nil && id.kind == text && id.value != "" {
		return what + " " + prose.Plain(id.value)
	}
	if n.parent != nil && !n.inObject() {
		return fmt.Sprintf("%s %d", what, n.index+1)
	}
	return what
}

// id reads the id of the object, for which valid is the grammar. It returns ""
// if the id is missing or invalid.
func (f fields) id(valid func(string) bool) string {
	n := f.get("id")
	if n == nil || !f.isText(n) {
		return ""
	}
	if valid(n.value) {
		return n.value
	}
	f.malformedID(n, valid)
	return ""
}

// malformedID reports an id that is not valid.
func (f fields) malformedID(n *node, valid func(string) bool) {
	allowed := fmt.Sprintf("1 to %d letters, digits, _ and -", taxonomy.MaxIDLength)
	if valid("a.b") {
		allowed += ", with at most one period between them"
	}
	hint := "write " + allowed
	if fixed := toID(n.value, valid); fixed != "" {
		hint = "write " + fixed
	}
	f.wrong(issue.CodeIDMalformed, n, hint, "%s is not a valid id; an id is %s", prose.Quote(n.value), allowed)
}

// transliterate writes letters as people do who can't type them. German umlauts are
// not accents: Behörde is behoerde, not behorde.
func transliterate(s string) string {
	return strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss", "ẞ", "SS").Replace(norm.NFC.String(s))
}

// toID turns a string into a valid id, or returns "".
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
	}, norm.NFD.String(transliterate(s))), "_.")
	if !valid(fixed) {
		return ""
	}
	return fixed
}

// references reads a list of ids that refer to something, none of them twice.
func (f fields) references(key string) []reference {
	var refs []reference
	seen := make(map[string]place)
	for n := range f.list(key, 0) {
		if !f.isText(n) {
			continue
		}
		first, twice := seen[n.value]
		switch {
		case n.value == "":
			f.wrong(issue.CodeFieldValue, n, "write an id, or remove the item", "%s is empty", f.name(n))
		case twice:
			f.wrong(issue.CodeIDDuplicate, n, "remove one of them", "%s lists %s twice, first on line %d", key, prose.Plain(n.value), first.line)
		default:
			seen[n.value] = n.place
			refs = append(refs, reference{n.value, f.spot(n)})
		}
	}
	return refs
}

// idsOf returns the ids of references.
func idsOf(refs []reference) []string {
	var all []string
	for _, ref := range refs {
		all = append(all, ref.id)
	}
	return all
}

// idSet finds ids of one kind that are used twice or differ only in case.
type idSet struct {
	what  string // "element id", "alias", …
	first map[string]reference
}

func newIDSet(what string) *idSet { return &idSet{what, make(map[string]reference)} }

// add adds an id, unless it is "". If the set has it already, or one that
// differs only in case, add reports that to f and returns false. It calls path
// only then.
func (s *idSet) add(f *findings, id string, at issue.Position, path func() issue.Path) bool {
	if id == "" {
		return false
	}
	folded := strings.ToLower(id)
	first, taken := s.first[folded]
	switch {
	case !taken:
		s.first[folded] = reference{id, spot{at: at}}
	case first.id == id:
		f.errorf(issue.CodeIDDuplicate, spot{at, path()}, "rename or remove one of them", "The %s %s is already used at %s.", s.what, prose.Plain(id), first.at)
	default:
		f.errorf(issue.CodeIDCaseConflict, spot{at, path()}, "rename one of them", "The %s %s differs only in case from %s at %s.", s.what, prose.Plain(id), prose.Plain(first.id), first.at)
	}
	return !taken
}

// addID adds the id of an object.
func (s *idSet) addID(f fields, id string) bool {
	return id != "" && s.add(&f.findings, id, f.position(f.get("id").place), f.get("id").path)
}
