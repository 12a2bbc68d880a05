package taxonomy

import "strings"

// MaxIDLength is the most characters that an id of any kind may have.
const MaxIDLength = 128

// The icon variants that every element has. They are reserved: a context value
// can't use them as its id.
const (
	VariantDefault = "default"
	VariantDark    = "dark"
)

// ValidID reports whether s can be the id of a category, symbol, variable,
// context value or option: 1 to [MaxIDLength] characters of [a-zA-Z0-9_-].
func ValidID(s string) bool {
	if s == "" || len(s) > MaxIDLength {
		return false
	}
	for i := range len(s) {
		if !idByte(s[i]) {
			return false
		}
	}
	return true
}

// ValidElementID reports whether s can be the id of an element: like
// [ValidID], but one period may stand between two runs of id characters, as in
// "purpose.safety".
func ValidElementID(s string) bool {
	if len(s) > MaxIDLength {
		return false
	}
	before, after, found := strings.Cut(s, ".")
	return ValidID(before) && (!found || ValidID(after))
}

func idByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
