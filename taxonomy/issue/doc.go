// Package issue provides findings: what is wrong with a document or a schema
// version, as data.
//
// An [Issue] has a stable [Code], a message, the [Path] of the value it is about,
// a hint, and where a program can apply it without asking, a [Fix]. [Codes] is
// the registry of all codes, from which docs/codes.md is generated.
//
// Findings are not errors: a Go error means that something could not be checked.
package issue
