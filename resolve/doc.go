// Package resolve makes a datachain self-contained: it embeds the slice of the
// schema that the document uses, so that the document means the same without
// any store, in ten years, too.
//
//	bundle, err := resolve.Resolve(release, doc, nil)
//	…
//	_, err = bundle.WriteTo(file)
//
// The document should have been found valid by package validate before. A
// bundle is canonical JSON (RFC 8785); its texts of categories and elements are
// those that the release holds already, so resolving marshals no taxonomy.
package resolve
