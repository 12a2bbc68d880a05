// Package s3store reads published releases from a bucket of S3-compatible storage,
// and publishes into one.
//
//	store, err := s3store.Open(ctx, "s3://bucket/prefix", nil)
//
// Below the prefix a bucket has the layout of a directory of packed releases, except
// that a pack has its SHA-256 in its name; see package layout:
//
//	index.json
//	<type>/<date>-<status>/<content_hash>/release.json
//	<type>/<date>-<status>/<content_hash>/<pack>.pack
//	unlinked/<type>/<date>-<status>/<content_hash>
//
// # Reading
//
// A [Store] trusts nothing: it computes the content hash of what it reads, and the
// SHA-256 of a pack, and returns a release only if they are those in the index.
// Objects are limited in size, and requests in time. The index is requested with
// If-None-Match, at most once in [Options.MaxAge], or regularly with
// [Options.Interval]. A release is two requests, once for each content, and none if
// there is a copy in [Options.CacheDir]. To serve the last good data while the bucket
// can't be read, put package laststore around the store, with [Store.Cached] as its
// fallback.
//
// # Publishing
//
// A [Target] is what package publish writes to. Several publishers can work at the
// same time: objects that a release consists of are never changed, and the index is
// replaced with If-Match, so of two publishers that change it one tries again.
// Servers that ignore such conditions are refused before anything is written.
//
// The objects below unlinked/ have the time at which a release was last written, or
// left the index. What the index does not name is removed a day after that time at
// the earliest, see [publish.Options], and never while a publisher is about to use it
// again.
package s3store
