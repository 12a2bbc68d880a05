package texts

import "strings"

// The languages and scripts that are written from right to left.
const (
	rtlLanguages = " ar arc ckb dv fa glk he iw ji lrc mzn nqo pnb ps sd sdh syr ug ur yi "
	rtlScripts   = " adlm arab aran hebr mand mend nkoo rohg samr syrc thaa yezi "
)

// Direction returns the direction of a locale as a value of the dir attribute of HTML, ltr or rtl:
// that of its script if it has one, else that of its language.
func Direction(locale string) string {
	language, rest, _ := strings.Cut(strings.ToLower(locale), "-")
	rtl := strings.Contains(rtlLanguages, " "+language+" ")
	for part := range strings.SplitSeq(rest, "-") {
		if len(part) == 1 {
			break // extensions follow
		}
		if len(part) == 4 && (part[0] < '0' || part[0] > '9') {
			rtl = strings.Contains(rtlScripts, " "+part+" ")
			break
		}
	}
	if rtl {
		return "rtl"
	}
	return "ltr"
}
