package review

import "strings"

// vowelGroups counts the runs of vowels in a word. Each of apart begins a new run, as the
// strong vowels of Spanish do.
func vowelGroups(word, vowels, apart string) int {
	n := 0
	inside, strong := false, false
	for _, r := range word {
		vowel, isStrong := strings.ContainsRune(vowels, r), strings.ContainsRune(apart, r)
		if vowel && (!inside || isStrong && strong) {
			n++
		}
		inside, strong = vowel, isStrong
	}
	return max(n, 1)
}

// englishSyllables estimates the syllables of an English word. A final e is silent, except
// after a consonant and l, and so is that of most words in -ed and -es.
func englishSyllables(word string) int {
	word = strings.ToLower(word)
	n := vowelGroups(word, "aeiouy", "")
	for _, end := range []string{"e", "es", "ed"} {
		stem, ok := strings.CutSuffix(word, end)
		if !ok || stem == "" {
			continue
		}
		before := stem[len(stem)-1]
		switch {
		case strings.IndexByte("aeiouy", before) >= 0:
		case end == "e" && before == 'l' && len(stem) > 1 && strings.IndexByte("aeiouy", stem[len(stem)-2]) < 0: // table
		case end == "es" && strings.IndexByte("sxzcg", before) >= 0: // places
		case end == "es" && strings.HasSuffix(stem, "h"): // watches
		case end == "ed" && strings.IndexByte("td", before) >= 0: // collected
		default:
			n--
		}
	}
	for _, pair := range []string{"ia", "io", "ua"} { // radio, area; but not nation, special
		if strings.Contains(word, pair) && !strings.Contains(word, "ti"+pair[1:]) && !strings.Contains(word, "ci"+pair[1:]) && !strings.Contains(word, "si"+pair[1:]) && !strings.Contains(word, "q"+pair) && !strings.Contains(word, "g"+pair) {
			n++
			break
		}
	}
	return max(n, 1)
}

// frenchSyllables estimates the syllables of a French word as they are spoken: a final e or
// es is silent, and é, ï and ë do not share a syllable with the vowel after or before them.
func frenchSyllables(word string) int {
	word = strings.ToLower(word)
	if stem := strings.TrimSuffix(strings.TrimSuffix(word, "s"), "e"); strings.HasSuffix(stem, "é") {
		word = stem
	}
	const vowels = "aàâäeéèêëiîïoôöuùûüyœæ"
	n := vowelGroups(strings.NewReplacer("é", "é-", "ï", "-ï", "ë", "-ë").Replace(word), vowels, "")
	for _, end := range []string{"es", "e"} {
		stem, ok := strings.CutSuffix(word, end)
		if ok && stem != "" && !strings.ContainsRune(vowels, []rune(stem)[len([]rune(stem))-1]) {
			n--
			break
		}
	}
	return max(n, 1)
}

// spanishSyllables counts the syllables of a Spanish word: strong vowels and accented weak
// ones do not share a syllable, and the u of que and gui is silent.
func spanishSyllables(word string) int {
	word = strings.NewReplacer("que", "ke", "qui", "ki", "gue", "ge", "gui", "gi").Replace(strings.ToLower(word))
	return vowelGroups(word, "aáeéiíoóuúüy", "aáeéíoóú")
}

// germanSyllables counts the syllables of a German word: ei, au, eu and the like are one.
func germanSyllables(word string) int {
	return vowelGroups(strings.ToLower(word), "aäeioöuüy", "")
}
