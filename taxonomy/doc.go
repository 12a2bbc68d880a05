// Package taxonomy is what everything else in this module speaks of: schema
// versions and what they define, datachain documents, and where releases live.
//
// A steward publishes a schema version as a [Release]: a datachain [Type], its
// categories and elements, and the symbols they are drawn with. A release is
// named by a [Version] such as ai@2026-09-01-stable, is made whole or not at
// all, never changes, and has a content hash that anybody can compute again:
// the root of a Merkle tree over its parts, so that [Release.Prove] can show
// that one element belongs to it without the rest.
//
// A [Store] gives releases; package storetest proves implementations of it,
// and the packages under adapters are some. [Open] reads the release that a
// canonical id or an alias such as ai@latest addresses:
//
//	ref, err := taxonomy.ParseRef("ai@latest")
//	…
//	release, err := taxonomy.Open(ctx, store, ref)
//	…
//	element, ok := release.Element("purpose.safety")
//
// A datachain is a document that places elements. [ParseDocument] reads its
// JSON strictly and keeps the place of each value; [Instance] and [Resolved]
// are its Go form, with the fields that they do not know in [Extra].
//
// What is wrong with a document or a schema is an [Issue], with a stable
// [Code], a [Path] and a hint. JSON is canonical (RFC 8785) wherever it is
// hashed or measured; see [Canonical].
//
// The package does no I/O, and keeps no state.
package taxonomy
