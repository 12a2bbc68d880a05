// Package texts chooses among the languages of localized texts, prepares them to be shown in
// HTML, and puts the summary of a document into words. It is what all faces of a document
// have in common: pages, plain text, signs, lists and the board.
package texts

import (
	"cmp"
	_ "embed" // of the table of words
	"encoding/csv"
	"fmt"
	"html"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/width"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// OfLabel returns a label as a localized text. The locale of a plain one is "".
func OfLabel(l taxonomy.Label) taxonomy.Localized {
	if l.Text == nil && l.Plain != "" {
		return taxonomy.Localized{{Value: l.Plain}}
	}
	return l.Text
}

// Language returns the language of a locale, such as fr of fr-CA.
func Language(locale string) string {
	language, _, _ := strings.Cut(locale, "-")
	return language
}

// Same reports whether two locales have the same language.
func Same(a, b string) bool { return strings.EqualFold(Language(a), Language(b)) }

// Chooser chooses among the languages of texts.
type Chooser struct {
	// Locale is the language of the page.
	Locale string

	wanted  []string // the locales to try, in order
	foreign map[string]string
}

// Noting returns a chooser that notes which texts it chose in other languages than that of the
// page, for [Chooser.HTML]. It is not safe for concurrent use.
func (c Chooser) Noting() Chooser {
	c.foreign = make(map[string]string)
	return c
}

// Note notes that a text is in a language, if the page is in another one, and returns the text.
func (c *Chooser) Note(text, locale string) string {
	if c.foreign == nil || locale == "" || Same(locale, c.Locale) {
		return text
	}
	for _, shown := range []string{Clean(text), oneLine(text)} {
		if shown != "" {
			c.foreign[shown] = locale
		}
	}
	return text
}

// oneLine returns a text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(Clean(text)), " ") }

// HTML returns a text that is made of chosen ones, escaped, with those in other languages in a
// bdi that names the language.
func (c *Chooser) HTML(text string) string {
	known := slices.SortedFunc(maps.Keys(c.foreign), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	isWord := func(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }
	var b strings.Builder
	for at, done := 0, 0; ; {
		found := slices.IndexFunc(known, func(k string) bool {
			before, _ := utf8.DecodeLastRuneInString(text[:at])
			after, _ := utf8.DecodeRuneInString(text[min(len(text), at+len(k)):])
			return strings.HasPrefix(text[at:], k) && !isWord(before) && !isWord(after)
		})
		if found >= 0 {
			k := known[found]
			b.WriteString(html.EscapeString(text[done:at]) + `<bdi lang="` + html.EscapeString(c.foreign[k]) + `">` + html.EscapeString(k) + "</bdi>")
			at += len(k)
			done = at
		}
		if at == len(text) {
			b.WriteString(html.EscapeString(text[done:]))
			return b.String()
		}
		if found < 0 {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
		}
	}
}

// NewChooser chooses the language of a page: the best match for the requested one among
// those that there are, or else the first of them. There must be one.
func NewChooser(there []string, asked string) Chooser {
	page := there[0]
	if found, _ := search.Match(there, asked); found != "" { // also if it is no language tag
		page = found
	}
	c := Chooser{Locale: page}
	for _, want := range append(append(shorter(asked), shorter(page)...), there[0]) {
		if want != "" && !slices.Contains(c.wanted, want) {
			c.wanted = append(c.wanted, want)
		}
	}
	return c
}

// shorter lists a locale and the more general ones.
func shorter(locale string) []string {
	if !ident.IsLocale(locale) {
		return nil
	}
	var list []string
	for locale != "" {
		list = append(list, locale)
		locale = locale[:max(0, strings.LastIndexByte(locale, '-'))]
	}
	return list
}

// Pick returns the text in the language of the page, or else in another, and its
// language. A text without content is never chosen.
func (c *Chooser) Pick(t taxonomy.Localized) (value, locale string) {
	for _, want := range c.wanted {
		if value, ok := t.Get(want); ok && strings.TrimSpace(value) != "" {
			return c.Note(value, want), want
		}
	}
	for _, sameLanguage := range []bool{true, false} {
		for _, other := range t {
			if strings.TrimSpace(other.Value) != "" && (!sameLanguage || Same(other.Locale, c.Locale)) {
				return c.Note(other.Value, other.Locale), other.Locale
			}
		}
	}
	return "", ""
}

// Letters is the length of a text in letters of usual width: East Asian ones are twice as wide,
// and accents of their own have no width.
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
func Clean(s string) string { return CleanPart(strings.TrimSpace(s)) }

// CleanPart is [Clean] for a part of a text, which may begin or end with a space.
func CleanPart(s string) string {
	if !mayHideText(s) || strings.IndexFunc(s, unseen) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u2028' || r == '\u2029' || r == '\r':
			return '\n'
		case wording.Turns(r):
			return -1
		case unseen(r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

// mayHideText reports whether a text has a byte that characters of [unseen] have: most texts
// have none, and decoding their characters takes four times as long.
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

// languageNames are the names of languages in themselves.
var languageNames = map[string]string{
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

// Endonym returns the name of a language in itself, or its code.
func Endonym(locale string) string {
	if name, ok := languageNames[strings.ToLower(Language(locale))]; ok {
		return name
	}
	return locale
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

// Operation describes a tool or a prompt of the MCP server to people.
type Operation struct {
	Name, Title, Description string
	Arguments                []Argument
	// Documents means that it exists only while there are documents.
	Documents bool
}

// Argument is an argument of an [Operation].
type Argument struct {
	Name, Description string
	Required          bool
}

// BasePath returns the path of a base URL, without a slash at its end. A base URL can be
// a path alone, and is empty for the root of a host.
func BasePath(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" && base != "" && base[0] != '/' || u.Host != "" && u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("BaseURL %q must be an http or https URL, or a path that begins with /", base)
	}
	return strings.TrimSuffix(u.EscapedPath(), "/"), nil
}

// Link is a link to an absolute web address that comes from a document or a taxonomy, if it
// is safe to follow.
type Link struct {
	// URL is the address, or "" if it is not safe to follow.
	URL string
	// Host is its host as shown: in Unicode, unless it could be mistaken for another.
	Host string
}

// NewLink returns a link to an absolute web address with one of the schemes, in lower case.
// It must have a host and must not have a user or invalid characters.
func NewLink(address string, schemes ...string) Link {
	address = strings.TrimSpace(address)
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || strings.ContainsAny(address, "\\\"<>`") {
		return Link{}
	}
	sent, shown, ok := hostOf(u)
	if !ok {
		return Link{}
	}
	scheme := strings.ToLower(u.Scheme)
	if !slices.Contains(schemes, scheme) {
		return Link{}
	}
	u.Scheme, u.Host = scheme, sent
	return Link{u.String(), shown}
}

// hostOf returns the host of a URL as it is sent, in ASCII, and as it is shown: in Unicode,
// unless it could be mistaken for another host. It reports whether the host is valid.
func hostOf(u *url.URL) (sent, shown string, ok bool) {
	name := u.Hostname()
	if isASCII(name) && !strings.Contains(strings.ToLower(name), "xn--") {
		return u.Host, u.Host, true
	}
	ascii, err := idna.Lookup.ToASCII(name)
	if err != nil {
		return "", "", false
	}
	shown, err = idna.Lookup.ToUnicode(ascii)
	if err != nil || !unmistakable(shown) {
		shown = ascii
	}
	port := u.Port()
	if port != "" {
		port = ":" + port
	}
	return ascii + port, shown + port, true
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// A label of a host may be shown in one of the scripts, or in scripts that are combined.
var (
	scripts = []*unicode.RangeTable{
		unicode.Latin, unicode.Arabic, unicode.Hebrew, unicode.Devanagari, unicode.Bengali, unicode.Gujarati, unicode.Gurmukhi,
		unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Thai, unicode.Khmer,
		unicode.Georgian, unicode.Ethiopic,
	}
	combined = [][]*unicode.RangeTable{
		{unicode.Han, unicode.Hiragana, unicode.Katakana},
		{unicode.Han, unicode.Hangul},
		{unicode.Han, unicode.Bopomofo},
	}
)

// twins are scripts with many letters that look like Latin ones. A label in one of them is
// shown in Unicode only if the top-level domain is in the same script.
var twins = []*unicode.RangeTable{unicode.Cyrillic, unicode.Greek, unicode.Armenian}

// unmistakable reports whether a host cannot be mistaken for another: each label is in one
// script that does not look like another.
func unmistakable(host string) bool {
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	top := labels[len(labels)-1]
	for _, label := range labels {
		if !isASCII(label) && !inOneAlphabet(label) && !hasTwin(label, top) {
			return false
		}
	}
	return true
}

func inOneAlphabet(label string) bool {
	return slices.ContainsFunc(scripts, func(script *unicode.RangeTable) bool {
		return every(label, func(r rune) bool { return unicode.Is(script, r) && !odd(r) })
	}) || slices.ContainsFunc(combined, func(scripts []*unicode.RangeTable) bool {
		return every(label, func(r rune) bool { return unicode.In(r, scripts...) || r == 'ー' }) // the mark belongs to no script
	})
}

func hasTwin(label, top string) bool {
	return slices.ContainsFunc(twins, func(script *unicode.RangeTable) bool {
		return every(label+top, func(r rune) bool { return unicode.Is(script, r) })
	})
}

// every reports whether a condition holds for all letters of a label. Digits and hyphens
// belong to every script.
func every(label string, is func(rune) bool) bool {
	return !strings.ContainsFunc(label, func(r rune) bool { return r != '-' && (r < '0' || r > '9') && !is(r) })
}

// odd reports whether a Latin letter is not used by European languages, or looks like
// another: ı, ĸ, ŀ, ŉ.
func odd(r rune) bool {
	return unicode.Is(unicode.Latin, r) && (r > '\u017F' || strings.ContainsRune("ıĸŀŉ", r))
}

// Point is a point of a summary in a language. Its texts are not escaped.
type Point struct {
	// Name is the heading.
	Name string
	// Level is the context value, "At most: …" if it is the highest of several, or "".
	Level string
	// Entries are what the document says, the first of which matters most: its own words,
	// or its own name, or the title of the element. If there are none, Nothing says so.
	Entries []string
	Nothing string
	// More is how many entries there are after the first, as in "and 2 more", or "".
	More string
	// Contact is how to reach who answers for the system, or "".
	Contact string
	// Safeguard is what is done against a risk, or that none is given; "" for other points.
	Safeguard string
}

// NewPoint puts a point into the language of a chooser.
func NewPoint(p *datachain.Point, c *Chooser) Point {
	pick := func(l taxonomy.Localized) string {
		value, _ := c.Pick(l)
		return oneLine(value)
	}
	words := FaceIn(c.Locale)
	own := func(text string) string { return c.Note(text, words.Lang) }
	said := Point{Name: own(words.Headings[p.Role])}
	if p.Role == "" && p.Category != nil {
		said.Name = pick(p.Category.Name)
	}
	if len(p.Entries) == 0 {
		said.Nothing = own(words.Nothing[p.Role])
		return said
	}
	// The context of a decision says who decides if it matters enough to have a colour, and
	// otherwise what the decision is about.
	if p.Context != nil && (p.Role != codes.RoleDecision || p.AtMost || p.Context.Color != "") {
		said.Level = pick(p.Context.Label)
		if p.AtMost {
			before, after, _ := strings.Cut(words.AtMost, "%s")
			own(before)
			own(after)
			said.Level = fmt.Sprintf(words.AtMost, said.Level)
		}
	}
	for i := range p.Entries {
		e := &p.Entries[i]
		entry := pick(e.Words)
		if entry == "" || p.Role != codes.RolePurpose {
			entry = pick(e.Name)
		}
		if entry == "" {
			entry = pick(e.Element.Title)
		}
		said.Entries = append(said.Entries, entry)
	}
	if more := len(said.Entries) - 1; more > 0 {
		said.More = own(fmt.Sprintf(words.More, more))
	}
	switch first := &p.Entries[0]; p.Role {
	case codes.RoleAccountable:
		said.Contact = pick(first.Contact)
	case codes.RoleRisk:
		if said.Safeguard = pick(first.Safeguard); said.Safeguard == "" {
			said.Safeguard = own(words.NoSafeguard)
		}
	}
	return said
}

// Fits reports whether all entries together have at most so many letters.
func (p *Point) Fits(letters int) bool {
	for _, e := range p.Entries {
		letters -= Letters(e)
	}
	return letters >= 0
}

// Line returns the entries as one line or, if they have more letters than that, the first and
// how many more there are.
func (p *Point) Line(letters int) string {
	if p.More != "" && !p.Fits(letters) {
		return p.Entries[0] + " (" + p.More + ")"
	}
	return Join(p.Entries)
}

// Join puts texts on one line, with a semicolon after each that is not a sentence.
func Join(list []string) string {
	var b strings.Builder
	for i, s := range list {
		if b.WriteString(s); i == len(list)-1 {
			break
		}
		if last, _ := utf8.DecodeLastRuneInString(s); !strings.ContainsRune(".!?…。！？؟", last) {
			b.WriteByte(';')
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// Text returns the point without its name as one line.
func (p *Point) Text() string {
	var parts []string
	for _, part := range []string{p.Level, Join(p.Entries), p.Nothing, p.Contact, p.Safeguard} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " – ")
}

// Face are the words that all faces of a document share, in one language: the page, the
// row of a list, the sign, the board and the plain text show the same summary.
type Face struct {
	Lang string
	// Headings are the names of the points of a summary, by role.
	Headings map[taxonomy.Role]string
	// Nothing says that a document has nothing about a point, by role; the one of the
	// empty role is for points of taxonomies without roles.
	Nothing     map[taxonomy.Role]string
	AtMost      string // before the highest context value, as a sentence with a %s
	NoSafeguard string
	NoContact   string
	ScanToAsk   string // beside the code of a sign, if a right has a contact
	ScanToLearn string
	AsOf        string // before the date of an edition
	Icons       string // before the attribution of icons
	Comma       string // between the items of a list
	More        string // after the first item of a list that is too long, with a %d
}

//go:embed words.csv
var table string

var faces = Words[Face](table)

// FaceIn returns the words in a language, or in English.
func FaceIn(locale string) *Face { return faces().In(locale) }

// Table is the words of pages in all languages: a T for each of them.
type Table[T any] struct {
	// Languages are the languages, English first.
	Languages []string

	words []T
}

// In returns the words in a language, or in English.
func (t *Table[T]) In(locale string) *T {
	return &t.words[max(0, slices.IndexFunc(t.Languages, func(language string) bool { return Same(language, locale) }))]
}

// Words returns a function that reads a table of words when it is first called. Each row of
// the table, which is CSV, has the name of a word and then the word in each language; the
// first row has the languages. The name is that of a field of T in lower case, with a dot
// between the names of a struct and its fields, and of a map and its keys; the key other means
// the empty one. The function panics if a table does not have exactly the words of T: it is
// part of the program.
func Words[T any](table string) func() *Table[T] {
	return sync.OnceValue(func() *Table[T] {
		rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
		if err != nil {
			panic(fmt.Errorf("texts: the table of words is malformed: %w", err))
		}
		t := &Table[T]{Languages: rows[0][1:], words: make([]T, len(rows[0])-1)}
		for i := range t.words {
			words := make(map[string]string, len(rows))
			for _, row := range rows {
				words[row[0]] = row[i+1]
			}
			fill(reflect.ValueOf(&t.words[i]).Elem(), "", words)
			for name := range words {
				panic(fmt.Errorf("texts: %T has no word %q", t.words[i], name))
			}
		}
		return t
	})
}

// fill sets a value to the words below a name, and removes them.
func fill(v reflect.Value, name string, words map[string]string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), strings.TrimPrefix(name+"."+strings.ToLower(v.Type().Field(i).Name), "."), words)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for row, word := range words {
			if key, ok := strings.CutPrefix(row, name+"."); ok {
				if key == "other" {
					key = ""
				}
				v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), reflect.ValueOf(word))
				delete(words, row)
			}
		}
	default:
		word, ok := words[name]
		if !ok {
			panic(fmt.Errorf("texts: the table of words lacks %q", name))
		}
		v.SetString(word)
		delete(words, name)
	}
}

// ElementOf returns an element that a document places: that of the release if possible, so
// that documents share it, or nil.
func ElementOf(shown *datachain.Presentation, id string) *taxonomy.Element {
	if shown.Release != nil {
		if e, ok := shown.Release.Element(id); ok {
			return e
		}
	}
	for _, list := range [][]taxonomy.Element{shown.Datachain.SchemaSnapshot.Elements, shown.Datachain.SuggestedElements} {
		if i := slices.IndexFunc(list, func(e taxonomy.Element) bool { return e.ID == id }); i >= 0 {
			e := list[i] // a copy, without the rest of the list
			return &e
		}
	}
	return nil
}
