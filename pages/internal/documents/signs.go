package documents

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"html"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// signPages are the signs that hang beside a system and lead to its document, and the page that
// prints them.
func (d *Documents) signPages() []*core.Page {
	params := []string{"kind", "size", core.LanguagesParam, "mono"}
	page := func(p core.Page, build func(*request) (*core.Content, error)) *core.Page {
		p.Pattern, p.Register, p.Languages, p.Build = documentPattern+p.Pattern, true, d.languages, d.current(build)
		return &p
	}
	drawn := func(extension, mediaType string, draw func(*request, *sheet.Subject, *sheet.Options) ([]byte, error)) *core.Page {
		return page(core.Page{Pattern: "/sign" + extension, Params: params, File: true, Extension: extension, Heavy: true}, func(q *request) (*core.Content, error) {
			if q.room.signs == nil {
				return noDrawing(), nil
			}
			return q.sign("/sign"+extension, mediaType, sheet.Kind(q.Params.Get("kind")), draw)
		})
	}
	return []*core.Page{
		page(core.Page{Pattern: "/sign.html", Params: params, Parts: []string{"preview"}, Extension: ".html"}, buildSign),
		drawn(".svg", core.TypeSVG, signSVG),
		drawn(".pdf", "application/pdf", func(q *request, s *sheet.Subject, o *sheet.Options) ([]byte, error) {
			return q.room.signs.PDF(q.Ctx, o, s)
		}),
		page(core.Page{Pattern: "/card", Params: []string{core.LanguagesParam, "mono"}, File: true}, func(q *request) (*core.Content, error) {
			return q.sign("/card", core.TypeHTML, sheet.Card, func(_ *request, s *sheet.Subject, o *sheet.Options) ([]byte, error) { return sheet.Append(nil, o, s) })
		}),
		page(core.Page{Pattern: "/qr.svg", File: true, Extension: ".svg", Unlocalized: true}, buildCode),
	}
}

// buildCode draws the code of a sign.
func buildCode(q *request) (*core.Content, error) {
	if !q.signed() {
		return q.noSign()
	}
	body, err := sheet.CodeSVG(sheet.EditionAddress(q.printedAddress(), q.document.Changed(), q.document.Current))
	return &core.Content{Path: q.documentPath() + "/qr.svg", Type: core.TypeSVG, Body: body, Caching: caching}, err
}

// signing is the page that prints a sign: what one can choose, and a preview. On a server, choices
// are fields of a form, on a static site links. It has signs on all sizes of paper, and one of each
// other kind, in the language of the page.
type signing struct {
	Document, Code string // its page, and the path of its QR code
	Name           phrases.Text
	Tiles          []signTiles
	Languages      []core.Choice
	Mono           bool
	Files          []core.Choice
	Style          template.CSS
	Sheet          template.HTML
	// Card is the address of the card alone, and Embed the HTML that shows it on other sites; "" for
	// other kinds.
	Card, Embed string
	// Wrong is why there is no sheet, and Larger a size on which it fits, or nil.
	Wrong  []string
	Larger *core.Choice
	// Refused is why the document has no sign of any kind.
	Refused []string
}

// signTiles are the kinds or the sizes to choose from. Those of sizes have the distance in m as their notes.
type signTiles struct {
	Name    string // of the parameter, and of the word above the tiles
	Choices []core.Choice
}

