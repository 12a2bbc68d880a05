// Package dtpr imports taxonomies and documents of the DTPR family (Digital Trust for
// Places and Routines), whose sources are public.
//
// [Import] reads a source tree and returns authoring source for package
// [github.com/datachain-go/datachain/authoring/source], with a [Note] for everything
// that was changed or could not be taken over. [Document] does the same for a
// datachain document.
//
// Two layouts are supported, with any number of versions and datachain types in one
// tree:
//
//	<version>/meta.yaml, datachain-type.yaml       one directory for each version;
//	<version>/categories/*.yaml, elements/*.yaml   texts list their locales
//	<version>/symbols/*.svg
//
//	datachain_types/<locale>/*.md                  the older layout: front matter of
//	categories/<locale>/*.md                       Markdown files, one for each locale;
//	elements/<locale>/*.md                         symbols are anywhere in the tree
//
// Importing is deterministic, reads only from an [fs.FS], and treats the tree as
// untrusted: files, sizes, nesting and notes are limited, symbolic links are not
// followed, and symbols are rewritten by [icons.Sanitize].
package dtpr
