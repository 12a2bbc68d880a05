package explorer

// toolPages are the pages about documents and versions as a whole.
func toolPages() []*page {
	return []*page{playPage(), codesPage(), codePage(), docsPage()}
}

// toolStyles is their style sheet.
var toolStyles = []string{"tools.css"}

// toolWords are the words of these pages.
type toolWords struct {
	Play  playWords
	Codes codesWords
	Docs  docsWords
}

var (
	toolsEN = toolWords{playEN, codesEN, docsEN}
	toolsFR = toolWords{playFR, codesFR, docsFR}
	toolsES = toolWords{playES, codesES, docsES}
)
