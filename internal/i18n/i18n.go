// Package i18n provides names of languages, dates and text directions by language, and cleans
// texts for display.
package i18n

import (
	"cmp"
	_ "embed" // of the table of words
	"fmt"
	"html"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/width"

	"github.com/datachain-go/datachain/internal/wording"
)

// Language returns the language of a locale, such as fr of fr-CA.
func Language(locale string) string {
	language, _, _ := strings.Cut(locale, "-")
	return language
}

// Same reports whether two locales have the same language.
func Same(a, b string) bool { return strings.EqualFold(Language(a), Language(b)) }

// OneLine returns a text without line breaks.
func OneLine(text string) string { return strings.Join(strings.Fields(Clean(text)), " ") }

// Letters returns the length of a text in letters of usual width: East Asian letters are twice
// as wide, and combining marks have no width.
func Letters(s string) int {
	n := 0
	for _, r := range s {
		switch k := width.LookupRune(r).Kind(); {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case k == width.EastAsianWide || k == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// Clean removes characters that change the direction of the text after them, which can
// disguise a text, replaces control characters, and trims white space.
func Clean(s string) string { return CleanFragment(strings.TrimSpace(s)) }

// CleanFragment is [Clean] for a part of a text, which may begin or end with a space.
func CleanFragment(s string) string {
	if !mayHideText(s) || strings.IndexFunc(s, unseen) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("\r\v\f\u0085\u2028\u2029", r):
			return '\n'
		case wording.Turns(r):
			return -1
		case unseen(r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

// mayHideText reports whether a text has a byte of a character for which [unseen] reports true.
// Most texts have none, and decoding their characters takes four times as long.
func mayHideText(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c == 0x7F || c == 0xC2 || c == 0xE2 {
			return true
		}
	}
	return false
}

func unseen(r rune) bool {
	return wording.Turns(r) || r == '\u2028' || r == '\u2029' || r != '\n' && r != '\t' && unicode.IsControl(r)
}

// languageNames are the names of languages in themselves and in English.
var languageNames = map[string][2]string{
	"af": {"Afrikaans", "Afrikaans"}, "ar": {"العربية", "Arabic"}, "bg": {"Български", "Bulgarian"},
	"bn": {"বাংলা", "Bengali"}, "ca": {"Català", "Catalan"}, "cs": {"Čeština", "Czech"}, "cy": {"Cymraeg", "Welsh"},
	"da": {"Dansk", "Danish"}, "de": {"Deutsch", "German"}, "el": {"Ελληνικά", "Greek"}, "en": {"English", "English"},
	"es": {"Español", "Spanish"}, "et": {"Eesti", "Estonian"}, "eu": {"Euskara", "Basque"}, "fa": {"فارسی", "Persian"},
	"fi": {"Suomi", "Finnish"}, "fil": {"Filipino", "Filipino"}, "fr": {"Français", "French"}, "ga": {"Gaeilge", "Irish"},
	"gl": {"Galego", "Galician"}, "gu": {"ગુજરાતી", "Gujarati"}, "he": {"עברית", "Hebrew"}, "hi": {"हिन्दी", "Hindi"},
	"hr": {"Hrvatski", "Croatian"}, "hu": {"Magyar", "Hungarian"}, "hy": {"Հայերեն", "Armenian"},
	"id": {"Bahasa Indonesia", "Indonesian"}, "is": {"Íslenska", "Icelandic"}, "it": {"Italiano", "Italian"},
	"ja": {"日本語", "Japanese"}, "ka": {"ქართული", "Georgian"}, "km": {"ខ្មែរ", "Khmer"}, "kn": {"ಕನ್ನಡ", "Kannada"},
	"ko": {"한국어", "Korean"}, "lt": {"Lietuvių", "Lithuanian"}, "lv": {"Latviešu", "Latvian"}, "mi": {"Te reo Māori", "Māori"},
	"ml": {"മലയാളം", "Malayalam"}, "mr": {"मराठी", "Marathi"}, "ms": {"Bahasa Melayu", "Malay"}, "mt": {"Malti", "Maltese"},
	"nb": {"Norsk bokmål", "Norwegian Bokmål"}, "ne": {"नेपाली", "Nepali"}, "nl": {"Nederlands", "Dutch"},
	"nn": {"Norsk nynorsk", "Norwegian Nynorsk"}, "no": {"Norsk", "Norwegian"}, "pa": {"ਪੰਜਾਬੀ", "Punjabi"},
	"pl": {"Polski", "Polish"}, "pt": {"Português", "Portuguese"}, "ro": {"Română", "Romanian"}, "ru": {"Русский", "Russian"},
	"sk": {"Slovenčina", "Slovak"}, "sl": {"Slovenščina", "Slovenian"}, "sq": {"Shqip", "Albanian"},
	"sr": {"Српски", "Serbian"}, "sv": {"Svenska", "Swedish"}, "sw": {"Kiswahili", "Swahili"}, "ta": {"தமிழ்", "Tamil"},
	"te": {"తెలుగు", "Telugu"}, "th": {"ไทย", "Thai"}, "tl": {"Tagalog", "Tagalog"}, "tr": {"Türkçe", "Turkish"},
	"uk": {"Українська", "Ukrainian"}, "ur": {"اردو", "Urdu"}, "vi": {"Tiếng Việt", "Vietnamese"}, "zh": {"中文", "Chinese"},
}

// Endonym returns the name of a language in itself, or its code.
func Endonym(locale string) string {
	return cmp.Or(languageNames[strings.ToLower(Language(locale))][0], locale)
}

// English returns the name of a locale in English, such as French or Portuguese (pt-BR), or its code.
func English(locale string) string {
	switch name := languageNames[strings.ToLower(Language(locale))][1]; {
	case name == "":
		return locale
	case Language(locale) != locale:
		return name + " (" + locale + ")"
	default:
		return name
	}
}

// LanguageTag returns HTML that follows a text and tells the reader its language: the code of
// the locale, with a name in the language lang. A bdi does not affect the direction of the
// element around it.
func LanguageTag(locale, name, lang string) string {
	name = html.EscapeString(name)
	code := html.EscapeString(strings.ToUpper(Language(locale)))
	return ` <bdi class="language-tag" role="img" lang="` + lang + `" title="` + name + `" aria-label="` + name + `">` + code + `</bdi>`
}

// calendar is how a language writes a date.
type calendar struct {
	first  string // the first day of a month, if it has a special form
	date   string // a format of day, month and year
	months string
}

var calendars = map[string]calendar{
	"en": {date: "%s %s %d", months: "January February March April May June July August September October November December"},
	"fr": {first: "1er", date: "%s %s %d", months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"},
	"es": {date: "%s de %s de %d", months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"},
	"de": {date: "%s. %s %d", months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"},
	"it": {date: "%s %s %d", months: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"},
	"pt": {date: "%s de %s de %d", months: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"},
	"nl": {date: "%s %s %d", months: "januari februari maart april mei juni juli augustus september oktober november december"},
	"ar": {date: "%s %s %d", months: "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر"},
}

// Day writes the date of a timestamp in a language, or in English if it does not know
// the language, and reports whether the timestamp has a date.
func Day(lang, timestamp string) (string, bool) {
	t, err := time.Parse(time.DateOnly, timestamp[:min(len(timestamp), len(time.DateOnly))])
	if err != nil {
		return "", false
	}
	c, ok := calendars[lang]
	if !ok {
		c = calendars["en"]
	}
	day := strconv.Itoa(t.Day())
	if t.Day() == 1 {
		day = cmp.Or(c.first, day)
	}
	return fmt.Sprintf(c.date, day, strings.Fields(c.months)[t.Month()-1], t.Year()), true
}

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
