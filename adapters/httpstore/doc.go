// Package httpstore is a [taxonomy.Store] over HTTP: it follows a datachain
// server, and serves on when that can't be reached.
//
//	GET <base>/api/v2/schemas
//	GET <base>/api/v2/schemas/<version>/release
//
// The index is asked for again when it is older than [Options.MaxAge], with
// If-None-Match, so that an unchanged one costs next to nothing. A release is
// read once for each content that the index names, however many callers ask
// for it at the same time.
//
// # Never wrong
//
// A server is not believed: the content hash of a release is computed from what
// arrived, and must be the one in the index. Answers are bounded in size, after
// decompression, and in time. Redirects are not followed: a store talks to the
// address that it was opened with and to no other. A stable release that the
// store holds never changes, whatever the server says later; that it says so
// is reported, and wraps [taxonomy.ErrStableChanged].
//
// # Last good
//
// While the server can't be reached, is overloaded or answers what can't be
// used, the store serves the last good index and releases that it has, and
// tells of the trouble through [Options.Report] and [Store.Err]. It asks again
// when it is called, and by itself while somebody listens to [Store.Changes],
// but less and less often, down to once a minute, and keeps to a Retry-After.
// The first caller who meets the trouble waits for the outcome, at most a
// timeout; while it lasts, nobody does who can be served.
//
// With [Options.CacheDir] the last good copies outlive the program, and one
// that starts offline serves them. The folder holds, for each server,
// the exact bytes of the index and of one release a version: the newest that
// was good. What the index no longer lists is removed after a week. Files are
// put in place by renaming, and checked each time they are read, so that
// several programs can share the folder and a damaged file is merely fetched
// again. Removing the folder loses nothing that the server still has.
package httpstore
