// Package validate reports every problem in a datachain, with its code, its place
// and a hint.
//
// # Validating
//
// [Instance] validates a thin document against a release, [Resolved] a document with
// its own part of the schema. Both check the shape of the document first and, if that
// is valid, run a suite of rules. They do no I/O and keep no state, so an editor can
// call them at every keystroke. [Options.Partial] keeps the findings of an editor while
// one field is being typed. [Mark] returns what to underline for an issue.
//
// # Fixing
//
// Many issues have an [issue.Fix]. [Edits] returns those of some issues as small edits
// of the text, which [document.ApplyEdits] makes, and [FixAll] makes edits until none is
// left.
//
// # Rules
//
// A [Rule] is a value, which reads a [Pass] and reports issues. [Options.Rules] adds rules
// to those of this package.
//
// # Shape
//
// The shape of documents is defined by JSON Schemas (2020-12), which [JSONSchema]
// returns for editors and other programs. They are compiled for a fast verdict: a
// document that fits takes a hundredth of the time of a general implementation. If it
// does not fit, package jsonschema finds out why. A fuzz test compares the two.
package validate
