// Package s3servers tests stores in buckets with real servers and another client. It is
// a module of its own, so that their dependencies are not those of the project.
package s3servers
