package view

import (
	"html/template"
	"strings"
)

// tongues are languages, each as it calls itself.
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

// tongue names a language as it calls itself, or by its code.
func tongue(locale string) string {
	if name, ok := tongues[strings.ToLower(language(locale))]; ok {
		return name
	}
	return locale
}

// mark marks a text with its language, so that a reader sees why it is in another
// one than the page. One that belongs to a text in the same language needs no mark,
// and none does on a page that is all in one.
func (pg *page) mark(t text, within string) text {
	if t.lang == "" || t.lang == within || t.lang == pg.foreign || strings.EqualFold(language(t.lang), language(pg.Lang)) {
		return t
	}
	if pg.marks[t.lang] == "" {
		// In a bdi it does not decide the direction of what it stands in.
		name := template.HTMLEscapeString(pg.edition.Language + pg.edition.Colon + " " + tongue(t.lang))
		code := template.HTMLEscapeString(strings.ToUpper(language(t.lang)))
		pg.marks[t.lang] = ` <bdi class="tongue" role="img" lang="` + pg.edition.Lang + `" title="` + name + `" aria-label="` + name + `">` + code + `</bdi>`
	}
	t.mark = pg.marks[t.lang]
	return t
}

// findForeign finds the language that all of the page is in where that is not the
// one that was chosen: a taxonomy may promise a language, and lack its texts.
func (pg *page) findForeign() {
	first := pg.title().lang
	if first == "" || strings.EqualFold(language(first), language(pg.Lang)) {
		return
	}
	for _, s := range pg.Sections {
		if s.name.lang != first {
			return
		}
		for _, c := range s.Cards {
			if pg.locales.pick(c.element.Title).lang != first {
				return
			}
		}
	}
	pg.foreign = first
}
