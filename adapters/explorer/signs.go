package explorer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/sign"
	"github.com/datachain-go/datachain/documents"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// signPages are what hangs beside a system and leads to its document.
func signPages() []*page {
	return []*page{
		{name: "raw", pattern: documentPattern + "/sign.html", params: []string{"kind", "size", "languages", "mono"}, extension: ".html", register: true, build: func(q *request) (*content, error) {
			return q.sign(sign.Kind(q.params.Get("kind")))
		}},
		{name: "raw", pattern: documentPattern + "/card", params: []string{"languages"}, register: true, build: func(q *request) (*content, error) {
			return q.sign(sign.Card)
		}},
		{name: "raw", pattern: documentPattern + "/qr.svg", extension: ".svg", register: true, mute: true, root: true, build: func(q *request) (*content, error) {
			if !q.signed() {
				return nil, noPage()
			}
			body, err := sign.Code(q.printedAddress())
			return &content{Path: q.documentPath() + "/qr.svg", Type: "image/svg+xml", Body: body, Caching: registerCaching}, err
		}},
	}
}

// signed reports whether a document has signs: it must be published, the system must not be
// retired, and the public address must be known.
func (q *request) signed() bool {
	return !q.document.Gone() && q.document.Details.Status != documents.Retired && q.explorer.absolute()
}

// printedAddress is the address of the document in codes. Static hosts need the slash.
func (q *request) printedAddress() string { return q.explorer.baseURL() + q.documentPath() + "/" }

// sign makes a sign of a kind. The address can choose its size and its languages.
func (q *request) sign(kind sign.Kind) (*content, error) {
	if !q.signed() {
		return nil, noPage()
	}
	o := &sign.Options{Kind: kind, Size: sign.Size(q.params.Get("size")), Locales: []string{q.locale}, Mono: q.params.Get("mono") != ""}
	if list := q.params.Get("languages"); list != "" {
		o.Locales = strings.Split(list, ",")
	}
	if kind != "" && !slices.Contains(sign.Kinds(), kind) {
		return nil, badSign(fmt.Errorf("the kind of a sign must be one of %v", sign.Kinds()))
	}
	if o.Size != "" && !slices.Contains(sign.Sizes(), o.Size) {
		return nil, badSign(fmt.Errorf("the size of a sign must be one of %v", sign.Sizes()))
	}
	d, settings := q.document, q.state.Settings()
	shown, err := q.explorer.options.Documents.Present(q.ctx, d, d.Current)
	if err != nil {
		return nil, err
	}
	subject := &sign.Subject{Presentation: shown, Summary: d.Summary, Address: q.printedAddress(), Date: d.Changed(), Publisher: settings.Publisher.Name}
	if logo := settings.Publisher.Logo; strings.HasSuffix(settings.Publisher.LogoName, ".svg") {
		if safe, _ := icons.Sanitize(logo); safe != nil {
			subject.Logo = safe.SVG()
		}
	}
	body, err := sign.Append(nil, subject, o)
	if long, ok := errors.AsType[*sign.FitError](err); ok {
		return nil, badSign(long)
	}
	path := q.documentPath() + "/sign.html"
	if kind == sign.Card {
		path = q.documentPath() + "/card"
	}
	return &content{Path: path, Type: typeHTML, Body: body, Policy: sign.ContentSecurityPolicy(kind), Caching: registerCaching}, err
}

func badSign(err error) error {
	return &datachain.Error{Issue: issue.Issue{Code: issue.CodeBadRequest, Message: prose.Sentence(err.Error()), FixHint: "choose another size, kind or language"}}
}
