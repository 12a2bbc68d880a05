package icons

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// UnknownElementError is returned for an element that a release does not have.
// It wraps [taxonomy.ErrNotFound].
type UnknownElementError struct {
	Version   taxonomy.Version
	ElementID string
}

// Error names the element.
func (e *UnknownElementError) Error() string {
	return fmt.Sprintf("icons: release %s: element %s: %v", e.Version, prose.Quote(e.ElementID), taxonomy.ErrNotFound)
}

// Unwrap returns [taxonomy.ErrNotFound].
func (e *UnknownElementError) Unwrap() error { return taxonomy.ErrNotFound }

// UnknownVariantError is returned for a variant that the icons of an element do
// not come in. It wraps [taxonomy.ErrNotFound].
type UnknownVariantError struct {
	Version            taxonomy.Version
	ElementID, Variant string
	// Valid are the variants that there are. The list is shared and must not
	// be changed.
	Valid []string
}

// Error names the variant and those that there are.
func (e *UnknownVariantError) Error() string {
	return fmt.Sprintf("icons: release %s: icon of %s as %s: %v (valid variants: %s)",
		e.Version, e.ElementID, prose.Quote(e.Variant), taxonomy.ErrNotFound, strings.Join(e.Valid, ", "))
}

// Unwrap returns [taxonomy.ErrNotFound].
func (e *UnknownVariantError) Unwrap() error { return taxonomy.ErrNotFound }

// SymbolError is returned for a symbol that can't be drawn, since its text is
// not what symbols may be, or since there is none. A store may hold anything;
// what is not safe is not shown.
type SymbolError struct {
	Version  taxonomy.Version
	SymbolID string
	// Issues say what is wrong with the text. They must not be changed.
	Issues issue.Issues
	// Err is [taxonomy.ErrNotFound] where the release has no such symbol.
	Err error
}

// Unwrap returns Err.
func (e *SymbolError) Unwrap() error { return e.Err }

// Error names the symbol and the first thing that is wrong with it.
func (e *SymbolError) Error() string {
	what := "can't be drawn"
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
