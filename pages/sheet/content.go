package sheet

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// Distance returns from how far a sign on this size of paper can be read and scanned, in m.
func (s Size) Distance() float64 { return sizes[s].distance }

// Limits of the address and of the publisher's name in letters, on all sheets.
const maxAddress, maxPublisher = 60, 80

// Content is what a sign says: texts in each language and pictures, in their order. Texts have no line
// breaks and no control characters.
type Content struct {
	Options   // complete, with defaults
	Paper     Paper
	Languages []Language // one or two
	Points    []Point    // those that the kind of sign has, the most important first
	// Logo is that of the publisher, who is named above the points on paper, or nil.
	Logo []byte
	Code *Code
	// CodeWidth is the width of the code with its border, in mm.
	CodeWidth float64
	// Address is the address of the page as people type it.
	Address string
	// Attribution names the source of the icons, or is "".
	Attribution string

	settings []Setting
	url      string // of the page
	logoURL  string
	icons    int // drawn so far
}

// Language has the texts of a sign that are not about a point.
type Language struct {
	Locale string
	RTL    bool   // read from right to left
	Title  string // the name of the document
	Lead   string // the title on paper, above the first point instead of its name, or ""
	// Publisher is whose name is above the points on paper, or "".
	Publisher string
	Scan      string // what the code is for
	Answers   string // how long answers took, or ""
	Date      string // of the edition

	title, lead, publisher string // with notes of [phrases.Chooser]
	chooser                phrases.Chooser
	words                  *phrases.Words
}

// Point is a point of the summary.
type Point struct {
	// Field is how errors name the point: its role, or the id of its category.
	Field string
	// Picture is the icon of the point as SVG, or nil.
	Picture []byte
	// PictureName names the picture in errors.
	PictureName string
	Texts       []PointText // by language
	// Level is how the context value that the texts name is shown, or nil.
	Level *Level

	noted []PointText // Texts, with notes
	point *summary.Point
}

// Level is the box around the name of a context value.
type Level struct {
	// Fill is its colour, or nil, and Ink that of text on it.
	Fill *icons.Color
	Ink  icons.Color
	// Bars are the heights of bars from the lowest value to the highest, of which the first Rank are
	// filled and the others are outlined. They stand 5 from each other, are 4 wide and at most 12 high,
	// their lines included. Values without an order have none.
	Bars []int
	Rank int
}

// PointText is what a point says in a language: a heading, the context value, and texts, of which
// Strong is most important.
type PointText struct {
	Name, Level, Strong, Detail string
	// Brief replaces Strong and Detail if they do not fit, unless it is "".
	Brief string
}

// In returns the texts, or the brief one.
func (t *PointText) In(brief bool) (strong, detail string) {
	if brief && t.Brief != "" {
		return t.Brief, ""
	}
	return t.Strong, t.Detail
}

// NewContent returns what a sign says.
func NewContent(s *Subject, o *Options) (*Content, error) { return newContent(s, o, 0) }

// newContent is [NewContent] for a page on which icons were drawn already, whose ids must differ.
func newContent(s *Subject, o *Options, drawn int) (*Content, error) {
	if s == nil || s.Presentation == nil || s.Summary == nil {
		return nil, errors.New("the sign needs a presentation and its summary")
	}
	if unnamed := s.Unnamed(); unnamed != nil {
		return nil, unnamed
	}
	c := &Content{url: s.Address, logoURL: s.LogoURL, icons: drawn}
	if o != nil {
		c.Options = *o
	}
	c.Kind = cmp.Or(c.Kind, Sign)
	if !slices.Contains(Kinds(), c.Kind) {
		return nil, fmt.Errorf("kind %q is not known; use %s", c.Kind, or(Kinds()))
	}
	c.Size = cmp.Or(c.Size, A5)
	size, known := sizes[c.Size]
	if !known {
		return nil, fmt.Errorf("size %q is not known; use %s", c.Size, or(Sizes()))
	}
	if len(c.Locales) > 2 {
		return nil, fmt.Errorf("a sign has one or two languages, not %d; make another sign for the others", len(c.Locales))
	}
	address, err := url.Parse(s.Address)
	if err != nil || address.Host == "" {
		return nil, errors.New("the sign needs the URL of the document's page for its code, and \"" + s.Address + "\" is not one; give the register a url")
	}
	if c.Code, err = newCode(EditionAddress(s.Address, s.Date, s.Edition)); err != nil {
		return nil, err
	}
	c.Address = strings.TrimSuffix(s.Address[strings.Index(s.Address, "://")+len("://"):], "/")
	c.translate(s)
	c.layOut(size)
	answered := false // who answers
	for i := range s.Summary.Points {
		p := &s.Summary.Points[i]
		if p.Role == codes.RoleRights && !answered {
			c.Points, answered = append(c.Points, c.organisation(s)), true
		}
		if c.shows(i, p) {
			c.Points = append(c.Points, c.point(s, p))
		}
		answered = answered || p.Role == codes.RoleAccountable
	}
	if !answered {
		c.Points = append(c.Points, c.organisation(s))
	}
	if err = c.Fit(c.farTooLong(size)); err == nil {
		err = c.set()
	}
	return c, err
}

