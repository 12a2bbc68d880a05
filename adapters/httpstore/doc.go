// Package httpstore provides a [taxonomy.Store] over HTTP that follows a
// datachain server.
//
//	GET <base>/api/v2/schemas
//	GET <base>/api/v2/schemas/<version>/release
//
// The index is requested again when it is older than [Options.MaxAge], with
// If-None-Match, so that an unchanged one costs next to nothing. A release is
// requested once for each content that the index names, however many callers ask
// for it at the same time.
//
// # Verification
//
// The server is not trusted: the content hash of a release is computed from what
// arrived, and must be the one in the index. Responses are limited in size, after
// decompression, and in time. Redirects are not followed: a store talks to the
// URL that it was opened with and to no other. An index that drops stable versions, or
// all versions, without listing them as retired, or that lists other content for a
// stable version, is refused in favor of the last good one: [Store.Err] then wraps
// [taxonomy.ErrRollback].
//
// # Failures
//
// If the server can't be reached, is overloaded or sends something that can't be
// used, calls fail. The server is asked again when the store is called, and by
// the store itself while a program listens to [Store.Changes], but less and less
// often, down to once a minute, and not before the time that its Retry-After
// names. Until then calls fail at once, with the same error.
//
// With [Options.CacheDir] the store keeps copies on disk. It then does not
// request a release that it has a copy of, and [Store.Cached] serves the copies
// without a network. To keep serving while the server fails, also after a
// restart, combine both with package laststore:
//
//	store := laststore.New(remote, &laststore.Options{Fallback: remote.Cached()})
//
// The directory holds, for each server, the exact bytes of the index and of one
// release per version: the newest that was good. A release is removed a week
// after the index stopped listing it. Files are put in place by renaming, and
// verified each time they are read, so that several programs can share the
// directory and a damaged file is just fetched again. The directory can be
// removed at any time.
package httpstore
