//go:build full

package sign

// OpenRendererWith is [OpenRenderer] with another configuration of the runtime.
var OpenRendererWith = openRenderer

// Compiled reports whether images can be drawn without waiting for the compiler.
func Compiled(r *Renderer) bool {
	select {
	case <-r.compiled:
		return true
	default:
		return false
	}
}