// or lists the names that there are.
func or[S ~string](list []S) string {
	names := make([]string, len(list))
	for i, name := range list {
		names[i] = string(name)
	}
	return wording.Or(names)
}

// translate chooses the languages, and sets the texts that are not about a point.
func (c *Content) translate(s *Subject) {
	there, title := s.Presentation.Locales(), s.Presentation.Datachain.Title
	if len(c.Locales) == 0 {
		c.Locales = there[:1]
		if len(title) > 0 && slices.Contains(there, title[0].Locale) {
			c.Locales = []string{title[0].Locale}
		}
	}
	for _, locale := range c.Locales {
		chooser := phrases.NewChooser(there, locale)
		if slices.ContainsFunc(c.Languages, func(l Language) bool { return l.Locale == chooser.Locale }) {
			continue
		}
		l := Language{
			Locale: chooser.Locale, RTL: i18n.Direction(chooser.Locale) == "rtl",
			chooser: chooser.Noting(), words: phrases.In(chooser.Locale),
		}
		named := l.pick(title)
		l.title = cmp.Or(named, i18n.OneLine(s.Presentation.Datachain.ID))
		if c.onPaper() {
			l.lead, l.publisher, c.Logo = named, l.pick(s.Publisher), s.Logo
		}
		l.Title, l.Lead, l.Publisher = phrases.Plain(l.title), phrases.Plain(l.lead), phrases.Plain(l.publisher)
		l.Scan = l.words.ScanToLearn
		if canAsk(s.Summary) {
			l.Scan = l.words.ScanToAsk
		}
		l.Answers = s.Answered.Within(l.words.Lang)
		day, _ := i18n.Day(l.words.Lang, s.Date.UTC().Format(time.DateOnly))
		l.Date = l.words.AsOf + " " + day
		c.Languages = append(c.Languages, l)
	}
	if r := s.Presentation.Release; r != nil && r.Manifest().Attribution != "" {
		c.Attribution = c.Languages[0].words.Icons + " " + i18n.OneLine(r.Manifest().Attribution)
		if licence := r.Manifest().Licence; licence != "" {
			c.Attribution += ", " + i18n.OneLine(licence)
		}
	}
}

// pick returns a text in the language on one line, with a note, as those of [phrases.NewPoint] are: line breaks
// and control characters can't be drawn.
func (l *Language) pick(t taxonomy.Localized) string {
	text, _ := l.chooser.Pick(t)
	return i18n.OneLine(text)
}

// shows reports whether the kind of sign has a point of the summary.
func (c *Content) shows(i int, p *summary.Point) bool {
	switch {
	case c.Kind == Notice:
		return true
	case p.Role == "":
		return i < 3
	}
	return p.Role == codes.RolePurpose || p.Role == codes.RoleData || p.Role == codes.RoleAccountable
}

// organisation returns the point that names who answers for the system, if the taxonomy has none.
func (c *Content) organisation(s *Subject) Point {
	return c.point(s, &summary.Point{Role: codes.RoleAccountable, Category: new(taxonomy.Category)})
}

// canAsk reports whether a right of the document has a contact: an action, a variable for it, or an
// address in its own words, which the page makes a button of, too.
func canAsk(s *summary.Summary) bool {
	hasAddress := func(t taxonomy.Text) bool { return len(weblink.Contacts(t.Value)) > 0 }
	p, ok := s.Point(codes.RoleRights)
	return ok && slices.ContainsFunc(p.Entries, func(e summary.Entry) bool {
		return len(e.Contact) > 0 || slices.ContainsFunc(e.Words, hasAddress) || e.Placement != nil && len(e.Placement.Actions) > 0
	})
}

