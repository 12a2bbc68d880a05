package explorer

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/adapters/view/sheet"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// signPages are what hangs beside a system and leads to its document.
func signPages() []*page {
	params := []string{"kind", "size", "languages", "mono"}
	form := func(extension, mediaType string, draw func(*request, *sheet.Subject, *sheet.Options) ([]byte, error)) *page {
		return &page{name: "raw", pattern: documentPattern + "/sign" + extension, params: params, extension: extension, register: true, heavy: true, build: func(q *request) (*content, error) {
			if q.explorer.options.Signs == nil {
				return noDrawing(), nil
			}
			return q.sign("/sign"+extension, mediaType, sheet.Kind(q.params.Get("kind")), draw)
		}}
	}
	return []*page{
		{name: "raw", pattern: documentPattern + "/sign.html", params: params, extension: ".html", register: true, build: func(q *request) (*content, error) {
			return q.sign("/sign.html", typeHTML, sheet.Kind(q.params.Get("kind")), signHTML)
		}},
		form(".svg", "image/svg+xml", signSVG),
		form(".pdf", "application/pdf", func(q *request, s *sheet.Subject, o *sheet.Options) ([]byte, error) {
			return q.explorer.options.Signs.PDF(o, s)
		}),
		{name: "raw", pattern: documentPattern + "/card", params: []string{"languages"}, register: true, build: func(q *request) (*content, error) {
			return q.sign("/card", typeHTML, sheet.Card, signHTML)
		}},
		{name: "raw", pattern: documentPattern + "/qr.svg", extension: ".svg", register: true, mute: true, root: true, build: func(q *request) (*content, error) {
			if !q.signed() {
				return q.noSign()
			}
			body, err := sheet.CodeSVG(sheet.EditionAddress(q.printedAddress(), q.document.Changed(), q.document.Current))
			return &content{Path: q.documentPath() + "/qr.svg", Type: "image/svg+xml", Body: body, Caching: registerCaching}, err
		}},
	}
}

func signHTML(_ *request, s *sheet.Subject, o *sheet.Options) ([]byte, error) {
	return sheet.Append(nil, o, s)
}

func signSVG(q *request, s *sheet.Subject, o *sheet.Options) ([]byte, error) {
	return q.explorer.options.Signs.SVG(s, o)
}

// signForms are the forms of the sign that the page of the document links to, html first. A server says
// what does not fit when somebody follows the link; a static site has no such sign. What fits in a
// drawing is measured, so that it can have another answer than a page; it is the same for SVG and PDF.
func (q *request) signForms() (forms []string) {
	if !q.signed() {
		return nil
	}
	fits := func(draw func(*request, *sheet.Subject, *sheet.Options) ([]byte, error)) bool {
		if q.links.live() {
			return true
		}
		_, err := q.sign("", "", sheet.Sign, draw)
		return err == nil
	}
	if fits(signHTML) {
		forms = append(forms, "html")
	}
	if q.explorer.options.Signs != nil && fits(signSVG) {
		forms = append(forms, "pdf", "svg")
	}
	return forms
}

// noDrawing is the answer of a server that can't draw.
func noDrawing() *content {
	return &content{Status: http.StatusNotFound, Type: "text/plain; charset=utf-8", Body: []byte(`This server does not draw signs.
Print sign.html in a browser instead.
`)}
}

// signed reports whether a document has signs: it must be published, the system must not be
// retired, and the public address must be known.
func (q *request) signed() bool {
	return !q.document.Gone() && q.document.Details.Status != register.Retired && q.explorer.absolute()
}

// noSign is the answer if a document has no sign: people who look for one learn what the
// server lacks.
func (q *request) noSign() (*content, error) {
	if q.explorer.absolute() {
		return nil, noPage()
	}
	return &content{Status: http.StatusNotFound, Type: "text/plain; charset=utf-8", Body: []byte(`This server does not know its public URL, which the code on a sign contains.

Start it with --base-url, such as --base-url https://example.org.
`)}, nil
}

// printedAddress is the address of the document in codes. Static hosts need the slash.
func (q *request) printedAddress() string { return q.explorer.baseURL() + q.documentPath() + "/" }

// sign makes a sign of a kind. The address can choose its size and its languages.
func (q *request) sign(path, mediaType string, kind sheet.Kind, draw func(*request, *sheet.Subject, *sheet.Options) ([]byte, error)) (*content, error) {
	if !q.signed() {
		return q.noSign()
	}
	o := &sheet.Options{Kind: kind, Size: sheet.Size(q.params.Get("size")), Locales: []string{q.locale}, Mono: q.params.Get("mono") != ""}
	if list := q.params.Get("languages"); list != "" {
		o.Locales = strings.Split(list, ",")
	}
	if kind != "" && !slices.Contains(sheet.Kinds(), kind) {
		return nil, badSign("the kind of a sign must be " + wording.Or(names(sheet.Kinds())))
	}
	if o.Size != "" && !slices.Contains(sheet.Sizes(), o.Size) {
		return nil, badSign("the size of a sign must be " + wording.Or(names(sheet.Sizes())))
	}
	if len(o.Locales) > 2 {
		return nil, badSign("a sign has one or two languages; make another sign for the others")
	}
	subject, err := q.signSubject()
	if err != nil {
		return nil, err
	}
	body, err := draw(q, subject, o)
	if long, ok := errors.AsType[*sheet.FitError](err); ok {
		return nil, badSign(long.Error())
	}
	if err != nil {
		return nil, notDrawn(err)
	}
	c := &content{Path: q.documentPath() + path, Type: mediaType, Body: body, Caching: registerCaching}
	if mediaType == typeHTML {
		c.Policy = sheet.ContentSecurityPolicy(kind)
	}
	return c, nil
}

// signSubject is what signs of the document show.
func (q *request) signSubject() (*sheet.Subject, error) {
	d, publisher := q.document, &q.state.Settings().Publisher
	shown, err := q.explorer.register.Present(q.ctx, d, d.Current)
	if err != nil {
		return nil, err
	}
	return &sheet.Subject{
		Presentation: shown, Summary: &d.Summary, Address: q.printedAddress(), Date: d.Changed(), Edition: d.Current, Publisher: publisher.Name, Logo: publisher.Logo,
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
	return refusal(issue.CodeBadRequest, wording.Sentence(message)+".", "choose another size, kind or language")
}
