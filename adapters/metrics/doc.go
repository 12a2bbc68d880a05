// Package metrics counts what a service does, for Prometheus: requests, the
// limiter, reads of the store, and which releases are loaded.
//
//	m := metrics.New(nil)
//	service := datachain.New(m.Store(store), &datachain.Options{Report: m.Report})
//	handler, err := httpapi.New(service, &httpapi.Options{
//		Observe: func(o httpapi.Observation) { m.Observe(metrics.Request(o)) },
//	})
//	…
//	http.Handle("/", m.Handler(handler))
//	http.Handle("/metrics", m.Page())
//
// The example has all of it, the limiter and a store that tells of trouble
// included.
//
// # Who tells of trouble
//
// [Metrics.Report] belongs in two places. A store that serves its last good copy
// while it can't read (fsstore, httpstore) hides that from the service, so only
// the options of the store can tell; its Recovered says when it is over, which
// [Options.InTrouble] needs. The service has a last good answer, too, for stores
// that fail outright, and tells of those in its own options. What the store has
// hidden does not reach the service, so nothing is told twice.
//
// # What is there
//
//	datachain_http_requests_total{route,method,code}
//	datachain_http_request_duration_seconds{route}      histogram
//	datachain_http_response_bytes_total{route}
//	datachain_http_requests_in_flight                   what the handler of Handler answers now
//	datachain_limiter_requests_total{bucket,outcome}    allowed or refused
//	datachain_limiter_keys
//	datachain_limiter_bytes
//	datachain_limiter_evicted_total
//	datachain_store_reads_total{kind,outcome}           index, release, icon or search; ok, not_found, canceled or error
//	datachain_store_read_duration_seconds{kind}         histogram
//	datachain_store_trouble_total                       failures that were told
//	datachain_store_in_trouble                          1 while the store fails
//	datachain_release_info{version,content_hash}        1 for each release that is loaded
//	datachain_build_info{version,revision,goversion}    1
//
// and what the Go runtime and the process tell of themselves (go_*, process_*).
//
// The number of series is bounded whatever clients send: a route is a pattern,
// all unknown addresses are one, and methods and statuses that HTTP does not
// know are "other". Each [Metrics] has a registry of its own, so a program may
// have several.
package metrics
