package view

import (
	"html/template"
	"strings"
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

// tongue returns the name of a language in itself, or its code.
func tongue(locale string) string {
	if name, ok := tongues[strings.ToLower(language(locale))]; ok {
		return name
	}
	return locale
}

// mark marks a text with its language if that differs from the page and from the text that
// it belongs to, unless the whole page is in that language.
func (pg *page) mark(t text, within string) text {
	if t.lang == "" || t.lang == within || t.lang == pg.foreign || strings.EqualFold(language(t.lang), language(pg.Lang)) {
		return t
	}
	if pg.marks[t.lang] == "" {
		// A bdi does not affect the direction of the element around it.
		name := template.HTMLEscapeString(pg.edition.Language + pg.edition.Colon + " " + tongue(t.lang))
		code := template.HTMLEscapeString(strings.ToUpper(language(t.lang)))
		pg.marks[t.lang] = ` <bdi class="tongue" role="img" lang="` + pg.edition.Lang + `" title="` + name + `" aria-label="` + name + `">` + code + `</bdi>`
	}
	t.mark = pg.marks[t.lang]
	return t
}

// findForeign checks whether all texts are in the language of the first one, and that is not
// the language of the page: a taxonomy may declare a language without having texts in it.
func (pg *page) findForeign(first string) {
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
