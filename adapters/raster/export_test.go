//go:build full

package raster

// OpenWith is [Open] with another configuration of the runtime.
var OpenWith = open
