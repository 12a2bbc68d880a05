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
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Schema is one opened schema version: all of its operations, on one release. A
// beta that changes meanwhile does not affect it. It is safe for concurrent use.
// Get one from [Service.Open].
//
// What its methods return belongs to the release and must not be changed.
type Schema struct {
	service *Service
	release *taxonomy.Release
	state   taxonomy.State
}

// Service returns the service that opened the version.
func (s *Schema) Service() *Service { return s.service }

// Release returns the release: manifest, datachain type, categories, elements and
// symbols.
func (s *Schema) Release() *taxonomy.Release { return s.release }

// State returns whether the version was deprecated when it was opened. Its successor is a
// version that is published.
func (s *Schema) State() taxonomy.State { return s.state }

// MatchLocale returns the language of the version in which to show texts to someone who
// wants a locale: the one that matches best, or the first one if none does or none is
// wanted.
func (s *Schema) MatchLocale(want string) (string, error) {
	if err := Check("locale", want); err != nil {
		return "", err
	}
	locales := s.release.Locales()
	if want == "" {
		return locales[0], nil
	}
	match, err := taxonomy.MatchLocale(locales, want)
	return cmp.Or(match, locales[0]), err
}

// Symbol returns the published SVG of a symbol. It is sanitized again, so that the store need
// not be trusted.
func (s *Schema) Symbol(ctx context.Context, id string) ([]byte, error) {
	if err := Check("symbol_id", id); err != nil {
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
		near := similar.AllNearest(id, slices.Values(s.release.SymbolIDs()), 3)
		hint := "use the symbol_id of an element"
		if len(near) > 0 {
			hint = "use " + strings.Join(near, " or ")
		}
		return nil, unknown("symbol_id", near, hint, "There is no symbol %s in %s.", id, s.release.Version())
	default:
		return nil, upstream(err, "The symbol "+id+" can't be shown.")
	}
}

// Icon is the composed icon of an element.
type Icon struct {
	SVG []byte
	// Baked reports whether the store has the icon, with the same bytes. Otherwise it
	// was only composed now.
	Baked bool
}

// Icon returns the icon of an element in a variant; "" means
// [taxonomy.VariantDefault].
func (s *Schema) Icon(ctx context.Context, elementID, variant string) (*Icon, error) {
	variant = cmp.Or(variant, taxonomy.VariantDefault)
	if err := Check("variant", variant); err != nil {
		return nil, err
	}
	e, err := s.Element(elementID)
	if err != nil {
		return nil, err
	}
	if err := checkVariant(e, variant); err != nil {
		return nil, err
	}
	set, err := s.icons(ctx)
	if err != nil {
		return nil, err
	}
	svg, err := set.Icon(e.ID, variant)
	switch {
	case errors.Is(err, taxonomy.ErrNotFound):
		return nil, failure(issue.CodeNotFound, err, "publish the version with its symbols", "The version %s has no symbols, so it has no icons.", s.release.Version())
	case err != nil:
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
		return dst, upstream(err, "The icon of "+wording.Clip(elementID)+" can't be drawn.")
	}
	return dst, nil
}

// checkVariant returns an error that lists the variants of an element if it has no
// such variant.
func checkVariant(e *taxonomy.Element, variant string) error {
	if slices.Contains(e.IconVariants, variant) {
		return nil
	}
	return unknown("variant", e.IconVariants, "use "+wording.Or(e.IconVariants), "The element %s has no icon variant %s.", e.ID, wording.Clip(variant))
}

// baked reports whether the store has the icon with the bytes of the composed one. A
// different icon is reported and not served: icons are not part of the content hash, so
// anyone who can write to the store could change them.
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
		err = fmt.Errorf("datachain: release %s: the stored icon of %s, variant %s, differs from the composed one: bake the icons again", s.release.Version(), e.ID, variant)
	case errors.Is(err, taxonomy.ErrNotFound) || ctx.Err() != nil:
		return false
	}
	s.service.options.Report(err)
	return false
}

// icons returns the icons of the version.
func (s *Schema) icons(ctx context.Context) (*icons.Set, error) {
	set, err := s.service.icons.Do(ctx, s.release.ContentHash(), func() (*icons.Set, int64, error) {
		set, err := icons.NewSet(s.release, &icons.SetOptions{CacheBytes: maxIconBytes})
		return set, 1, err
	})
	if err != nil {
		return nil, upstream(err, "The icons can't be drawn.")
	}
	return set, nil
}
