package taxonomy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Release is a published schema version: complete, consistent, and identified by a
// content hash. Lookups take constant time. A release is immutable and safe for
// concurrent use; what its methods return must not be changed.
type Release struct {
	version  Version
	manifest Manifest
	typ      Type

	categories []*Category
	byCategory map[string]int
	elements   []*Element
	elementIDs []string
	byElement  map[string]int
	// The elements of category i are those from first[i] up to first[i+1].
	first []int

	symbols   map[string]string
	symbolIDs []string
	removed   map[string]*Removal // of the manifest, by id
	lineage   Lineage             // or nil

	// The canonical JSON of the parts, in the same order.
	manifestJSON  string
	typeJSON      string
	categoryJSON  []string
	elementJSON   []string
	releaseLength int
}

// Content is the content of a release, without its version.
type Content struct {
	Title       Localized
	Description Localized
	Locales     []string
	// Notes, Licence, Attribution, Removed, Synonyms and Schemes are those of a
	// [Manifest].
	Notes       Localized
	Licence     string
	Attribution string
	Removed     []Removal
	Synonyms    []Synonyms
	Schemes     []Scheme
	Type        Type
	// Categories are in the order of Type.Categories.
	Categories []Category
	// Elements are sorted by category, then Order, then id. Their Variables include those of
	// the category. If IconVariants are nil, they are those of the category.
	Elements []Element
	// Symbols are SVG texts by symbol id. If it is nil, the release has no symbols, and so
	// another content hash than with them: documents can be validated and resolved with it,
	// but it has no icons and can't be published.
	Symbols map[string]string
}

// NewRelease returns a release with its content hash. It fails if the content is not
// consistent, and the error says where; package source also lints it.
func NewRelease(v Version, c Content) (*Release, error) {
	p := parts{symbols: c.Symbols, categories: make([]string, len(c.Categories)), elements: make([]string, len(c.Elements))}
	var failed *releaseError
	marshal := func(at issue.Path, part any) string {
		text, err := json.Marshal(part)
		if err != nil && failed == nil {
			failed = &releaseError{Version: v.String(), Path: at, Reason: err.Error(), Err: err}
		}
		return string(text)
	}
	p.manifest = marshal(manifestPath, Manifest{
		ID: v, Status: v.Status(), Title: c.Title, Description: c.Description, Locales: c.Locales,
		Notes: c.Notes, Licence: c.Licence, Attribution: c.Attribution, Removed: c.Removed, Synonyms: c.Synonyms, Schemes: c.Schemes,
	})
	p.typ = marshal(typePath, c.Type)
	for i := range c.Categories {
		p.categories[i] = marshal(categoriesPath.Index(i), &c.Categories[i])
	}
	for i, e := range c.Elements {
		hasElement := func(category Category) bool { return category.ID == e.CategoryID }
		if at := slices.IndexFunc(c.Categories, hasElement); at >= 0 && e.IconVariants == nil {
			e.IconVariants = c.Categories[at].IconVariants()
		}
		p.elements[i] = marshal(elementsPath.Index(i), &e)
	}
	if failed != nil {
		return nil, errname.Add("taxonomy", failed)
	}
	r, err := build(p, true)
	return r, errname.Add("taxonomy", err)
}

// DecodeRelease decodes the JSON of a release and checks it against the content hash in
// its manifest. If the text has symbols, as that of [Release.WriteTo], the second argument is
// ignored; a release.json has none, and its symbols are passed as SVG texts by id, nil for a
// release without symbols, see [Content]. The error wraps [ErrHashMismatch] if the release is
// consistent but the hash does not match, as without its symbols.
func DecodeRelease(text []byte, symbols map[string]string) (*Release, error) {
	p, err := split(text)
	if err != nil {
		return nil, errname.Add("taxonomy", err)
	}
	if p.symbols == nil || len(p.symbols) == 0 && symbols == nil { // an empty object is what is written for none
		p.symbols = symbols
	}
	r, err := build(p, false)
	return r, errname.Add("taxonomy", err)
}

// Version returns the canonical version id.
func (r *Release) Version() Version { return r.version }

// ContentHash returns the content hash.
func (r *Release) ContentHash() Hash { return r.manifest.ContentHash }

