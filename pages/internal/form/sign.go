package form

import (
	"cmp"
	"errors"
	"net"
	"net/url"
	"time"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/internal/check"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// composeSign returns the sign of a document, or nil if it is invalid. Its code leads to the
// address that the form has.
func (q *request) composeSign(state *composeState, text string) ([]byte, error) {
	_, shown, err := q.Site.Service.Present(q.Ctx, []byte(text))
	if err != nil || shown == nil {
		return nil, check.IgnoreInvalid(err)
	}
	doc, err := q.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	address := cmp.Or(state.Address, q.pageAddress(doc))
	if at, err := url.Parse(address); err != nil || at.Host == "" || at.User != nil || at.Scheme != "https" && at.Scheme != "http" || len(address) > maxAddress {
		state.NoAddress = true
		return nil, nil //nolint:nilerr // the form asks for an address
	}
	details, err := register.DetailsOf(&shown.Datachain.Instance)
	if err != nil {
		details = register.Details{} // the findings say so
	}
	var roles *summary.Roles
	if q.Register != nil {
		roles = q.Register.Settings().Roles[shown.Datachain.SchemaSnapshot.DatachainType.ID]
	}
	subject := &sheet.Subject{
		Presentation: shown, Summary: summary.Of(shown.Datachain, shown.Release, roles), Address: address, Date: time.Now(), Edition: trust.EditionHash(doc),
		Answered: details.Answered, Organisation: phrases.OfLabel(details.Organisation.Name),
	}
	if q.Register != nil {
		subject.Publisher = q.Register.Settings().Publisher.Name
	}
	html, err := sheet.Append(nil, &sheet.Options{Locales: []string{q.Locale}}, subject)
	if long, ok := errors.AsType[*sheet.FitError](err); ok {
		state.Remains = append(state.Remains, long.Error())
		return nil, nil
	}
	if unnamed, ok := errors.AsType[*sheet.UnnamedError](err); ok {
		state.Remains = append(state.Remains, wording.Sentence(unnamed.Error())+".")
		return nil, nil
	}
	return html, err
}

// maxAddress is the maximum length of the address on a sign.
const maxAddress = 300

// pageAddress proposes where the page of a document will be: in the register of this server. If
// its public address is not known, it is the one that the browser uses.
func (q *request) pageAddress(doc *document.Document) string {
	base := q.Site.PublicURL()
	if !q.Site.Absolute() {
		name := (&url.URL{Host: q.Host}).Hostname()
		switch ip := net.ParseIP(name); {
		case name == "":
			return "" // a static site
		case name == "localhost", ip.IsLoopback():
			base = "http://" + q.Host + base
		default:
			base = "https://" + q.Host + base
		}
	}
	return base + core.DocumentPrefix + url.PathEscape(cmp.Or(core.TextAt(doc.Root(), "register", "slug"), idOf(core.TextAt(doc.Root(), "id")))) + "/"
}
