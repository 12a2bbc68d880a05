//go:build full

package raster

// OpenWith is [Open] with another configuration of the runtime.
var OpenWith = open

// Compiled returns whether images can be drawn without compiling the module first.
func Compiled(r *Renderer) bool { return r.module != nil }
