// Package translation finds the texts of a schema version that are not translated, and
// those whose translation is older than its original.
//
//	report := translation.Check(release, lastStable)
//	for _, p := range report.Locales {
//		fmt.Printf("%s: %d %%\n", p.Locale, p.Percent())
//	}
//
// The original of a text is the one in the fallback locale. A translation is stale if
// the original has changed since an older release, and the translation has not.
//
// What elements inherit from their category is counted once, for the category. A prompt
// or guidance for authors that is only in the fallback locale is not meant to be
// translated.
//
// The package does no I/O and has no state.
package translation
