// Command cache measures what a cache in front of the server answers, and writes its section of
// docs/internals/measurements.md. The caches are nginx and Varnish with the configurations in
// deploy, in front of the datachain command of this tree with a register of generated documents.
//
// Clients send a mix of requests: pages, JSON, icons, searches, lists and documents. The program
// counts which of them the cache answered, and measures the CPU time of the server and of the
// cache. It also checks what the configurations promise, and fails if one breaks a promise: many
// requests for a new page become one, an expired page is sent once more while the server confirms
// it, clients get their language, what is removed is fetched again, and pages stay available while
// the server is down. Run it with "make bench-cache" in the root, which installs the caches.
package main
