package texts

import (
	_ "embed" // of the table of words

	"github.com/datachain-go/datachain/taxonomy"
)

// Face are the words that all faces of a document share, in one language: the page, the
// row of a list, the sign, the board and the plain text show the same summary.
type Face struct {
	Lang string
	// Headings are the names of the points of a summary, by role.
	Headings map[taxonomy.Role]string
	// Nothing says that a document has nothing about a point, by role; the one of the
	// empty role is for points of taxonomies without roles.
	Nothing     map[taxonomy.Role]string
	AtMost      string // before the highest context value, as a sentence with a %s
	NoSafeguard string
	NoContact   string
	ScanToAsk   string // beside the code of a sign, if a right has a contact
	ScanToLearn string
	AsOf        string // before the date of an edition
	Icons       string // before the attribution of icons
}

//go:embed words.csv
var table string

var faces = Words[Face](table)

// FaceIn returns the words in a language, or in English.
func FaceIn(locale string) *Face { return faces().In(locale) }
