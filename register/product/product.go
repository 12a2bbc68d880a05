// Package product describes products: systems that a supplier describes once, and that many bodies
// use.
//
// A product is an ordinary document with an object register.product. What only the body that uses
// it knows is a gap: a variable with an empty value, or a whole category that register.product
// lists as open. [Check] tells gaps from mistakes. [Start] makes the document of a body, which says
// in register.based_on what it is based on, and [Merge] carries over what the supplier changed
// since then: what nobody else touched, but never something that was removed, a context, an action
// or a contact without a decision.
//
// The package does no I/O. A program keeps the text of the product that a document is based on,
// and reads that of the newest edition. The command datachain does both.
//
// # Experimental
//
// This package may change in a minor version.
package product

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Product is the object register.product of a document: the document describes a product, and not
// a system in use.
type Product struct {
	Supplier Supplier `json:"supplier"`
	// Open are the ids of categories that the body that uses the product fills in alone.
	Open []string `json:"open,omitempty"`
}

// Supplier is the organisation that describes a product.
type Supplier struct {
	Name taxonomy.Label `json:"name"`
	// ID identifies it, such as by the URL of its website, or is "".
	ID string `json:"id,omitempty"`
}

// BasedOn is the object register.based_on of a document: the edition of a product that its author
// started from or merged last. It is a claim of the author.
type BasedOn struct {
	// URL is where the supplier publishes the product, or "" if it came as a file.
	URL string `json:"url,omitempty"`
	// Edition is the hash of the product's text, as 64 hexadecimal digits: see
	// [trust.EditionHash].
	Edition  string         `json:"edition"`
	Title    taxonomy.Label `json:"title"`
	Supplier Supplier       `json:"supplier"`
	// Version is what the supplier calls the edition, such as 4.2, or "".
	Version string `json:"version,omitempty"`
	// Date is the day on which the supplier changed the product last, such as 2026-11-15, or "".
	Date string `json:"date,omitempty"`
}

// The keys in the object register.
const (
	registerKey = "register"
	productKey  = "product"
	basedOnKey  = "based_on"
)

// Is reports whether a document describes a product. Such a document is never shown as a system in
// use, whatever its object register.product has.
func Is(doc *document.Document) bool {
	_, ok := inRegister(doc, productKey)
	return ok
}

// Of returns what a document says about itself as a product. Values of the wrong type are left out,
// and ok is false without an object register.product.
func Of(doc *document.Document) (p Product, ok bool) {
	v, _ := inRegister(doc, productKey)
	if v.Kind() != '{' {
		return p, false
	}
	supplier, _ := v.Get("supplier")
	p.Supplier = supplierOf(supplier)
	open, _ := v.Get("open")
	if open.Kind() == '[' {
		for c := range open.All() {
			if id := c.Text(); id != "" {
				p.Open = append(p.Open, strings.Clone(id))
			}
		}
	}
	return p, true
}

// Base returns what a document is based on. Values of the wrong type are left out, and ok is false
// if it names no edition.
func Base(doc *document.Document) (b BasedOn, ok bool) {
	v, _ := inRegister(doc, basedOnKey)
	if v.Kind() != '{' {
		return b, false
	}
	text := func(key string) string {
		m, _ := v.Get(key)
		return strings.Clone(m.Text())
	}
	title, _ := v.Get("title")
	supplier, _ := v.Get("supplier")
	b = BasedOn{
		URL: text("url"), Edition: text("edition"), Title: labelOf(title), Supplier: supplierOf(supplier),
		Version: text("version"), Date: text("date"),
	}
	return b, IsEdition(b.Edition)
}

// Describe returns the object register.based_on of documents that are based on a product as it is.
// The URL is where it was read, or "".
func Describe(product *document.Document, url string) BasedOn {
	p, _ := Of(product)
	root := product.Root()
	text := func(key string) string {
		m, _ := root.Get(key)
		return strings.Clone(m.Text())
	}
	title, _ := root.Get("title")
	b := BasedOn{
		URL: url, Edition: Edition(product), Title: labelOf(title), Supplier: p.Supplier, Version: text("instance_version"),
	}
	if b.Title.Plain == "" && len(b.Title.Text) == 0 {
		b.Title = taxonomy.Label{Plain: text("id")}
	}
	for _, key := range []string{"updated_at", "created_at"} {
		if at := text(key); b.Date == "" && len(at) >= len("2026-11-15") && ident.IsDate(at[:len("2026-11-15")]) {
			b.Date = at[:len("2026-11-15")]
		}
	}
	return b
}

// Edition returns the hash of a document's text as 64 hexadecimal digits; see [trust.EditionHash].
func Edition(doc *document.Document) string {
	h := trust.EditionHash(doc)
	return hex.EncodeToString(h[:])
}

// IsEdition reports whether a text is 64 lower-case hexadecimal digits.
func IsEdition(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == len(taxonomy.Hash{}) && strings.ToLower(text) == text
}

// Short returns the first 12 digits of an edition, as people read it.
func Short(edition string) string { return edition[:min(len(edition), 12)] }

// Name returns what a product is called in one of some languages, with its version.
func (b *BasedOn) Name(locales ...string) string {
	return strings.TrimSpace(cmp.Or(b.Title.Pick(locales...), "a product") + " " + b.Version)
}

// inRegister returns a member of the object register.
func inRegister(doc *document.Document, key string) (document.Value, bool) {
	if doc == nil {
		return document.Value{}, false
	}
	r, _ := doc.Root().Get(registerKey)
	return r.Get(key)
}

func supplierOf(v document.Value) (s Supplier) {
	name, _ := v.Get("name")
	id, _ := v.Get("id")
	return Supplier{Name: labelOf(name), ID: strings.Clone(id.Text())}
}

// labelOf returns a text or a localized text, empty if the value is neither.
func labelOf(v document.Value) (l taxonomy.Label) {
	if !v.Exists() || json.Unmarshal(v.Raw(), &l) != nil {
		return taxonomy.Label{}
	}
	return l
}
