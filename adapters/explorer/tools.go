package explorer

// toolPages are the pages about documents and versions as a whole.
func toolPages() []*page { return []*page{playPage(), codesPage(), codePage()} }

// toolStyles is their style sheet.
var toolStyles = []string{"tools.css"}

// toolWords are the words of these pages.
type toolWords struct {
	Play  playWords
	Codes codesWords
}

var (
	toolsEN = toolWords{playEN, codesEN}
	toolsFR = toolWords{playFR, codesFR}
	toolsES = toolWords{playES, codesES}
)
