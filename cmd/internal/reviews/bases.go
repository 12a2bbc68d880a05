package reviews

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/fetch"
	"github.com/datachain-go/datachain/cmd/internal/products"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/register/review"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// basedOn is the place of what a document says about the product that it is based on.
var basedOn = issue.Root.Key("register").Key("based_on")

// Bases returns a check of what the documents of a register in a directory are based on. Without a
// source, products are not read: then a document is only compared with the copy beside it.
func Bases(r *register.Register, dir string, source *products.Source) review.Check {
	return func(ctx context.Context, d *register.Document, _ *datachain.Presentation) (found []review.Finding, _ error) {
		based := d.Details.BasedOn
		if based == nil || d.Details.Status == register.Retired {
			return nil, nil
		}
		var now *products.Product
		if source != nil && products.IsURL(based.URL) {
			var err error
			now, err = source.Read(ctx, based.URL)
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil:
				found = append(found, unread(based.URL, err))
			case now.Edition != based.Edition:
				found = append(found, review.Finding{
					Kind: review.BaseNewer, Path: basedOn.Key("edition"),
					Message: fmt.Sprintf("The product has changed: its edition is %s, and the document is based on %s.", product.Short(now.Edition), product.Short(based.Edition)),
					Hint:    "run 'datachain merge' on it",
				})
			}
		}
		base, err := products.ReadBase(products.BaseFile(filepath.Join(dir, filepath.FromSlash(d.File())), based.Edition), based.Edition)
		if (err != nil || base == nil) && now != nil && now.Edition == based.Edition {
			base = now.Document
		}
		if base == nil {
			return found, nil // 'datachain merge' says what is wrong with a copy
		}
		text, err := r.Text(ctx, d, d.Current, register.Thin)
		if err != nil {
			return nil, err
		}
		ours, err := document.Parse(text)
		if err != nil {
			return nil, err
		}
		if kept, all := product.CountKept(base, ours); 2*kept < all {
			found = append(found, review.Finding{
				Kind: review.BaseFar, Path: basedOn,
				Message: fmt.Sprintf("Of %d things that the product says, the document says only %d in the same way.", all, kept),
				Hint:    "check whether the document is about the product; if it is not, remove register.based_on",
			})
		}
		return found, nil
	}
}

// unread reports a product that could not be read. What a host sent is not repeated.
func unread(address string, err error) review.Finding {
	f := review.Finding{Kind: review.LinkUnreachable, Path: basedOn.Key("url"), Hint: "try again another day"}
	shown := wording.Clip(address)
	_, noJSON := errors.AsType[*document.SyntaxError](err) // such as a page that says that it is gone
	status, answered := errors.AsType[*fetch.StatusError](err)
	switch {
	case answered && status.Gone():
		f.Kind, f.Hint = review.BaseGone, "ask the supplier for its address; 'datachain merge --from FILE' takes a copy"
		f.Message = fmt.Sprintf("The product %s does not exist any more: %s.", shown, status)
	case noJSON, errors.Is(err, product.ErrNoProduct):
		f.Kind, f.Hint = review.BaseGone, "ask the supplier for its address; 'datachain merge --from FILE' takes a copy"
		f.Message = fmt.Sprintf("There is something else than a product at %s.", shown)
	case answered:
		f.Message = fmt.Sprintf("The product %s could not be read: %s.", shown, status)
	case errors.Is(err, products.ErrUnusable):
		f.Hint = "run 'datachain merge' on the document, which says why"
		f.Message = fmt.Sprintf("What is at %s can't be used as a product.", shown)
	case errors.Is(err, fetch.ErrInsecure):
		f.Message, f.Hint = fmt.Sprintf("The product %s is not sent over https.", shown), "use its address with https"
	case errors.Is(err, fetch.ErrRedirect):
		f.Message, f.Hint = fmt.Sprintf("The product %s redirects to another host.", shown), "if it is the same product, use its new address"
	case errors.Is(err, fetch.ErrTooLarge):
		f.Message, f.Hint = fmt.Sprintf("What is at %s is larger than 1 MiB.", shown), "ask the supplier"
	default:
		f.Message = fmt.Sprintf("The product %s could not be read: %s.", shown, reason(failed(err)))
	}
	return f
}

// reason says in words why a page was not reached.
func reason(s review.Status) string {
	switch s.Result {
	case review.NoHost:
		return "its host could not be looked up"
	case review.Timeout:
		return "its host did not answer in time"
	}
	return s.Reason
}
