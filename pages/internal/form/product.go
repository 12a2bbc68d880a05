package form

import (
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/pages/internal/check"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register/product"
)

// composeProduct asks for a product to start from, and says why a text can't be used.
type composeProduct struct {
	Name    string // what was typed before
	Text    string
	Address string // where the supplier publishes the product, or ""
	// NoAddress means that the address can't be used, NoProduct that the text describes no product.
	NoAddress, NoProduct bool
	// Findings are what is wrong with the text besides the gaps of a product.
	Findings []check.FindingView
}

// beginFrom replaces a product in a form by a document that is based on it. If it can't, it returns
// what to ask for.
func (q *request) beginFrom(f *core.Form, state *composeState) (*composeProduct, error) {
	ask := &composeProduct{Name: f.Get("name"), Text: f.Text, Address: strings.TrimSpace(f.Get("from"))}
	if f.Text == "" {
		return ask, nil
	}
	v, err := q.Judge(f.Text)
	if err != nil {
		return nil, err
	}
	doc := v.Document()
	switch is := product.Is(doc); {
	case doc.Strict() && !is:
		ask.NoProduct = true
		return ask, nil
	case is:
		v.Issues = product.Check(doc, v.Issues)
	}
	if v.Issues = v.Errors(); len(v.Issues) > 0 {
		ask.Findings = check.Findings(f.Text, v.Findings())
		return ask, nil
	}
	if ask.Address != "" && (!strings.HasPrefix(ask.Address, "https://") || !ident.IsURL(ask.Address) || len(ask.Address) > maxAddress) {
		ask.NoAddress = true
		return ask, nil
	}
	text, err := product.Start(doc, &product.StartOptions{ID: titleID(doc), URL: ask.Address, Now: time.Now().UTC()})
	if err != nil {
		return nil, err
	}
	schema, err := q.Site.Service.OpenFor(q.Ctx, text)
	if err != nil {
		return nil, err
	}
	*state = composeState{New: true, Open: "name", Lists: state.Lists}
	f.Text, f.File, f.Fields, f.Fix = string(text), false, nil, ""
	if name := i18n.Clean(ask.Name); name != "" {
		f.Fields = []core.Field{{Name: "l:" + phrases.NewChooser(schema.Release().Locales(), q.Locale).Locale + ":title", Value: name}}
	}
	return nil, nil
}

// IsProduct reports whether the document describes a product.
func (c *composeForm) IsProduct() bool { return product.Is(c.doc) }

// BaseFile is where the product that a new document is based on is kept, beside the file of the
// document, or "" if it is based on none.
func (c *composeForm) BaseFile() string {
	base, ok := product.Base(c.doc)
	if !ok || !c.New {
		return ""
	}
	return ".bases/" + base.Edition + ".json"
}
