// Package fsstore reads published releases from a directory, or from any [fs.FS]
// with the same layout, such as an embedded one, and publishes into a directory.
//
//	index.json
//	<type>/<date>-<status>/<content_hash>/release.json
//	<type>/<date>-<status>/<content_hash>/release.pack
//	<type>/<date>-stable/bound
//
// Releases that are not packed have separate files for symbols, icons and search
// indexes instead of release.pack; see package published. The index says which
// releases are packed.
//
// index.json is what [taxonomy.EncodeIndex] returns, and release.json the
// canonical JSON of a [taxonomy.Release], both without a newline at the end: the
// bytes are the same on every machine. Files have the mode 0644 and directories
// 0755, minus the umask.
//
// # Writing
//
// Files under a content hash are written in a temporary directory that is renamed
// when everything is on disk. index.json is replaced by renaming, after everything
// that it names exists. So whatever happens to a publisher, a reader finds the old
// state or the new one. Package publish does this with a [Target]; a lock keeps
// publishers apart.
//
// # Reading
//
// An index that goes back is not served: the last good one is, and [Store.Err] wraps
// [taxonomy.ErrRollback].
//
// A [Store] trusts nothing: it computes the content hash of what it reads, and the
// SHA-256 of a pack, and returns a release only if they are those in the index. So
// a directory may also be filled file by file while it is read, in any order:
// incomplete content is an error until the rest arrives. To serve the last good
// data meanwhile, put package laststore around the store.
//
// A packed release is opened with the form in its pack, so its elements are
// decoded when they are needed. With [Options.VerifiedDir] the store also remembers
// what it has verified, and then reads no more of a pack than it needs.
package fsstore
