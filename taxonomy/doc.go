// Package taxonomy provides schema versions, datachains as Go values, and the
// interfaces of stores.
//
// # Schema versions
//
// A schema version is published as a [Release]: a datachain [Type], its categories
// and elements, and the symbols of their icons. A [Version] such as
// ai@2026-09-01-stable names it; a [Ref] can also be an alias such as ai@latest.
// A release is immutable. Its content [Hash] is the root of a Merkle tree over its
// parts, so [Release.Prove] can prove that an element belongs to a release.
// [NewRelease] makes releases, [DecodeRelease] reads them, and a [Form] opens large
// ones without decoding everything.
//
// # Stores
//
// A [Store] provides releases and their [Index]. [Open] reads the release of a
// reference. The packages under adapters are stores, and package storetest tests
// others. [IconStore], [SearchStore], [SearchOpener] and [Notifier] are optional abilities.
//
// # Datachains
//
// A datachain is a document that places elements. [DecodeInstance] and
// [DecodeResolved] turn a [document.Document] into an [Instance] or a [Resolved].
// They check types only: use package validate to validate a document, and package
// resolve to embed the part of a release that it uses.
//
// The package does no I/O.
package taxonomy
