// Package issue provides findings: problems in documents and schema versions, as
// data.
//
// An [Issue] has a stable [Code] for programs, a message and a hint for people,
// the [Path] of the value that it is about and, if a program can apply the hint
// without asking, a [Fix]. [Codes] lists all codes with their meaning;
// docs/codes.md is generated from it.
//
// Findings are not Go errors: an error means that a document could not be
// checked.
package issue
