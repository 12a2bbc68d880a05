package icons

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

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
