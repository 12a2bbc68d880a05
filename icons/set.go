package icons

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// SetOptions configures a [Set]. A nil *SetOptions is the defaults.
type SetOptions struct {
	// MaxBytes limits the memory of cached icons; 0 means 64 MiB, and a negative
	// number disables the cache. Icons that do not fit are composed on every request.
	MaxBytes int64
}

// Set is the icons of a release, composed on first use. It sanitizes the symbols of the
// release itself and does not rely on the store they came from. Elements with the same
// shape, symbol and colours share an icon. A Set is safe for concurrent use; the zero Set
// has no icons.
//
// Besides the icons, a Set keeps the sanitized symbols, which usually share the memory
// of the release.
type Set struct {
	release    *taxonomy.Release
	max        int64
	categories map[string]*iconCategory

	mu      sync.RWMutex
	symbols map[string]checked
	icons   map[iconKey]*[]byte
	used    int64
}

// iconCategory is the part of a category that icons depend on.
type iconCategory struct {
	shape    taxonomy.Shape
	variants []string
	colors   []Colors // by variant
}

// iconKey identifies an icon of a release.
type iconKey struct {
	shape  taxonomy.Shape
	symbol string
	colors Colors
}

// checked is a sanitized symbol, or the reason why there is none.
type checked struct {
	symbol *Symbol
	err    error
}

// NewSet returns the icons of a release. It does not compose any yet.
func NewSet(r *taxonomy.Release, o *SetOptions) *Set {
	if r == nil {
		panic("icons: the release is nil")
	}
	s := &Set{
		release: r, max: 64 << 20,
		categories: make(map[string]*iconCategory, len(r.Categories())),
		symbols:    map[string]checked{}, icons: map[iconKey]*[]byte{},
	}
	if o != nil {
		s.max = cmp.Or(o.MaxBytes, s.max)
	}
	for _, c := range r.Categories() {
		category := &iconCategory{shape: c.Shape, variants: c.IconVariants(), colors: []Colors{DefaultColors(), DarkColors()}}
		for i := range c.Context.Values {
			category.colors = append(category.colors, colorsOfValue(&c.Context.Values[i]))
		}
		s.categories[c.ID] = category
	}
	return s
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
	icon := s.icons[key]
	s.mu.RUnlock()
	if icon == nil {
		text, err := s.append(nil, key, nil)
		if err != nil {
			return nil, err
		}
		if icon = s.keep(key, text); icon == nil {
			return text, nil
		}
	}
	return *icon, nil
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
	if dst == nil {
		dst = make([]byte, 0, symbol.composedSize())
	}
	return Append(dst, key.shape, symbol, key.colors, o)
}

// find returns what the icon of an element in a variant depends on.
func (s *Set) find(elementID, variant string) (iconKey, error) {
	var e *taxonomy.Element
	if s.release != nil {
		e, _ = s.release.Element(elementID)
	}
	if e == nil {
		return iconKey{}, fmt.Errorf("icons: release %s: element %s: %w", s.version(), wording.Quote(elementID), taxonomy.ErrNotFound)
	}
	category, i := s.categories[e.CategoryID], 0
	if variant != "" {
		i = slices.Index(category.variants, variant)
	}
	if i < 0 {
		return iconKey{}, fmt.Errorf("icons: release %s: icon of %s in variant %s: %w (valid variants: %s)",
			s.version(), elementID, wording.Quote(variant), taxonomy.ErrNotFound, strings.Join(category.variants, ", "))
	}
	return iconKey{category.shape, e.SymbolID, category.colors[i]}, nil
}

func (s *Set) version() taxonomy.Version {
	if s.release == nil {
		return taxonomy.Version{}
	}
	return s.release.Version()
}

// Approximate memory of a cached icon besides its bytes, and of an issue of an invalid
// symbol.
const (
	keepCost  = 160
	issueCost = 512
)

// keep caches an icon and returns the cached one, or nil if there is no room.
func (s *Set) keep(key iconKey, text []byte) *[]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if icon := s.icons[key]; icon != nil {
		return icon
	}
	text = slices.Clip(text)
	cost := int64(len(text)) + keepCost
	if s.used+cost > s.max {
		return nil
	}
	s.used += cost
	s.icons[key] = &text
	return &text
}

// Symbol returns a sanitized symbol of the release. The error names it and its first problem, and
// wraps [taxonomy.ErrNotFound] if the release has no such symbol.
func (s *Set) Symbol(id string) (*Symbol, error) {
	if s.release != nil {
		if _, ok := s.release.Symbol(id); ok {
			return s.symbol(id)
		}
	}
	return nil, &symbolError{Version: s.version(), SymbolID: id, Err: taxonomy.ErrNotFound}
}

// symbol sanitizes a symbol, once.
func (s *Set) symbol(id string) (*Symbol, error) {
	s.mu.RLock()
	c, done := s.symbols[id]
	s.mu.RUnlock()
	if done {
		return c.symbol, c.err
	}
	text, _ := s.release.Symbol(id) // "" is not a symbol
	symbol, issues := Sanitize([]byte(text))
	if symbol == nil {
		c.err = &symbolError{Version: s.version(), SymbolID: id, Issues: issues}
	} else {
		if symbol.text == text {
			symbol.text = text // share the memory of the release
		}
		c.symbol, issues = symbol, nil // warnings are for authors
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	cost := int64(len(issues)) * issueCost
	if s.used+cost <= s.max || cost == 0 {
		s.used += cost
		s.symbols[id] = c
	}
	return c.symbol, c.err
}

// symbolError reports that a symbol cannot be drawn, because its text is invalid or
// unsafe or because the release has no such symbol.
type symbolError struct {
	Version  taxonomy.Version
	SymbolID string
	// Issues lists the problems of the text. It is shared and must not be
	// modified.
	Issues issue.Issues
	// Err is [taxonomy.ErrNotFound] if the release has no such symbol.
	Err error
}

// Unwrap returns Err.
func (e *symbolError) Unwrap() error { return e.Err }

// Error names the symbol and its first problem.
func (e *symbolError) Error() string {
	what := "cannot be drawn"
	if e.Err != nil {
		what = e.Err.Error()
	}
	for _, finding := range e.Issues {
		if finding.Severity == issue.SeverityError {
			what = finding.String()
			break
		}
	}
	return fmt.Sprintf("icons: release %s: symbol %s: %s", e.Version, e.SymbolID, what)
}
