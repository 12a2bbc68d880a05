// Package publish puts releases into a store and takes them out of it again. It
// decides what a release consists of, what is refused and what is written in
// which order; a [Target], such as a directory or a bucket, does the writing:
//
//	target, err := fsstore.CreateTarget(ctx, "published")
//	if err != nil { … }
//	defer target.Close()
//	report, err := publish.Publish(ctx, target, publications, nil)
//
// # Consistent at any moment
//
// The files of a release lie under its content hash and are written before the
// index names them. The index is replaced in one step. So whatever happens to a
// publisher, readers find the old state or the new one, and publishing again
// completes the work. Files that the index no longer names are kept for a while
// for readers that still need them; a later call removes them (see
// [Options.KeepFor]).
//
// Each change of the index makes its sequence one greater, so that readers can tell an
// older index from a newer one. Once the index names a stable version, a file that is
// never replaced binds the version to its content. Other content is refused then,
// whatever the index says: it may be a copy from before the version was published.
//
// # Layouts
//
// A release is stored as a pack or as separate files (see [Layout]); its index
// entry says which. Publishing it again can change the layout, or what a pack
// contains. Then the new files are written beside those that the index names. In a
// [Directory] a pack has a fixed name, so before it is replaced, the index is made to
// name the release as files for a moment. In a [Shared] target a pack has its SHA-256
// in its name, and the other one is removed later.
//
// # Several publishers
//
// A target either excludes other publishers or detects them. If another
// publisher replaces the index first, the functions of this package read the new
// index, check the change against it and try again, for as long as others make
// progress or until the context ends.
package publish