func buildSign(q *request) (*core.Content, error) {
	if q.retired() {
		c := q.refusedSign(q.Word("sign.retired"))
		c.Status = http.StatusNotFound
		return c, nil
	}
	if !q.signed() {
		return q.noSign()
	}
	o, err := q.signOptions(sheet.Kind(q.Params.Get("kind")))
	if err != nil {
		return nil, err
	}
	subject, err := q.signSubject()
	if err != nil {
		return nil, err
	}
	o.Kind, o.Size = cmp.Or(o.Kind, sheet.Sign), cmp.Or(o.Size, sheet.A5)
	d := &signing{
		Document: q.To(q.documentPath(), nil), Code: q.documentPath() + "/qr.svg", Name: q.Name(q.document.Title, q.document.ID), Mono: o.Mono,
		Style: template.CSS(sheet.Style(o.Size)), //nolint:gosec // our own
	}
	c := &core.Content{
		Title: q.Word("register.sign"), Path: q.documentPath() + "/sign.html", State: maps.Clone(q.Params), Section: core.RegisterPath,
		Template: signTemplate, Data: d, Part: q.Params.Get("part"), Caching: caching, Unlisted: true, Styles: []string{"sign.css"},
	}
	delete(c.State, "part")
	c.Policy = sheetPolicy()
	if unnamed := subject.Unnamed(); unnamed != nil {
		return q.refusedSign(q.unnamed(unnamed)...), nil
	}
	q.signChoices(d, c, o, subject.Presentation)
	if len(o.Locales) > 2 {
		d.Wrong = []string{q.Word("sign.most")}
		return c, nil
	}
	subject.LogoURL = q.Scope(c).Logo()
	drawn, err := sheet.AppendSheet(nil, o, subject)
	if long, ok := errors.AsType[*sheet.FitError](err); ok {
		d.Wrong, d.Larger = q.doesNotFit(long, q.document.Summary.Points), q.larger(c, o, subject)
		if d.Larger == nil {
			d.Wrong = append(d.Wrong, q.Word("sign.advice"))
		}
		return c, nil
	}
	d.Sheet = template.HTML(drawn) //nolint:gosec // escaped
	if o.Kind == sheet.Card {
		q.embed(d, o)
	}
	return c, err
}

// refusedSign is the page without a sign, which says why.
func (q *request) refusedSign(why ...string) *core.Content {
	return &core.Content{
		Title: q.Word("register.sign"), Path: q.documentPath() + "/sign.html", Section: core.RegisterPath, Template: signTemplate,
		Data:    &signing{Document: q.To(q.documentPath(), nil), Name: q.Name(q.document.Title, q.document.ID), Refused: why},
		Caching: caching, Unlisted: true, Styles: []string{"sign.css"},
	}
}

// unnamed says where the document should name who answers for the system.
func (q *request) unnamed(e *sheet.UnnamedError) []string {
	missing := q.Word("sign.unnamed")
	switch {
	case e.Category != nil:
		return []string{missing, q.Word("sign.unnamedhere", q.Name(e.Category.Name, e.Category.ID).Value)}
	case e.Marked:
		return []string{missing, q.Word("sign.unnamedversion", e.Version)}
	}
	return []string{missing, q.Word("sign.unnamedroles", e.Version)}
}

// larger leads to the smallest larger size on which a sign fits. It is nil if there is none.
func (q *request) larger(c *core.Content, o *sheet.Options, s *sheet.Subject) *core.Choice {
	sizes := sheet.Sizes()
	for _, size := range sizes[slices.Index(sizes, o.Size)+1:] {
		other := *o
		other.Size = size
		if _, err := sheet.NewContent(s, &other); err == nil {
			return &core.Choice{Name: q.Word("sign.larger", string(size)), URL: q.To(c.Path, core.With(c.State, "size", string(size)))}
		}
	}
	return nil
}

// cardHeight is the height in CSS pixels that shows a card of usual length on a wide page.
const cardHeight = 320

// embed adds the HTML that shows a card on other sites.
func (q *request) embed(d *signing, o *sheet.Options) {
	path, state := q.documentPath()+"/card", make(url.Values)
	if q.Links.Live() {
		state.Set(core.LanguagesParam, strings.Join(o.Locales, ","))
		if o.Mono {
			state.Set("mono", "1")
		}
	}
	d.Card = q.To(path, state)
	d.Embed = `<iframe src="` + html.EscapeString(q.Links.Canonical(path, state, "")) + `" title="` + html.EscapeString(d.Name.Value) +
		`" width="100%" height="` + strconv.Itoa(cardHeight) + `" loading="lazy"></iframe>`
}

