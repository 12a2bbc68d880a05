package catalog

import (
	"fmt"
	"html/template"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// view is the dot of the templates.
type view struct{ *core.Scope }

// Below returns the view of a part of the data.
func (v *view) Below(data any) *view { return &view{v.Scope.Below(data)} }

// TaxonomyTitle returns the title of the taxonomy of the page.
func (v *view) TaxonomyTitle() phrases.Text { return taxonomyTitle(v.Request) }

// Versions returns all versions of the taxonomy, newest first, and Stable the newest stable one,
// or nil. Latest reports whether a version is the latest one.
func (v *view) Versions() []taxonomy.Entry { return v.Siblings() }

func (v *view) Stable() *taxonomy.Entry {
	for _, e := range v.Siblings() {
		if e.ID.Status() == taxonomy.Stable {
			return &e
		}
	}
	return nil
}

func (v *view) Latest(e taxonomy.Entry) bool { return core.IsLatest(e) }

// StatusName names the status of a version,
// ReleaseNote says its date, and Ending explains a deprecation.
func (v *view) StatusName(of taxonomy.Version) string { return v.Request.StatusName(of.Status()) }

func (v *view) ReleaseNote(of taxonomy.Version) string { return releaseNote(v.Request, of) }

func (v *view) Ending() *core.Ending { return v.Request.Ending(v.Release().Version()) }

// Category and Element return a part of the version, or nil, Elements the number of elements of
// a category, and Scheme a scheme, which has only an id if the version does not describe it.
func (v *view) Category(id string) *taxonomy.Category {
	c, _ := v.Release().Category(id)
	return c
}

func (v *view) Element(id string) *taxonomy.Element {
	e, _ := v.Release().Element(id)
	return e
}

func (v *view) Elements(categoryID string) int {
	begin, end := v.Release().CategoryRange(categoryID)
	return end - begin
}

func (v *view) Scheme(id string) *taxonomy.Scheme {
	if scheme, ok := v.Release().Manifest().Scheme(id); ok {
		return scheme
	}
	return &taxonomy.Scheme{ID: id}
}

func (v *view) CategoryURL(id string) string {
	return v.To(core.CategoryPath(v.Release().Version(), id))
}

func (v *view) ElementURL(id string) string {
	return v.To(core.ElementPath(v.Release().Version(), id))
}

func (v *view) SchemeURL(id string) string {
	return v.To(core.SchemePath(v.Release().Version(), id))
}

// Titled returns the title of an element, with its variables as blanks.
func (v *view) Titled(e *taxonomy.Element) phrases.Text { return v.Request.Titled(e, nil) }

// Icon draws an element, for light and for dark pages. Shape and Swatch draw a category, also in
// the colours of a context value; Contrast is that of its symbol.
func (v *view) Icon(e *taxonomy.Element) template.HTML { return v.Request.Icon(v.Schema, e) }

func (v *view) Shape(of taxonomy.Shape) template.HTML { return core.Shape(of) }

func (v *view) Swatch(c *taxonomy.Category, id string) template.HTML { return core.Swatch(c, id) }

func (v *view) Contrast(color string) string {
	fill, _ := icons.ParseColor(color)
	colors := icons.FilledColors(fill)
	return fmt.Sprintf("%.1f", colors.Ink.Contrast(colors.Fill))
}
