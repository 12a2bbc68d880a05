// Package testengine has what tests run against: real Redis servers, which can be killed,
// paused and started again, an S3-compatible server in memory, and temporary directories in
// memory. Redis servers need redis-server on the PATH, and exist on Unix only.
package testengine
