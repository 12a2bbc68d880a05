package sign

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// softHyphen is where a word may be divided. It is drawn only at the end of a line.
const softHyphen = "\u00ad"

// certainty is how sure a place for a hyphen has to be.
type certainty int

const (
	// parts divides German words where one of their parts has a usual end: Genehmigungs-verfahren.
	parts certainty = iota
	// likely also divides between syllables: Daten-schutz-grund-verord-nung.
	likely
	// possible divides where that is often wrong, too: Ver-kehr-sord-nung.
	possible
)

// hyphenate adds soft hyphens to a word. It knows no words, only how letters follow each other, by
// the rules of German, which has the longest words: so it is for words that are longer than a line,
// in any language in Latin letters. Words with digits and other signs, such as addresses, have no
// hyphens: readers would take them for a part.
func hyphenate(word string, c certainty) string {
	word = strings.ReplaceAll(word, softHyphen, "")
	if strings.ContainsFunc(strings.TrimFunc(word, unicode.IsPunct), func(r rune) bool {
		return !unicode.In(r, unicode.Latin, unicode.Mn) && r != '-'
	}) {
		return word
	}
	word = endings.ReplaceAllString(word, "$1"+softHyphen+"$2")
	if c > parts {
		word = syllables(word, c)
	}
	return tooShort.ReplaceAllString(word, "$1$2$3$4")
}

// endings are those of parts of words, and what follows them.
var endings = regexp.MustCompile(`(?i)(\pL(?:ungs|heits|keits|schafts|ions|täts|lings|ungen|heiten|keiten|schaften|ionen|täten|ung|heit|keit|schaft|tion))([bdfghjklmnpqrtvwzaäeioöuü])`)

// tooShort finds hyphens with fewer than three letters on one side, up to the next hyphen.
var tooShort = regexp.MustCompile(`(^|\PL)(\pL{1,2})` + softHyphen + `|` + softHyphen + `(\pL{1,2})(\PL|$)`)

// between finds the consonants between two vowels. Those that are written with several letters are
// first.
var between = regexp.MustCompile(`(?i)([aeiouyäöüáàâãéèêëíìîïóòôõúùûœæø])((?:sch|ch|ck|ph|qu|rh|sh|th|[bcdfghjklmnpqrstvwxzßñç])+)([aeiouyäöüáàâãéèêëíìîïóòôõúùûœæø])`)

// consonant is one of them.
var consonant = regexp.MustCompile(`(?i)sch|ch|ck|ph|qu|rh|sh|th|.`)

// syllables adds soft hyphens before the last consonant between two vowels, or before the last two if
// they are usual at the beginning of a part.
func syllables(word string, c certainty) string {
	var b strings.Builder
	for {
		at := between.FindStringSubmatchIndex(word)
		if at == nil {
			return b.String() + word
		}
		cluster := consonant.FindAllString(word[at[4]:at[5]], -1)
		n, last, sure := len(cluster), 1, true
		switch ends := strings.ToLower(strings.Join(cluster[max(0, n-2):], "")); {
		case n > 2 && slices.Contains([]string{"bl", "br", "fl", "fr", "gl", "gr", "kl", "kr", "pl", "pr"}, ends):
			last = 2
		case n > 2 && slices.Contains([]string{"dr", "tr", "sp", "st"}, ends): // Haupt-rolle and In-dus-trie
			sure = false
		case n > 1 && ends != "ss" && strings.HasSuffix(ends, "s"): // Verkehrs-ordnung and Per-son
			sure = false
		}
		head := strings.Join(cluster[:n-last], "")
		b.WriteString(word[:at[4]] + head)
		if sure || c == possible {
			b.WriteString(softHyphen)
		}
		word = word[at[4]+len(head):]
	}
}
