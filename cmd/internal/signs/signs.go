// Package signs makes the signs of documents in a register or in files.
package signs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Sign is what the sign of a document shows.
type Sign struct {
	Slug string
	*sheet.Subject
}

// Selected returns the signs of the documents that the list of a register shows for a query.
func Selected(ctx context.Context, reg *register.Register, typed string) (list []Sign, err error) {
	var query register.Query
	var found *register.Result
	values, err := url.ParseQuery(strings.TrimPrefix(typed, "?"))
	if err == nil {
		query, err = register.ParseQuery(values)
	}
	if err == nil {
		found, err = reg.State().Find(query)
	}
	if err != nil {
		return nil, fmt.Errorf("--select %s: %w", typed, err)
	}
	for _, d := range found.All() {
		if d.Removed() || d.Details.Status == register.Retired {
			continue
		}
		s, err := Registered(ctx, reg, d)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Slug, err)
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, errors.New("no document is selected")
	}
	return list, nil
}

// errRetired means that a document has no sign.
var errRetired = errors.New("the system is retired, so it gets no sign")

// Registered returns the sign of a document of a register.
func Registered(ctx context.Context, reg *register.Register, d *register.Document) (s Sign, err error) {
	switch {
	case d.Removed():
		return s, errors.New("the document is not published any more")
	case d.Details.Status == register.Retired:
		return s, errRetired
	}
	shown, err := reg.Present(ctx, d, d.Current)
	if err != nil {
		return s, err
	}
	publisher := &reg.State().Settings().Publisher
	return Sign{d.Slug, &sheet.Subject{
		Presentation: shown, Summary: &d.Summary, Date: d.Changed(), Edition: d.Current, Answered: d.Details.Answered, Organisation: phrases.OfLabel(d.Details.Organisation.Name), Publisher: publisher.Name, Logo: publisher.Logo,
	}}, nil
}

// Of returns the sign of a document, as it is presented. Roles are for schema versions without any, by
// datachain type, and can be nil.
func Of(text []byte, shown *datachain.Presentation, roles map[string]*summary.Roles) (s Sign, err error) {
	parsed, err := document.Parse(text)
	if err != nil {
		return s, err
	}
	doc := &shown.Datachain.Instance
	details, err := register.DetailsOf(doc)
	if err != nil {
		return s, err
	}
	if details.Status == register.Retired {
		return s, errRetired
	}
	slug, err := register.SlugOf(doc.ID, details.Slug)
	if err != nil {
		return s, err
	}
	stamp := cmp.Or(doc.UpdatedAt, doc.CreatedAt)
	date, err := time.Parse(time.DateOnly, stamp[:min(len(stamp), len(time.DateOnly))])
	return Sign{slug, &sheet.Subject{
		Presentation: shown, Summary: summary.Of(shown.Datachain, shown.Release, roles[shown.Datachain.SchemaSnapshot.DatachainType.ID]),
		Date: date, Edition: trust.EditionHash(parsed), Answered: details.Answered, Organisation: phrases.OfLabel(details.Organisation.Name),
	}}, err
}

// Draw returns a file with signs in a format. The drawer can be nil for html.
func Draw(ctx context.Context, drawer sheet.Drawer, format string, o *sheet.Options, signs ...Sign) ([]byte, error) {
	var subjects []*sheet.Subject
	for _, s := range signs {
		subjects = append(subjects, s.Subject)
	}
	switch {
	case format == "html":
		return sheet.Append(nil, o, subjects...)
	case format == "pdf":
		return drawer.PDF(ctx, o, subjects...)
	case len(subjects) > 1:
		return nil, fmt.Errorf("a file .%s has one sign: end --out with a slash to get a file for each, or use .pdf or .html", format)
	}
	return drawer.SVG(ctx, subjects[0], o)
}

// Pages draws signs: each on a page of its own, or all in one file. Every text that does not fit is
// reported.
func Pages(ctx context.Context, drawer sheet.Drawer, format string, o *sheet.Options, list []Sign, each bool) (pages [][]byte, err error) {
	var problems []error
	for _, s := range list {
		page, err := Draw(ctx, drawer, format, o, s)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", s.Slug, err))
		}
		pages = append(pages, page)
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	if len(list) == 1 || each {
		return pages, nil
	}
	page, err := Draw(ctx, drawer, format, o, list...)
	return [][]byte{page}, err
}

// Write writes the page of each sign into a directory, which must be empty or not exist.
func Write(dir, format string, list []Sign, pages [][]byte) error {
	if err := files.Vacant(dir, ""); err != nil {
		return err
	}
	return files.Fill(dir, func(dir string) error {
		for i, s := range list {
			if err := os.WriteFile(filepath.Join(dir, s.Slug+"."+format), pages[i], 0o666); err != nil {
				return err
			}
		}
		return nil
	})
}

// Named returns the sign of a document of a register that is named by its slug.
func Named(ctx context.Context, reg *register.Register, slug string) (Sign, error) {
	d, ok := reg.State().Document(slug)
	if !ok {
		return Sign{}, errors.New("the register has no such document: name a file, or a slug that 'datachain documents check' prints")
	}
	return Registered(ctx, reg, d)
}
