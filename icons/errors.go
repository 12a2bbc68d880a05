package icons

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// UnknownElementError reports that a release has no such element. It wraps
// [taxonomy.ErrNotFound].
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

// UnknownVariantError reports that an element has no icon in a variant. It wraps
// [taxonomy.ErrNotFound].
type UnknownVariantError struct {
	Version            taxonomy.Version
	ElementID, Variant string
	// Valid lists the variants of the element. It is shared and must not be
	// modified.
	Valid []string
}

// Error names the variant and lists the valid ones.
func (e *UnknownVariantError) Error() string {
	return fmt.Sprintf("icons: release %s: icon of %s in variant %s: %v (valid variants: %s)",
		e.Version, e.ElementID, prose.Quote(e.Variant), taxonomy.ErrNotFound, strings.Join(e.Valid, ", "))
}

// Unwrap returns [taxonomy.ErrNotFound].
func (e *UnknownVariantError) Unwrap() error { return taxonomy.ErrNotFound }

// SymbolError reports that a symbol cannot be drawn, because its text is invalid or
// unsafe or because the release has no such symbol.
type SymbolError struct {
	Version  taxonomy.Version
	SymbolID string
	// Issues lists the problems of the text. It is shared and must not be
	// modified.
	Issues issue.Issues
	// Err is [taxonomy.ErrNotFound] if the release has no such symbol.
	Err error
}

// Unwrap returns Err.
func (e *SymbolError) Unwrap() error { return e.Err }

// Error names the symbol and its first problem.
func (e *SymbolError) Error() string {
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