// Manifest returns the manifest.
func (r *Release) Manifest() *Manifest { return &r.manifest }

// Locales returns the languages of the release, the fallback first.
func (r *Release) Locales() []string { return r.manifest.Locales }

// Type returns the datachain type.
func (r *Release) Type() *Type { return &r.typ }

// Categories returns the categories in order.
func (r *Release) Categories() []*Category { return r.categories }

// Category returns the category with the id.
func (r *Release) Category(id string) (*Category, bool) {
	i, ok := r.byCategory[id]
	if !ok {
		return nil, false
	}
	return r.categories[i], true
}

// Elements returns the elements in order.
func (r *Release) Elements() []*Element { return r.elements }

// ElementIDs returns the ids of the elements in order.
func (r *Release) ElementIDs() []string { return r.elementIDs }

// Element returns the element with the id.
func (r *Release) Element(id string) (*Element, bool) {
	i, ok := r.byElement[id]
	if !ok {
		return nil, false
	}
	return r.elements[i], true
}

// ElementsOf returns the elements of a category in order.
func (r *Release) ElementsOf(categoryID string) []*Element {
	begin, end := r.CategoryRange(categoryID)
	if begin == end {
		return nil
	}
	return r.elements[begin:end:end]
}

// CategoryRange returns the positions of the elements of a category, from begin up to
// end. They are equal if there are none.
func (r *Release) CategoryRange(categoryID string) (begin, end int) {
	i, ok := r.byCategory[categoryID]
	if !ok {
		return 0, 0
	}
	return r.first[i], r.first[i+1]
}

// Symbol returns the SVG text of a symbol.
func (r *Release) Symbol(id string) (string, bool) {
	svg, ok := r.symbols[id]
	return svg, ok
}

// SymbolIDs returns the ids of the symbols in alphabetical order.
func (r *Release) SymbolIDs() []string { return r.symbolIDs }

// ManifestJSON returns the canonical JSON of the manifest.
func (r *Release) ManifestJSON() string { return r.manifestJSON }

// TypeJSON returns the canonical JSON of the datachain type.
func (r *Release) TypeJSON() string { return r.typeJSON }

// CategoryJSON returns the canonical JSON of a category, or "".
func (r *Release) CategoryJSON(id string) string {
	if i, ok := r.byCategory[id]; ok {
		return r.categoryJSON[i]
	}
	return ""
}

// ElementJSON returns the canonical JSON of an element, or "".
func (r *Release) ElementJSON(id string) string {
	if i, ok := r.byElement[id]; ok {
		return r.elementJSON[i]
	}
	return ""
}

// SymbolsJSON returns the symbols as a canonical JSON object of SVG texts by id.
func (r *Release) SymbolsJSON() string {
	members := make(map[string][]byte, len(r.symbols))
	for id, text := range r.symbols {
		members[id] = jcs.AppendQuote(nil, text)
	}
	return string(jcs.AppendObject(nil, members))
}

// MarshalJSON returns what [Release.WriteTo] writes. [DecodeRelease] reads it.
func (r *Release) MarshalJSON() ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, 0, 2*r.Len()))
	_, err := r.WriteTo(b)
	return b.Bytes(), err
}

// WriteTo writes the whole release: the canonical JSON of {manifest, datachain_type, categories,
// elements, symbols}. [DecodeRelease] reads it.
func (r *Release) WriteTo(w io.Writer) (int64, error) { return write(w, r.segments(true)) }

// WriteWithoutSymbols writes the release.json of an archive, in which symbols are files: the
// canonical JSON of {manifest, datachain_type, categories, elements}.
func (r *Release) WriteWithoutSymbols(w io.Writer) (int64, error) { return write(w, r.segments(false)) }

// Len returns the size in bytes of what [Release.WriteWithoutSymbols] writes.
func (r *Release) Len() int { return r.releaseLength }

