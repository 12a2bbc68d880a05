// Package metrics provides Prometheus metrics for a service: requests, the rate
// limiter, reads of the store, and the loaded releases.
//
//	var store *laststore.Store
//	m := metrics.New(&metrics.Options{InTrouble: func() bool { return store.Err() != nil }})
//	store = laststore.New(m.Store(inner), &laststore.Options{Report: m.Report})
//	service, err := datachain.New(store, &datachain.Options{Report: m.Report})
//	http.Handle("/metrics", m.Page())
//
// The example also wires the HTTP handler and the limiter. Put the counted store
// inside the laststore.Store, which hides failures: then they are counted.
//
// The metrics are
//
//	datachain_http_requests_total{route,method,code}
//	datachain_http_request_duration_seconds{route}      histogram
//	datachain_http_response_bytes_total{route}
//	datachain_http_requests_in_flight                   in the handler of Handler
//	datachain_limiter_requests_total{bucket,outcome}    allowed or refused
//	datachain_limiter_keys
//	datachain_limiter_bytes
//	datachain_limiter_evicted_total
//	datachain_limiter_unchecked_total                   requests that passed because the limiter failed or was too slow
//	datachain_shared_away                               1 while Redis is away
//	datachain_shared_away_total
//	datachain_shared_decisions_total{by}                redis, repeated or local
//	datachain_shared_batches_total                      round trips for checks
//	datachain_shared_checks_total
//	datachain_shared_wait_seconds_total
//	datachain_shared_errors_total{kind}
//	datachain_shared_refusals
//	datachain_shared_pages_total{operation,outcome}     put or get; redis or none
//	datachain_store_reads_total{kind,outcome}           index, release, icon or search; ok, not_found, canceled or error
//	datachain_store_read_duration_seconds{kind}         histogram
//	datachain_store_trouble_total                       problems that were reported
//	datachain_store_in_trouble                          1 while the store has a problem
//	datachain_index_age_seconds                         since the store was last found to have the served index
//	datachain_oldest_unread_change_seconds              since the index first named content that was not read
//	datachain_aliases_held                              aliases that wait for a version that can't be read
//	datachain_release_info{version,content_hash}        1 for each loaded release
//	datachain_build_info{version,revision,goversion}    1
//
// and those of the Go runtime and the process (go_*, process_*).
//
// The number of series is bounded whatever clients send: a route is a pattern,
// all unknown URLs are one, and unknown methods and statuses are "other".
package metrics
