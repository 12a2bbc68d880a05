package taxonomy

import "strings"

// MaxIDLength is how many characters an id of any kind can have.
const MaxIDLength = 128

// The icon variants that every element has. Context values can't have these ids.
const (
	VariantDefault = "default"
	VariantDark    = "dark"
)

// ValidID reports whether s is a valid id of a category, symbol, variable, context
// value or option: 1 to [MaxIDLength] characters of [a-zA-Z0-9_-].
func ValidID(s string) bool {
	for i := range len(s) {
		if !idByte(s[i]) {
			return false
		}
	}
	return s != "" && len(s) <= MaxIDLength
}

// ValidElementID reports whether s is a valid id of an element: a [ValidID], or two
// of them joined by a period, such as "purpose.safety".
func ValidElementID(s string) bool {
	before, after, found := strings.Cut(s, ".")
	return len(s) <= MaxIDLength && ValidID(before) && (!found || ValidID(after))
}

func idByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