// point returns what the sign says about a point. Its picture is the icon of the element in the
// colour of the context.
func (c *Content) point(s *Subject, p *summary.Point) Point {
	said := Point{Field: cmp.Or(string(p.Role), p.Category.ID), point: p}
	if len(p.Entries) > 0 {
		variant := taxonomy.VariantDefault
		if p.Context != nil && !c.Mono {
			variant = p.Context.ID
		}
		c.icons++
		said.Picture, _ = s.Presentation.AppendIcon(nil, p.Entries[0].Element, variant, &icons.Options{IDPrefix: "i" + strconv.Itoa(c.icons) + "-"})
		said.PictureName = "the symbol of " + p.Entries[0].Element.ID
	}
	for i := range c.Languages {
		t := c.text(s, p, &c.Languages[i])
		said.noted = append(said.noted, t)
		said.Texts = append(said.Texts, PointText{phrases.Plain(t.Name), phrases.Plain(t.Level), phrases.Plain(t.Strong), phrases.Plain(t.Detail), phrases.Plain(t.Brief)})
	}
	if said.Texts[0].Level != "" {
		value := c.value(p)
		level := Level{Ink: icons.DefaultColors().Ink}
		if fill, ok := icons.ParseColor(value.Color); ok {
			look := icons.FilledColors(fill)
			level.Fill, level.Ink = &look.Fill, look.Ink
		}
		rank, of := style.Rank(&p.Category.Context, value)
		level.Rank, level.Bars = rank, style.Bars(of)
		said.Level = &level
	}
	return said
}

// value returns the context value of a point, without its colour on signs without colours.
func (c *Content) value(p *summary.Point) *taxonomy.ContextValue {
	if !c.Mono {
		return p.Context
	}
	plain := *p.Context
	plain.Color = ""
	return &plain
}

// maxCard is the number of letters up to which all purposes are named on a card.
const maxCard = 240

// text returns what a point says in a language, with notes.
func (c *Content) text(s *Subject, p *summary.Point, l *Language) PointText {
	said := phrases.NewPoint(p, &l.chooser)
	t := PointText{Name: said.Name}
	switch {
	case p.Role == codes.RoleAccountable && !named(s.Summary):
		t.Strong, t.Detail = l.pick(s.Organisation), said.Contact
	case said.Nothing != "":
		t.Strong = said.Nothing
	case p.Role == codes.RolePurpose && c.Kind == Label: // the title has to do, so that the label is one line
	case p.Role == codes.RolePurpose:
		t.Brief = said.Line(0)
		if c.Kind == Card && !said.Fits(maxCard) {
			t.Strong = said.Line(maxCard)
		} else {
			t.Strong, t.Detail = said.Entries[0], phrases.Join(said.Entries[1:])
		}
	case p.Role == codes.RoleAccountable:
		t.Strong, t.Detail = said.Entries[0], said.Contact
		if c.onPaper() { // of others, readers copy addresses
			contact, locale := l.chooser.Pick(p.Entries[0].Contact)
			t.Detail = l.chooser.Note(unbroken(i18n.OneLine(phrases.Plain(contact))), locale)
		}
	default:
		entries := strings.Join(said.Entries, l.words.Comma)
		switch {
		case p.Role == "": // what a context means is not known
			t.Strong, t.Detail = entries, said.Level
		case said.Level == "":
			t.Strong, t.Detail = entries, said.Safeguard
		default:
			t.Level, t.Detail = said.Level, entries
			if said.Safeguard != "" {
				t.Detail += ": " + said.Safeguard
			}
			if c.Kind == Label && p.AtMost { // it has no headings
				before, after, _ := strings.Cut(l.words.AtMost, "%s")
				t.Level = l.chooser.Note(before, l.words.Lang) + said.Level + l.chooser.Note(after, l.words.Lang)
			}
		}
	}
	return t
}

