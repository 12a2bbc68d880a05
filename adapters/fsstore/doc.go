// Package fsstore reads published releases from a directory, or from any [fs.FS]
// with the same layout, such as an embedded one, and publishes into a directory.
//
//	index.json
//	<type>/<date>-<status>/<content_hash>/release.json
//	<type>/<date>-<status>/<content_hash>/symbols/<id>.svg
//	<type>/<date>-<status>/<content_hash>/icons/<element_id>/<variant>.svg
//	<type>/<date>-<status>/<content_hash>/search/<locale>.index
//
// index.json is the canonical JSON of a [taxonomy.Index], and release.json that
// of a [taxonomy.Release], both without a newline at the end: the bytes are the
// same on every machine. Files have the mode 0644 and directories 0755, minus
// the umask.
//
// # Writing
//
// Files under a content hash are written once, in a temporary directory that is
// renamed when everything is on disk. index.json is the only file that ever
// changes. It is replaced by renaming, after everything that it names exists. So
// whatever happens to a publisher, a reader finds the old state or the new one.
// Package publish does this with a [Target]; a lock keeps publishers apart.
//
// # Reading
//
// A [Store] trusts nothing: it computes the content hash of what it reads, and
// returns a release only if the hash is the one in the index. So a directory may
// also be filled file by file while it is read, in any order: incomplete content
// is an error until the rest arrives. To serve the last good data meanwhile, put
// package laststore around the store.
package fsstore
