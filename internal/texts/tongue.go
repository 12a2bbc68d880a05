package texts

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// tongues are the names of languages in themselves.
var tongues = map[string]string{
	"af": "Afrikaans", "ar": "العربية", "bg": "Български", "bn": "বাংলা", "ca": "Català", "cs": "Čeština", "cy": "Cymraeg",
	"da": "Dansk", "de": "Deutsch", "el": "Ελληνικά", "en": "English", "es": "Español", "et": "Eesti", "eu": "Euskara",
	"fa": "فارسی", "fi": "Suomi", "fil": "Filipino", "fr": "Français", "ga": "Gaeilge", "gl": "Galego", "gu": "ગુજરાતી",
	"he": "עברית", "hi": "हिन्दी", "hr": "Hrvatski", "hu": "Magyar", "hy": "Հայերեն", "id": "Bahasa Indonesia",
	"is": "Íslenska", "it": "Italiano", "ja": "日本語", "ka": "ქართული", "km": "ខ្មែរ", "kn": "ಕನ್ನಡ", "ko": "한국어",
	"lt": "Lietuvių", "lv": "Latviešu", "mi": "Te reo Māori", "ml": "മലയാളം", "mr": "मराठी", "ms": "Bahasa Melayu",
	"mt": "Malti", "nb": "Norsk bokmål", "ne": "नेपाली", "nl": "Nederlands", "nn": "Norsk nynorsk", "no": "Norsk",
	"pa": "ਪੰਜਾਬੀ", "pl": "Polski", "pt": "Português", "ro": "Română", "ru": "Русский", "sk": "Slovenčina",
	"sl": "Slovenščina", "sq": "Shqip", "sr": "Српски", "sv": "Svenska", "sw": "Kiswahili", "ta": "தமிழ்", "te": "తెలుగు",
	"th": "ไทย", "tl": "Tagalog", "tr": "Türkçe", "uk": "Українська", "ur": "اردو", "vi": "Tiếng Việt", "zh": "中文",
}

// Tongue returns the name of a language in itself, or its code.
func Tongue(locale string) string {
	if name, ok := tongues[strings.ToLower(Language(locale))]; ok {
		return name
	}
	return locale
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
