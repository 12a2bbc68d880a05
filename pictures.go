package datachain

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

const idHint = "use letters, digits, _ and -"

// Shape returns the SVG of a bare shape.
func Shape(name string) ([]byte, error) {
	if !taxonomy.ValidID(name) {
		return nil, malformed("shape", nil, idHint, "The shape %q is malformed.", prose.Clip(name))
	}
	svg, ok := icons.Shape(taxonomy.Shape(name))
	if !ok {
		var known []string
		for _, shape := range taxonomy.Shapes() {
			known = append(known, string(shape))
		}
		return nil, unknown("shape", known, "use "+prose.Or(known), "There is no shape %s.", name)
	}
	return svg, nil
}

// Symbol returns the published SVG of a symbol. It is sanitized again, whatever
// the store holds.
func (s *Schema) Symbol(ctx context.Context, id string) ([]byte, error) {
	if err := CheckSymbolID(id); err != nil {
		return nil, err
	}
	set, err := s.icons(ctx)
	if err != nil {
		return nil, err
	}
	symbol, err := set.Symbol(id)
	switch {
	case err == nil:
		return symbol.SVG(), nil
	case errors.Is(err, taxonomy.ErrNotFound):
		near := prose.AllNearest(id, slices.Values(s.release.SymbolIDs()), 3)
		hint := "use the symbol_id of an element"
		if len(near) > 0 {
			hint = "use " + strings.Join(near, " or ")
		}
		return nil, unknown("symbol_id", near, hint, "There is no symbol %s in %s.", id, s.release.Version())
	default:
		return nil, upstream(err, "The symbol "+id+" can't be shown.")
	}
}

// CheckSymbolID returns an error if a symbol id is malformed. [Schema.Symbol]
// checks it as well; a protocol may want to know before it opens a version.
func CheckSymbolID(id string) error {
	if taxonomy.ValidID(id) {
		return nil
	}
	return malformed("symbol_id", nil, idHint, "The symbol id %q is malformed.", prose.Clip(id))
}

// Icon is the composed icon of an element.
type Icon struct {
	SVG []byte
	// Baked reports whether the store holds the icon. Otherwise it was composed
	// just now; the bytes are the same.
	Baked bool
}

// Icon returns the icon of an element in a variant; "" means
// [taxonomy.VariantDefault].
func (s *Schema) Icon(ctx context.Context, elementID, variant string) (*Icon, error) {
	variant = cmp.Or(variant, taxonomy.VariantDefault)
	if !taxonomy.ValidID(variant) {
		return nil, malformed("variant", nil, idHint, "The variant %q is malformed.", prose.Clip(variant))
	}
	e, err := s.Element(elementID)
	if err != nil {
		return nil, err
	}
	if err := CheckVariant(e, variant); err != nil {
		return nil, err
	}
	set, err := s.icons(ctx)
	if err != nil {
		return nil, err
	}
	svg, err := set.Icon(e.ID, variant)
	if err != nil {
		return nil, upstream(err, "The symbol of "+e.ID+" can't be drawn.")
	}
	return &Icon{svg, s.baked(ctx, e, variant, svg)}, nil
}

// AppendIcon composes the icon of an element in a variant with options and appends it to
// dst, for pages that contain icons. It neither reads nor checks baked icons.
func (s *Schema) AppendIcon(ctx context.Context, dst []byte, elementID, variant string, o *icons.Options) ([]byte, error) {
	set, err := s.icons(ctx)
	if err != nil {
		return dst, err
	}
	dst, err = set.Append(dst, elementID, variant, o)
	if err != nil {
		return dst, upstream(err, "The icon of "+prose.Clip(elementID)+" can't be drawn.")
	}
	return dst, nil
}

// CheckVariant returns an error that lists the variants of an element if it has no
// such variant.
func CheckVariant(e *taxonomy.Element, variant string) error {
	if slices.Contains(e.IconVariants, variant) {
		return nil
	}
	return unknown("variant", e.IconVariants, "use "+prose.Or(e.IconVariants), "The element %s has no icon variant %s.", e.ID, prose.Clip(variant))
}

// baked reports whether the store holds the icon with the bytes that composing it
// gives. A different icon is reported and not served: icons are not part of the
// content hash, so anyone who can write to the store could change them.
func (s *Schema) baked(ctx context.Context, e *taxonomy.Element, variant string, want []byte) bool {
	store, ok := s.service.store.(taxonomy.IconStore)
	if !ok {
		return false
	}
	svg, err := store.Icon(ctx, s.release, e.ID, variant)
	switch {
	case err == nil && bytes.Equal(svg, want):
		return true
	case err == nil:
		err = fmt.Errorf("release %s: the stored icon of %s, variant %s, differs from the composed one: bake the icons again", s.release.Version(), e.ID, variant)
	case errors.Is(err, taxonomy.ErrNotFound) || ctx.Err() != nil:
		return false
	}
	s.service.options.Report(err)
	return false
}

// icons returns the icons of the version.
func (s *Schema) icons(ctx context.Context) (*icons.Set, error) {
	set, err := s.service.icons.Do(ctx, s.release.ContentHash(), func() (*icons.Set, int64, error) {
		return icons.NewSet(s.release, &icons.SetOptions{MaxBytes: maxIconBytes}), 1, nil
	})
	if err != nil {
		return nil, upstream(err, "The icons can't be drawn.")
	}
	return set, nil
}
