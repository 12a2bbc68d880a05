package datachain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/taxonomy"
)

// Shape returns the SVG of a bare shape.
func (s *Service) Shape(name string) (string, error) {
	if !taxonomy.ValidID(name) {
		return "", badRequest(nil, "use letters, digits, _ and -", "The shape %q is malformed.", prose.Clip(name))
	}
	svg, ok := icons.Shape(taxonomy.Shape(name))
	if !ok {
		var known []string
		for _, shape := range taxonomy.Shapes() {
			known = append(known, string(shape))
		}
		return "", notFound("use "+prose.Or(known), "There is no shape %s.", name)
	}
	return svg, nil
}

// Symbol returns the published SVG of a symbol and the release it is of. It is
// checked again here, whatever the store holds.
func (s *Service) Symbol(ctx context.Context, version, id string) (*taxonomy.Release, string, error) {
	if !taxonomy.ValidID(id) {
		return nil, "", badRequest(nil, "use letters, digits, _ and -", "The symbol id %q is malformed.", prose.Clip(id))
	}
	r, err := s.Release(ctx, version)
	if err != nil {
		return nil, "", err
	}
	set, err := s.iconSet(ctx, r)
	if err != nil {
		return nil, "", err
	}
	symbol, err := set.Symbol(id)
	switch {
	case err == nil:
		return r, symbol.String(), nil
	case errors.Is(err, taxonomy.ErrNotFound):
		hint := "use the symbol_id of an element"
		if near := nearest.All(id, slices.Values(r.SymbolIDs()), 3); len(near) > 0 {
			hint = "use " + strings.Join(near, " or ")
		}
		return nil, "", notFound(hint, "There is no symbol %s in %s.", id, r.Version())
	default:
		return nil, "", upstream(err, "The symbol "+id+" can't be shown.")
	}
}

// Icon is the composed icon of an element.
type Icon struct {
	Release *taxonomy.Release
	SVG     []byte
	// Baked reports that the store holds the icon. Otherwise it was composed
	// just now; the bytes are the same.
	Baked bool
}

// DefaultVariant is the icon variant where nobody says.
const DefaultVariant = "default"

// Icon returns the icon of an element in a variant; "" means [DefaultVariant].
func (s *Service) Icon(ctx context.Context, version, elementID, variant string) (*Icon, error) {
	if variant == "" {
		variant = DefaultVariant
	}
	if !taxonomy.ValidID(variant) {
		return nil, badRequest(nil, "use letters, digits, _ and -", "The variant %q is malformed.", prose.Clip(variant))
	}
	r, e, err := s.Element(ctx, version, elementID)
	if err != nil {
		return nil, err
	}
	if err := CheckVariant(e, variant); err != nil {
		return nil, err
	}
	svg, err := s.compose(ctx, r, e, variant)
	if err != nil {
		return nil, err
	}
	return &Icon{r, svg, s.baked(ctx, r, e, variant, svg)}, nil
}

// baked reports whether the store has the icon, just as it would be composed.
// Anything else in its place is reported and not shown: icons are not part of
// the content hash, so whoever can write to the store can change them.
func (s *Service) baked(ctx context.Context, r *taxonomy.Release, e *taxonomy.Element, variant string, want []byte) bool {
	store, ok := s.store.Store.(taxonomy.IconStore)
	if !ok {
		return false
	}
	svg, err := store.Icon(ctx, r, e.ID, variant)
	switch {
	case err == nil && bytes.Equal(svg, want):
		return true
	case err == nil:
		err = fmt.Errorf("release %s: the icon of %s as %s is not what would be composed: bake the icons again", r.Version(), e.ID, variant)
	case errors.Is(err, taxonomy.ErrNotFound) || ctx.Err() != nil:
		return false
	}
	s.options.Report(err)
	return false
}

// CheckVariant fails where an element has no icon of a variant, and lists those
// that it has.
func CheckVariant(e *taxonomy.Element, variant string) error {
	if slices.Contains(e.IconVariants, variant) {
		return nil
	}
	return notFound("use "+prose.Or(e.IconVariants), "The element %s has no icon variant %s.", e.ID, prose.Clip(variant))
}

// compose draws an icon, from symbols that have been checked once for all icons
// of the release.
func (s *Service) compose(ctx context.Context, r *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error) {
	set, err := s.iconSet(ctx, r)
	if err != nil {
		return nil, err
	}
	svg, err := set.Icon(e.ID, variant)
	switch {
	case err == nil:
		return svg, nil
	case errors.Is(err, taxonomy.ErrNotFound):
		return nil, notFound("use "+prose.Or(e.IconVariants), "There is no icon of %s as %s.", e.ID, variant)
	default:
		return nil, upstream(err, "The symbol of "+e.ID+" can't be drawn.")
	}
}

// iconSet returns the icons of a release.
func (s *Service) iconSet(ctx context.Context, r *taxonomy.Release) (*icons.Set, error) {
	set, err := s.icons.Do(ctx, r.ContentHash(), func() (*icons.Set, int64, error) {
		return icons.NewSet(r, &icons.SetOptions{MaxBytes: maxIconBytes}), 1, nil
	})
	if err != nil {
		return nil, upstream(err, "The icons can't be drawn.")
	}
	return set, nil
}
