package icons

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/taxonomy"
)

// SetOptions say how a [Set] works. A nil *SetOptions is the defaults.
type SetOptions struct {
	// MaxBytes is how many bytes of composed icons are kept; by default
	// 64 MiB, and none if it is negative. What does not fit is composed each
	// time.
	MaxBytes int64
}

// Set is the icons of a release, composed when they are first asked for. The
// symbols of the release are sanitised again before they are used, whatever the
// store that it came from has done. Elements that share shape, symbol and look
// share their icons. A Set is safe for concurrent use.
//
// Besides the icons a Set keeps the checked symbols, which are about as large
// as those of the release, and mostly are the same memory.
type Set struct {
	release *taxonomy.Release
	max     int64
	slots   map[string]*slot

	mu      sync.RWMutex
	symbols map[string]checked
	icons   map[iconKey]*[]byte
	used    int64
}

// slot is where the icons of an element are found.
type slot struct {
	category *iconCategory
	symbol   string
	// icons has a pointer for each variant; it is there from the first icon
	// that is kept.
	icons atomic.Pointer[[]atomic.Pointer[[]byte]]
}

// iconCategory is what icons need to know of a category.
type iconCategory struct {
	shape    taxonomy.Shape
	variants []string
	looks    []Look // by variant
}

// iconKey is all that tells icons of a release apart.
type iconKey struct {
	shape  taxonomy.Shape
	symbol string
	look   Look
}

// checked is what became of a symbol.
type checked struct {
	symbol *Symbol
	err    error
}

// NewSet returns the icons of a release. It composes none of them yet.
func NewSet(r *taxonomy.Release, o *SetOptions) *Set {
	s := &Set{
		release: r, max: 64 << 20,
		slots:   make(map[string]*slot, len(r.Elements())),
		symbols: map[string]checked{}, icons: map[iconKey]*[]byte{},
	}
	if o != nil {
		s.max = cmp.Or(o.MaxBytes, s.max)
	}
	slots := make([]slot, len(r.Elements()))
	for _, c := range r.Categories() {
		// Variants are those of each element, and found without going there.
		category := &iconCategory{shape: c.Shape, variants: c.IconVariants(), looks: []Look{DefaultLook(), DarkLook()}}
		for i := range c.Context.Values {
			category.looks = append(category.looks, lookOfValue(&c.Context.Values[i]))
		}
		for _, e := range r.ElementsOf(c.ID) {
			slots[0].category, slots[0].symbol = category, e.SymbolID
			s.slots[e.ID] = &slots[0]
			slots = slots[1:]
		}
	}
	return s
}

// Icon returns the icon of an element in a variant, "" being the default one,
// as [Compose] would draw it. The bytes are shared and must not be changed.
//
// The error is an [*UnknownElementError] or an [*UnknownVariantError], both of
// which wrap [taxonomy.ErrNotFound], or a [*SymbolError].
func (s *Set) Icon(elementID, variant string) ([]byte, error) {
	at, i, err := s.find(elementID, variant)
	if err != nil {
		return nil, err
	}
	if icons := at.icons.Load(); icons != nil {
		if icon := (*icons)[i].Load(); icon != nil {
			return *icon, nil
		}
	}
	return s.compose(at, i)
}

// Append draws an icon with options and appends it to dst. It keeps the checked
// symbol, and nothing of the icon. Errors are those of [Set.Icon] and of
// [Append].
func (s *Set) Append(dst []byte, elementID, variant string, o *Options) ([]byte, error) {
	at, i, err := s.find(elementID, variant)
	if err != nil {
		return dst, err
	}
	return s.append(dst, at, i, o)
}

func (s *Set) append(dst []byte, at *slot, i int, o *Options) ([]byte, error) {
	symbol, err := s.symbol(at.symbol)
	if err != nil {
		return dst, err
	}
	return Append(dst, at.category.shape, symbol, at.category.looks[i], o)
}

// find returns where the icons of an element are, and the place of a variant
// among them.
func (s *Set) find(elementID, variant string) (*slot, int, error) {
	at, ok := s.slots[elementID]
	if !ok {
		return nil, 0, &UnknownElementError{s.release.Version(), elementID}
	}
	if variant == "" {
		return at, 0, nil
	}
	i := slices.Index(at.category.variants, variant)
	if i < 0 {
		return nil, 0, &UnknownVariantError{s.release.Version(), elementID, variant, at.category.variants}
	}
	return at, i, nil
}

// compose draws an icon, unless another element has it, and keeps it if there
// is room.
func (s *Set) compose(at *slot, i int) ([]byte, error) {
	key := iconKey{at.category.shape, at.symbol, at.category.looks[i]}
	s.mu.RLock()
	icon := s.icons[key]
	s.mu.RUnlock()
	if icon == nil {
		symbol, err := s.symbol(key.symbol)
		if err != nil {
			return nil, err
		}
		text, err := Compose(key.shape, symbol, key.look, nil)
		if err != nil {
			return nil, err
		}
		if icon = s.keep(key, text); icon == nil {
			return text, nil
		}
	}
	at.put(i, icon)
	return *icon, nil
}

// What is kept costs about this much memory: an icon besides its bytes, and an
// issue of a bad symbol.
const (
	keepCost  = 160
	issueCost = 512
)

// keep stores an icon, or returns the one that is there by now. It returns nil
// where there is no room.
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

// put makes an icon found without further search.
func (at *slot) put(i int, icon *[]byte) {
	icons := at.icons.Load()
	if icons == nil {
		fresh := make([]atomic.Pointer[[]byte], len(at.category.looks))
		if at.icons.CompareAndSwap(nil, &fresh) {
			icons = &fresh
		} else {
			icons = at.icons.Load()
		}
	}
	(*icons)[i].Store(icon)
}

// Symbol returns a symbol of the release as it may be drawn and published,
// whatever the store holds. The error is a [*SymbolError], which wraps
// [taxonomy.ErrNotFound] where the release has no such symbol.
func (s *Set) Symbol(id string) (*Symbol, error) {
	if _, ok := s.release.Symbol(id); !ok {
		return nil, &SymbolError{Version: s.release.Version(), SymbolID: id, Err: taxonomy.ErrNotFound}
	}
	return s.symbol(id)
}

// symbol returns a symbol of the release as it may be drawn.
func (s *Set) symbol(id string) (*Symbol, error) {
	s.mu.RLock()
	c, done := s.symbols[id]
	s.mu.RUnlock()
	if done {
		return c.symbol, c.err
	}
	// A release has the symbols of its elements; were it to lack one, an empty
	// text is none.
	text, _ := s.release.Symbol(id)
	symbol, issues := Sanitize([]byte(text))
	if symbol == nil {
		c.err = &SymbolError{Version: s.release.Version(), SymbolID: id, Issues: issues}
	} else {
		if symbol.text == text {
			symbol.text = text // two strings that are the same need one memory
		}
		c.symbol, issues = symbol, nil // warnings are for who drew it
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
