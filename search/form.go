package search

import "unicode/utf8"

// formLetters is how many letters two words must begin with in common to be
// forms of one word.
const formLetters = 5

// isForm reports whether two words may be forms of one: camera and cameras,
// explain and explanation, traduire and traduction. They begin with the same
// letters, which are five at least and half of the longer word. That serves all
// languages whose words change at the end, and no worse than their stemmers.
func isForm(a, b []byte) bool {
	shared := letters(a[:common(a, b)])
	return shared >= formLetters && 2*shared >= max(letters(a), letters(b))
}

// formBegin returns what all forms of a word begin with, which has formLetters
// or more.
func formBegin(word []byte) []byte {
	end := 0
	for range max(formLetters, (letters(word)+1)/2) {
		_, size := utf8.DecodeRune(word[end:])
		end += size
	}
	return word[:end]
}

// letters counts the letters of a term, which is valid UTF-8. [utf8.RuneCount]
// allocates for long ones.
func letters(term []byte) int {
	n := 0
	for _, c := range term {
		if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}

// common returns how many bytes two words begin with in common, whole letters
// alone.
func common(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}