// unbroken keeps each telephone number in a text on one line, and lets an email address begin a new
// line only before its @: a hyphen at the end of a line would not be read as a part of it.
func unbroken(text string) string {
	keep := strings.NewReplacer(" ", "\u00a0", "-", "-\u2060", "@", "\u200b@")
	var b strings.Builder
	done := 0
	for _, c := range weblink.Contacts(text) {
		b.WriteString(text[done:c.From])
		b.WriteString(keep.Replace(text[c.From:c.To]))
		done = c.To
	}
	return b.String() + text[done:]
}

// TooLong returns the texts of points that take more than their share of the room, and the title
// if it is longer than what is below it. Heights are those of the points, and brief says that they
// are those of brief texts. The first point may be 1.6 times as high as others.
func (c *Content) TooLong(heights []float64, room float64, brief bool) (texts []LongText) {
	length := func(p *Point, language int) int {
		strong, rest := p.Texts[language].In(brief)
		return i18n.Letters(p.Texts[language].Level + strong + rest)
	}
	for i := range c.Languages {
		l := &c.Languages[i]
		if title, limit := i18n.Letters(l.Lead), length(&c.Points[0], i); title > limit {
			texts = append(texts, LongText{Field: "title", Locale: l.Locale, Length: title, Limit: limit})
		}
	}
	const weight = 1.6
	share := max(0, room) / (float64(len(heights)-1) + weight)
	for i, height := range heights {
		allowed := share
		if i == 0 {
			allowed = weight * share
		}
		if height <= allowed {
			continue
		}
		for j := range c.Languages {
			letters := length(&c.Points[i], j)
			texts = append(texts, LongText{Field: c.Points[i].Field, Locale: c.Languages[j].Locale, Length: letters, Limit: int(float64(letters) * allowed / height)})
		}
	}
	return texts
}

// maxWord is how many characters of a word errors show.
const maxWord = 100

// TooLongWord describes a word of which only a share fits into a line.
func (c *Content) TooLongWord(field, locale, word string, share float64) LongText {
	letters := i18n.Letters(word)
	return LongText{Field: field, Locale: locale, Word: wording.Cut(word, maxWord), Length: letters, Limit: int(float64(letters) * share)}
}

// tooLongAnywhere returns the address if it is too long to be typed, and the names of the publisher
// that are too long for the top of a sheet.
func (c *Content) tooLongAnywhere() (texts []LongText) {
	for i := range c.Languages {
		l := &c.Languages[i]
		if length := i18n.Letters(l.Publisher); length > maxPublisher {
			texts = append(texts, LongText{Field: fieldPublisher, Locale: l.Locale, Length: length, Limit: maxPublisher})
		}
	}
	if length := i18n.Letters(c.Address); length > maxAddress {
		texts = append(texts, LongText{Field: fieldAddress, Locale: c.Languages[0].Locale, Length: length, Limit: maxAddress})
	}
	return texts
}

// farTooLong returns the texts that fit on no sign of this kind and size, however narrow their letters
// are. They are refused by counting characters, since measuring and drawing them takes long.
func (c *Content) farTooLong(g geometry) (texts []LongText) {
	room := 2000.0 // of labels and cards, which grow with their texts
	if c.onPaper() {
		line := PointLength * g.least
		room = g.width * g.height / (0.5 * line) / (TightLeading * line)
	}
	total := 0
	add := func(field string, l *Language, list ...string) {
		n := 0
		for _, text := range list {
			n += utf8.RuneCountInString(text)
		}
		total += n
		texts = append(texts, LongText{Field: field, Locale: l.Locale, Length: n})
	}
	for i := range c.Languages {
		l := &c.Languages[i]
		add("title", l, l.Title)
		add(fieldPublisher, l, l.Publisher)
		for j := range c.Points {
			t := &c.Points[j].Texts[i]
			add(c.Points[j].Field, l, t.Name, t.Level, t.Strong, t.Detail)
		}
	}
	share := room / float64(len(texts))
	if float64(total) <= 2*room { // the narrowest letters are half as wide as others
		return nil
	}
	texts = slices.DeleteFunc(texts, func(t LongText) bool { return float64(t.Length) <= 2*share })
	for i := range texts {
		texts[i].Limit = int(share)
	}
	return texts
}

// Fit returns an error about texts that are too long, or nil if there are none.
func (c *Content) Fit(texts []LongText) error {
	if len(texts) == 0 {
		return nil
	}
	return &FitError{Kind: c.Kind, Size: c.Size, Languages: len(c.Languages), Texts: texts}
}
