// Package direction tells which way a locale is written.
package direction

import "strings"

// The directions, as the dir attribute of HTML spells them.
const (
	LeftToRight = "ltr"
	RightToLeft = "rtl"
)

// What is written from right to left.
const (
	languages = " ar arc ckb dv fa glk he iw ji lrc mzn nqo pnb ps sd sdh syr ug ur yi "
	scripts   = " adlm arab aran hebr mand mend nkoo rohg samr syrc thaa yezi "
)

// Of returns the direction of a locale: that of its script where it names one,
// else of its language.
func Of(locale string) string {
	parts := strings.Split(strings.ToLower(locale), "-")
	rtl := strings.Contains(languages, " "+parts[0]+" ")
	for _, part := range parts[1:] {
		if len(part) == 1 {
			break // extensions follow
		}
		if len(part) == 4 && (part[0] < '0' || part[0] > '9') {
			rtl = strings.Contains(scripts, " "+part+" ")
			break
		}
	}
	if rtl {
		return RightToLeft
	}
	return LeftToRight
}