// write writes texts.
func write(w io.Writer, segments iter.Seq[string]) (int64, error) {
	var written int64
	for s := range segments {
		n, err := io.WriteString(w, s)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// The text between the parts of a release.json.
const (
	openCategories = `{"categories":[`
	openType       = `],"datachain_type":`
	openElements   = `,"elements":[`
	openManifest   = `],"manifest":`
	openSymbols    = `,"symbols":`
	closeRelease   = `}`
)

// segments yields the pieces of the JSON.
func (r *Release) segments(withSymbols bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		list := func(texts []string) bool {
			for i, text := range texts {
				if i > 0 && !yield(",") || !yield(text) {
					return false
				}
			}
			return true
		}
		_ = yield(openCategories) && list(r.categoryJSON) &&
			yield(openType) && yield(r.typeJSON) &&
			yield(openElements) && list(r.elementJSON) &&
			yield(openManifest) && yield(r.manifestJSON) && (!withSymbols || yield(openSymbols) && yield(r.SymbolsJSON())) && yield(closeRelease)
	}
}

// WithVersion returns the content under another version of the same datachain type,
// such as a beta that becomes stable. The content hash stays the same.
func (r *Release) WithVersion(v Version) (*Release, error) {
	if v.Type() != r.version.Type() {
		return nil, errname.Add("taxonomy", &releaseError{Version: r.version.String(), Path: issue.Root, Reason: fmt.Sprintf("can't become %s, which is of another datachain type", v)})
	}
	renamed := *r
	renamed.version, renamed.lineage = v, nil
	renamed.manifest.ID, renamed.manifest.Status = v, v.Status()
	var err error
	if renamed.manifestJSON, err = editManifest(r.manifestJSON, map[string]any{"id": v, "status": v.Status()}); err != nil {
		return nil, errname.Add("taxonomy", err)
	}
	renamed.releaseLength += len(renamed.manifestJSON) - len(r.manifestJSON)
	return &renamed, nil
}

// releaseError is the error for an invalid release.
type releaseError struct {
	// Version is the version id, if it is known.
	Version string
	// Path is the place in the release.json.
	Path   issue.Path
	Reason string
	// Err is the cause, or nil.
	Err error
}

// Error returns the version, the path and the reason.
func (e *releaseError) Error() string {
	s := "release"
	if e.Version != "" {
		s += " " + e.Version
	}
	if len(e.Path) > 0 {
		s += ": " + e.Path.String()
	}
	return s + ": " + e.Reason
}

// Unwrap returns the cause.
func (e *releaseError) Unwrap() error { return e.Err }

// partError returns the error for the part of the release at a path. The cause is an error of
// the strict parser or of the decoder, which has a place in the text.
func (r *Release) partError(path issue.Path, err error) *releaseError {
	e := &releaseError{Version: r.version.String(), Path: path, Reason: err.Error(), Err: err}
	if syntax, ok := errors.AsType[*document.SyntaxError](err); ok {
		e.Path, e.Reason = slices.Concat(path, syntax.Path), syntax.Reason
	} else if value, ok := errors.AsType[*valueError](err); ok {
		e.Path, e.Reason = slices.Concat(path, value.path), value.err.Error()
	}
	return e
}

// SortIDs returns the ids of elements, which can be named more than once, each once and in
// the order of the release. The error wraps [ErrNotFound] if the release does not have one
// of them.
func (r *Release) SortIDs(elementIDs []string) ([]string, error) {
	positions := make([]int, 0, len(elementIDs))
	for _, id := range elementIDs {
		i, ok := r.byElement[id]
		if !ok {
			return nil, errname.Add("taxonomy", fmt.Errorf("release %s: element %q: %w", r.version, wording.Clip(id), ErrNotFound))
		}
		positions = append(positions, i)
	}
	slices.Sort(positions)
	positions = slices.Compact(positions)
	sorted := make([]string, len(positions))
	for n, i := range positions {
		sorted[n] = r.elementIDs[i]
	}
	return sorted, nil
}

// editManifest sets fields of a canonical manifest, or removes them if the value is
// nil. It keeps the other fields, known or not, since the content hash covers them.
func editManifest(manifest string, set map[string]any) (string, error) {
	var fields map[string]jsontext.Value
	if err := json.Unmarshal([]byte(manifest), &fields); err != nil {
		return "", err
	}
	for key, value := range set {
		if value == nil {
			delete(fields, key)
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			return "", err
		}
		fields[key] = text
	}
	text, err := document.MarshalCanonical(fields)
	return string(text), err
}

// HasElement reports whether the release has an element with the id.
func (r *Release) HasElement(id string) bool {
	_, ok := r.byElement[id]
	return ok
}
