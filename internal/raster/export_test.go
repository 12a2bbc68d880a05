//go:build full

package raster

// OpenWith is [Open] with another configuration of the runtime.
var OpenWith = open

// Compiled reports whether images can be drawn without waiting for the compiler.
func Compiled(r *Renderer) bool {
	select {
	case <-r.compiled:
		return true
	default:
		return false
	}
}
