package icons

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
)

// style turns the declarations of a style attribute into attributes. It splits
// at every semicolon, also where CSS would not: in strings and parentheses. The
// pieces of those have no form that is allowed, so that they are refused.
func (s *sanitizer) style(n *node, a tagAttr) {
	for declaration := range strings.SplitSeq(a.value, ";") {
		if trim(declaration) == "" {
			continue
		}
		name, text, ok := strings.Cut(declaration, ":")
		d := tagAttr{local: strings.ToLower(trim(name)), value: trim(text), off: a.off}
		d.name = d.local
		if ok && s.property(n, d) {
			continue
		}
		s.refuse(a.off, codeOf(declaration),
			fmt.Sprintf("The style of <%s> has %s, which symbols may not use.", n.name, prose.Quote(trim(declaration))),
			"remove it from the style; colours and strokes are best written as attributes, such as fill=\"#000000\"")
	}
}

// harmlessText reports whether the value of a property that is left out is no
// more than words, numbers and whole strings of such.
func harmlessText(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !isLetter(c) && !isDigit(c) && !isSpace(c) && !strings.ContainsRune("#%.,+-_'\"", rune(c)) {
			return false
		}
	}
	return strings.Count(s, `"`)%2 == 0 && strings.Count(s, `'`)%2 == 0
}
