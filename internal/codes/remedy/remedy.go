// Package remedy describes how to fix what each code reports.
package remedy

import (
	_ "embed" // of the remedies
	"strings"
)

// Remedy says how to fix what a code reports, in words and by an example.
type Remedy struct {
	// Advice is an instruction, of one or two sentences.
	Advice string
	// Bad is the smallest part of a document, a source file or a request that is
	// reported, and Good the same part after the fix. Good is "" if there is
	// nothing to write instead, as when a request has to be repeated.
	Bad, Good string
}

// remedies has a paragraph for each code: a line "=== code", the advice, "--- bad" with that part
// and, unless it is empty, "--- good" with the other. They are apart from the registry, so that
// programs which only report codes do not carry them.
//
//go:embed remedies.txt
var remedies string

// Lookup returns the remedy of a code. Every code of the registry has one.
func Lookup(code string) (Remedy, bool) {
	_, text, ok := strings.Cut("\n"+remedies, "\n=== "+code+"\n")
	text, _, _ = strings.Cut(text, "\n=== ")
	advice, example, _ := strings.Cut(text, "\n--- bad\n")
	bad, good, _ := strings.Cut(example, "\n--- good\n")
	return Remedy{advice, strings.TrimSpace(bad), strings.TrimSpace(good)}, ok
}
