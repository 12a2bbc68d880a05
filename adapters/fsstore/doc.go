// Package fsstore keeps published releases in a folder: [Publish] writes them,
// and [Store] reads them, from that folder or from any [fs.FS] with the same
// layout, such as an embedded one.
//
//	index.json
//	<type>/<date>-<status>/<content_hash>/release.json
//	<type>/<date>-<status>/<content_hash>/symbols/<id>.svg
//	<type>/<date>-<status>/<content_hash>/icons/<element_id>/<variant>.svg
//	<type>/<date>-<status>/<content_hash>/search/<locale>.index
//
// index.json is the canonical JSON of a [taxonomy.Index], and release.json that
// of a [taxonomy.Release], both without a newline at the end: the bytes are the
// same on every machine. Files have the mode 0644 and folders 0755, less what
// the umask takes away.
//
// # Never half
//
// Files under a content hash are written once, in a folder beside their place
// that gets its name when all is on disk. index.json is the only file that ever
// changes; it is replaced by renaming, after everything that it names is there.
// So whatever happens to a publisher, a reader finds the old state or the new
// one; a later publisher clears away what was left behind (see
// [PublishOptions.KeepFor]).
//
// # Never wrong
//
// A reader believes nothing: it computes the content hash of what it has read,
// and serves it only if it is the one in the index. While the index or a
// release is damaged it serves the last good one that it has, tells of the
// trouble through [Options.Report], and tries again; see [Options.RetryAfter].
// So a folder may also be filled file by file while it is read, in any order:
// what is there in part is damaged until the rest has come.
package fsstore
