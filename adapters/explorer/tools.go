package explorer

// toolPages are the pages about documents and versions as a whole.
func toolPages() []*page {
	return []*page{comparePage(), compareJSONPage(), compareMarkdownPage(), playPage(), codesPage(), codePage(), docsPage()}
}

// toolStyles is their style sheet.
var toolStyles = []string{"tools.css"}

// toolWords are the words of these pages.
type toolWords struct {
	Compare compareWords
	Play    playWords
	Codes   codesWords
	Docs    docsWords
}

var (
	toolsEN = toolWords{compareEN, playEN, codesEN, docsEN}
	toolsFR = toolWords{compareFR, playFR, codesFR, docsFR}
	toolsES = toolWords{compareES, playES, codesES, docsES}
)
