package icons

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// SetOptions configure a [Set]. The zero value and nil are the defaults.
type SetOptions struct {
	// CacheBytes limits the memory of cached icons; 0 means 64 MiB, and a negative
	// number turns the cache off. Icons that do not fit are composed on every request.
	CacheBytes int64
}

// Set is the icons of a release, composed on first use. It sanitizes the symbols of the
// release itself and does not rely on the store they came from. Elements with the same
// shape, symbol and colours share an icon. A Set is safe for concurrent use; the zero Set
// has no icons.
//
// Besides the icons, a Set keeps the sanitized symbols, which usually share the memory
// of the release.
type Set struct {
	release  *taxonomy.Release
	max      int64
	variants map[string][]iconKey // by category, in the order of its variants; without symbols

	mu      sync.RWMutex
	symbols map[string]sanitized
	icons   map[iconKey][]byte
	used    int64
}

// iconKey is what an icon depends on.
type iconKey struct {
	shape  taxonomy.Shape
	symbol string
	colors Colors
}

// sanitized is a symbol, or the reason why it can't be drawn.
type sanitized struct {
	symbol *Symbol
	err    error
}

// NewSet returns the icons of a release. It does not compose any yet.
func NewSet(r *taxonomy.Release, o *SetOptions) (*Set, error) {
	if r == nil {
		return nil, errors.New("icons: the release is nil")
	}
	s := &Set{
		release: r, max: 64 << 20,
		variants: make(map[string][]iconKey),
		symbols:  make(map[string]sanitized), icons: make(map[iconKey][]byte),
	}
	if o != nil {
		s.max = cmp.Or(o.CacheBytes, s.max)
	}
	for _, c := range r.Categories() {
		for _, variant := range c.IconVariants() {
			colors, _ := ColorsOf(c, variant)
			s.variants[c.ID] = append(s.variants[c.ID], iconKey{shape: c.Shape, colors: colors})
		}
	}
	return s, nil
}

// Icon returns the icon of an element in a variant, as [Append] draws it. An empty
// variant is the default. The bytes are shared and must not be modified.
//
// The error wraps [taxonomy.ErrNotFound] if the release has no such element, or the element
// no such variant; else it names the symbol that can't be drawn.
func (s *Set) Icon(elementID, variant string) ([]byte, error) {
	key, err := s.find(elementID, variant)
	if err != nil {
		return nil, err
	}
	s.mu.RLock()
	icon, cached := s.icons[key]
	s.mu.RUnlock()
	if cached {
		return icon, nil
	}
	if icon, err = s.append(nil, key, nil); err != nil {
		return nil, err
	}
	return s.cache(key, icon), nil
}

// Append composes an icon with options and appends it to dst. It caches the symbol but
// not the icon. The errors are those of [Set.Icon] and [Append].
func (s *Set) Append(dst []byte, elementID, variant string, o *Options) ([]byte, error) {
	key, err := s.find(elementID, variant)
	if err != nil {
		return dst, err
	}
	return s.append(dst, key, o)
}

func (s *Set) append(dst []byte, key iconKey, o *Options) ([]byte, error) {
	symbol, err := s.symbol(key.symbol)
	if err != nil {
		return dst, err
	}
	return Append(dst, key.shape, symbol, key.colors, o)
}

// find returns what the icon of an element in a variant depends on.
func (s *Set) find(elementID, variant string) (iconKey, error) {
	if s.release == nil {
		return iconKey{}, fmt.Errorf("icons: the set has no release: %w", taxonomy.ErrNotFound)
	}
	e, ok := s.release.Element(elementID)
	if !ok {
		return iconKey{}, fmt.Errorf("icons: release %s: element %s: %w", s.release.Version(), wording.Quote(elementID), taxonomy.ErrNotFound)
	}
	i := 0
	if variant != "" {
		i = slices.Index(e.IconVariants, variant)
	}
	if i < 0 {
		return iconKey{}, fmt.Errorf("icons: release %s: icon of %s in variant %s: %w (valid variants: %s)",
			s.release.Version(), elementID, wording.Quote(variant), taxonomy.ErrNotFound, strings.Join(e.IconVariants, ", "))
	}
	key := s.variants[e.CategoryID][i]
	key.symbol = e.SymbolID
	return key, nil
}

// iconCost is the approximate memory of a cached icon besides its bytes.
const iconCost = 160

// cache caches an icon if there is room, and returns it, or the one that is cached already.
func (s *Set) cache(key iconKey, icon []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if first, cached := s.icons[key]; cached {
		return first
	}
	icon = slices.Clip(icon)
	if cost := int64(len(icon)) + iconCost; s.used+cost <= s.max {
		s.used += cost
		s.icons[key] = icon
	}
	return icon
}

// Symbol returns a sanitized symbol of the release. The error names it and its first problem, and
// wraps [taxonomy.ErrNotFound] if the release has no such symbol.
func (s *Set) Symbol(id string) (*Symbol, error) {
	if s.release == nil {
		return nil, fmt.Errorf("icons: the set has no release: %w", taxonomy.ErrNotFound)
	}
	return s.symbol(id)
}

// symbol sanitizes a symbol of the release, once.
func (s *Set) symbol(id string) (*Symbol, error) {
	s.mu.RLock()
	known, done := s.symbols[id]
	s.mu.RUnlock()
	if done {
		return known.symbol, known.err
	}
	text, ok := s.release.Symbol(id)
	if !ok {
		return nil, fmt.Errorf("icons: release %s: symbol %s: %w", s.release.Version(), id, taxonomy.ErrNotFound)
	}
	symbol, issues := Sanitize([]byte(text))
	var err error
	if symbol == nil {
		err = fmt.Errorf("icons: release %s: symbol %s: %s", s.release.Version(), id, issues.With(issue.SeverityError)[0])
	} else if symbol.text == text {
		symbol.text = text // share the memory of the release
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.symbols[id] = sanitized{symbol, err}
	return symbol, err
}
