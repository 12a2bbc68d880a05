// Package load tests servers under load, which vegeta makes. It is a module of its own, so that its
// dependencies are not those of the project.
package load