// signChoices fills in what one can choose.
func (q *request) signChoices(d *signing, c *core.Content, o *sheet.Options, shown *datachain.Presentation) {
	link := func(state url.Values) string {
		if q.Links.Live() {
			return ""
		}
		return q.To(c.Path, state)
	}
	kinds, sizes := signTiles{Name: "kind"}, signTiles{Name: "size"}
	for _, kind := range []sheet.Kind{sheet.Sign, sheet.Notice, sheet.Label, sheet.Card} {
		var state url.Values
		switch kind {
		case sheet.Sign:
		case sheet.Notice:
			state = url.Values{"kind": {string(kind)}, "size": {string(sheet.A4)}}
		default:
			state = url.Values{"kind": {string(kind)}}
		}
		kinds.Choices = append(kinds.Choices, core.Choice{Name: string(kind), URL: link(state), Current: kind == o.Kind})
	}
	d.Tiles = []signTiles{kinds}
	if q.Links.Live() || o.Kind == sheet.Sign {
		for _, size := range sheet.Sizes() {
			var state url.Values
			if size != sheet.A5 {
				state = url.Values{"size": {string(size)}}
			}
			distance := strings.Replace(strconv.FormatFloat(size.Distance(), 'f', 1, 64), ".", q.Word("decimal"), 1)
			sizes.Choices = append(sizes.Choices, core.Choice{Name: string(size), Note: distance, URL: link(state), Current: size == o.Size})
		}
		d.Tiles = append(d.Tiles, sizes)
	}
	if there := shown.Locales(); q.Links.Live() && len(there) > 1 {
		if len(q.document.Locales) > 0 {
			there = q.document.Locales
		}
		var chosen []string
		for _, locale := range o.Locales {
			chosen = append(chosen, phrases.NewChooser(there, locale).Locale)
		}
		for _, locale := range there {
			d.Languages = append(d.Languages, core.Choice{Name: core.Endonym(locale), Note: locale, Lang: locale, Current: slices.Contains(chosen, locale)})
		}
	}
	if q.room.signs != nil && (q.Links.Live() || len(c.State) == 0) {
		for _, form := range []string{"pdf", "svg"} {
			if q.Links.Live() || slices.Contains(q.signForms(), form) {
				d.Files = append(d.Files, core.Choice{Name: strings.ToUpper(form), URL: q.To(q.documentPath()+"/sign."+form, nil)})
			}
		}
	}
}

// doesNotFit says which texts are too long.
func (q *request) doesNotFit(long *sheet.FitError, points []summary.Point) []string {
	list := []string{q.Word("sign.nofit", string(long.Size))}
	for _, t := range long.Texts {
		field := q.Word("sign.fields." + t.Field)
		for i := range points {
			if p := &points[i]; field == "" && (string(p.Role) == t.Field || p.Category.ID == t.Field) {
				field = phrases.NewPoint(p, q.Chooser()).Name
			}
		}
		if long.Languages > 1 {
			field += " (" + core.Endonym(t.Locale) + ")"
		}
		list = append(list, q.Word("sign.toolong", field, strconv.Itoa(t.Length), strconv.Itoa(t.Limit)))
	}
	return list
}

func signSVG(q *request, s *sheet.Subject, o *sheet.Options) ([]byte, error) {
	return q.room.signs.SVG(q.Ctx, s, o)
}

// signForms are the forms of the sign that the page of the document links to, html first. A server says
// what does not fit when somebody follows the link; a static site has no such file.
func (q *request) signForms() (forms []string) {
	if !q.signed() {
		return nil
	}
	forms = append(forms, "html")
	if q.room.signs != nil && q.names() {
		err := error(nil)
		if !q.Links.Live() {
			_, err = q.sign("", "", sheet.Sign, signSVG)
		}
		if err == nil {
			forms = append(forms, "pdf", "svg")
		}
	}
	return forms
}

// noDrawing is the answer of a server that can't draw.
func noDrawing() *core.Content {
	return &core.Content{Status: http.StatusNotFound, Type: "text/plain; charset=utf-8", Body: []byte(`This server does not draw signs.
Print sign.html in a browser instead.
`)}
}

// signed reports whether a document has signs: it must be published, the system must not be
// retired, and the public address must be known.
func (q *request) signed() bool {
	return !q.document.Removed() && q.document.Details.Status != register.Retired && q.Site.Absolute()
}

// retired reports whether a document is published whose system is retired.
func (q *request) retired() bool {
	return !q.document.Removed() && q.document.Details.Status == register.Retired
}

// names reports whether the document names who answers for the system.
func (q *request) names() bool {
	return !q.label(q.document.Organisation().Name).Empty()
}

// noSign is the answer if a document has no sign: people who look for one learn what the
// server lacks.
func (q *request) noSign() (*core.Content, error) {
	if q.retired() {
		return plainRefusal("this system is retired, so no sign is made"), nil
	}
	if q.Site.Absolute() {
		return nil, core.NoPage()
	}
	return &core.Content{Status: http.StatusNotFound, Type: "text/plain; charset=utf-8", Body: []byte(`This server does not know its public URL, which the code on a sign contains.

Start it with --base-url, such as --base-url https://example.org.
`)}, nil
}

