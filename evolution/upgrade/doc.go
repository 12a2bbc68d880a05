// Package upgrade moves datachain documents from one schema version to another.
//
// [Document] edits the text of a document as its author would: it pins the new version,
// replaces elements that were removed with their single successor, follows renamed
// variables, options and context values, and adds variables that are now required as
// gaps, with an empty value. Everything else stays as it is written, byte for byte, so
// that a diff shows what changed and nothing more.
//
// It never invents content, and removes none unless [Options.Drop] asks for it. What it
// can't decide is an [Entry] of the [Report], at its place: a choice between successors,
// an element without one, a value that has no variable any more, a placement that is now
// required. So is what stays valid but now says something else.
//
// The new document is validated, and every finding is in the report. Upgrading again
// changes nothing.
//
// The old version may be unknown, because it was retired. The snapshot of a resolved
// document serves instead; a thin document is moved by what the new version says about
// its past.
//
// The package does no I/O and has no state.
package upgrade
