// Package excerpt shortens what came from outside to what a message can bear.
package excerpt

// Of returns a text of at most limit characters, and a longer one cut there, with
// an ellipsis. A character is a code point, and never split; a byte that is no
// UTF-8 is one, and kept.
func Of(s string, limit int) string {
	count := 0
	for i := range s {
		if count++; count > limit {
			return s[:i] + "…"
		}
	}
	return s
}
