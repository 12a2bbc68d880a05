package httpapi

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/view"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// typeHTML is that of pages.
const typeHTML = "text/html; charset=utf-8"

// render answers with the page of a document, thin or resolved.
func (a *api) render(ctx context.Context, res *response, r *http.Request) error {
	p, err := parameters(r, "locale")
	if err != nil {
		return err
	}
	locale := strings.ReplaceAll(p.get("locale"), "_", "-") // as a page writes it
	return a.judge(ctx, res, r, typeHTML, func(schema *datachain.Schema, text []byte) (*datachain.Verdict, []byte, error) {
		if err := datachain.CheckLocale(locale); err != nil {
			return nil, nil, err
		}
		v, shown, err := schema.Present(ctx, text)
		if err != nil || shown == nil {
			return v, nil, err
		}
		var page bytes.Buffer
		_, err = view.Write(&page, shown, &view.Options{Locale: locale})
		if errors.Is(err, view.ErrTooLarge) {
			return nil, nil, problem(issue.CodePayloadTooLarge, "place fewer elements, or shorten their texts",
				"The page would have more than %d bytes.", view.DefaultMaxBytes)
		}
		if err == nil {
			res.Header().Set("Content-Security-Policy", view.ContentSecurityPolicy())
		}
		return v, page.Bytes(), err
	})
}