// plainRefusal is the answer where a file was asked for that there is not.
func plainRefusal(why string) *core.Content {
	return &core.Content{Status: http.StatusNotFound, Type: "text/plain; charset=utf-8", Body: []byte(wording.Sentence(why) + ".\n")}
}

// printedAddress is the address of the document in codes. Static hosts need the slash.
func (q *request) printedAddress() string { return q.Site.PublicURL() + q.documentPath() + "/" }

// sign makes a sign of a kind. The address can choose its size and its languages.
func (q *request) sign(path, mediaType string, kind sheet.Kind, draw func(*request, *sheet.Subject, *sheet.Options) ([]byte, error)) (*core.Content, error) {
	if !q.signed() {
		return q.noSign()
	}
	o, err := q.signOptions(kind)
	if err != nil {
		return nil, err
	}
	if len(o.Locales) > 2 {
		return nil, badSign("a sign has one or two languages; make another sign for the others")
	}
	subject, err := q.signSubject()
	if err != nil {
		return nil, err
	}
	if unnamed := subject.Unnamed(); unnamed != nil {
		return plainRefusal(unnamed.Error()), nil
	}
	body, err := draw(q, subject, o)
	if long, ok := errors.AsType[*sheet.FitError](err); ok {
		return nil, badSign(long.Error())
	}
	if err != nil {
		return nil, notDrawn(err)
	}
	c := &core.Content{Path: q.documentPath() + path, Type: mediaType, Body: body, Caching: caching}
	if mediaType == core.TypeHTML {
		c.Policy = sheet.ContentSecurityPolicy(kind)
	}
	return c, nil
}

// signOptions are what the address chooses.
func (q *request) signOptions(kind sheet.Kind) (*sheet.Options, error) {
	o := &sheet.Options{Kind: kind, Size: sheet.Size(q.Params.Get("size")), Locales: []string{q.Locale}, Mono: q.Params.Get("mono") != ""}
	if list := q.Params.Get(core.LanguagesParam); list != "" {
		o.Locales = strings.Split(list, ",")
	}
	if kind != "" && !slices.Contains(sheet.Kinds(), kind) {
		return nil, badSign("the kind of a sign must be " + wording.Or(names(sheet.Kinds())))
	}
	if o.Size != "" && !slices.Contains(sheet.Sizes(), o.Size) {
		return nil, badSign("the size of a sign must be " + wording.Or(names(sheet.Sizes())))
	}
	return o, nil
}

// signSubject is what signs of the document show.
func (q *request) signSubject() (*sheet.Subject, error) {
	d, publisher := q.document, &q.Register.Settings().Publisher
	shown, err := q.Site.Register.Present(q.Ctx, d, d.Current)
	if err != nil {
		return nil, err
	}
	return &sheet.Subject{
		Presentation: shown, Summary: &d.Summary, Address: q.printedAddress(), Date: d.Changed(), Edition: d.Current, Answered: d.Details.Answered, Organisation: phrases.OfLabel(d.Details.Organisation.Name), Publisher: publisher.Name, Logo: publisher.Logo,
	}, nil
}

// notDrawn says why a sign can be printed, but not drawn. Other errors are returned as they are.
func notDrawn(err error) error {
	var reason string
	switch {
	case errors.Is(err, sheet.ErrNoGlyph):
		reason = "this server has no font for the script of the document"
	case errors.Is(err, sheet.ErrNotVector):
		reason = "the logo or a symbol on the sign can't be drawn as vectors"
	case errors.Is(err, sheet.ErrNotSet):
		reason = "a text of the sign can't be drawn"
	default:
		return err
	}
	return badSign(reason + "; print sign.html in a browser instead")
}

func names[T ~string](list []T) (names []string) {
	for _, name := range list {
		names = append(names, string(name))
	}
	return names
}

func badSign(message string) error {
	return core.Refusal(issue.CodeBadRequest, wording.Sentence(message)+".", "choose another size, kind or language")
}

// sheetPolicy returns the usual policy, which also allows the inline styles of sheets by their hashes.
func sheetPolicy() string {
	allowed := []string{"style-src 'self'"}
	for _, size := range sheet.Sizes() {
		sum := sha256.Sum256([]byte(sheet.Style(size)))
		allowed = append(allowed, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return strings.Replace(core.Policy[0], allowed[0], strings.Join(allowed, " "), 1)
}
