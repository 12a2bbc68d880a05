// Package redistest runs Redis servers for tests: the real ones, which can be
// killed, paused and started again. It needs redis-server on the PATH, and exists
// on Unix only.
package redistest
