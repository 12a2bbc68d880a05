package issue

import "slices"

// Remedy says how to fix what a [Code] reports, in words and by an example.
type Remedy struct {
	// Advice is an instruction, of one or two sentences.
	Advice string
	// Bad is the smallest part of a document, a source file or a request that is
	// reported, and Good the same part after the fix. Good is "" if there is
	// nothing to write instead, as when a request has to be repeated.
	Bad, Good string
}

// LookupRemedy returns the remedy of a code. Every code of the registry has one.
func LookupRemedy(c Code) (Remedy, bool) {
	for _, list := range [][]remedy{sourceRemedies, evolutionRemedies, changeRemedies, textRemedies, documentRemedies, requestRemedies} {
		if i := slices.IndexFunc(list, func(r remedy) bool { return r.code == c }); i >= 0 {
			return list[i].Remedy, true
		}
	}
	return Remedy{}, false
}

// remedy is an entry of the tables of remedies. They are apart from the registry, so that
// programs which only report codes do not carry them.
type remedy struct {
	code Code
	Remedy
}
