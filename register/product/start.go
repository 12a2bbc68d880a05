package product

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
)

// ErrNoProduct is wrapped by the error for a document that does not describe a product.
var ErrNoProduct = errors.New("not a product: it has no object register.product")

// StartOptions say what the new document has of its own. The zero value and nil are the defaults.
type StartOptions struct {
	// ID is the id of the new document; "" means that of the product.
	ID string
	// URL is where the product was read, or "".
	URL string
	// Now becomes created_at; the zero value means that of the product.
	Now time.Time
}

// omittedKeys are the members of a product that are about its own text, and which a document that
// starts from it does not have.
var omittedKeys = []string{
	"updated_at", "instance_version", "authoring_provenance", "linked_instance_ids", "schema_snapshot", "suggested_elements", "symbols",
}

// Start returns the text of a document that is based on a product, to fill in: that of the product
// with another id and time, and with register.based_on as its only entry in register. What is about
// the product's own text is left out: see [LeftOut]. Validating the document reports its gaps.
func Start(product *document.Document, o *StartOptions) ([]byte, error) {
	if !Is(product) {
		return nil, fmt.Errorf("product: %w", ErrNoProduct)
	}
	if o == nil {
		o = new(StartOptions)
	}
	e, root := edit.New(product), product.Root()
	set := func(key, text string) {
		if text == "" {
			return
		}
		if v, ok := root.Get(key); ok {
			e.Replace(v, jcs.AppendQuote(nil, text))
		} else {
			e.Add(root, key, jcs.AppendQuote(nil, text))
		}
	}
	set("id", o.ID)
	if !o.Now.IsZero() {
		set("created_at", o.Now.Format(time.RFC3339))
	}
	for _, key := range omittedKeys {
		e.RemoveMember(root, key)
	}
	base := Describe(product, o.URL)
	text, err := encode(map[string]any{basedOnKey: &base})
	if err != nil {
		return nil, fmt.Errorf("product: %w", err)
	}
	register, _ := root.Get(registerKey)
	e.Rewrite(register, text)
	started, err := document.ApplyEdits(product.Text(), e.Edits())
	if err != nil {
		return nil, fmt.Errorf("product: %w", err)
	}
	return started, nil
}

// LeftOut returns which members of a product [Start] does not take because they say something about
// others than its supplier, so that a person knows.
func LeftOut(product *document.Document) (keys []string) {
	for _, key := range []string{"authoring_provenance", "linked_instance_ids"} {
		if _, ok := product.Root().Get(key); ok {
			keys = append(keys, key)
		}
	}
	return keys
}

// encode returns JSON without escapes for HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
