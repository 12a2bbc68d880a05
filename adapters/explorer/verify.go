package explorer

import (
	"errors"
	"net/url"

	"github.com/datachain-go/datachain/taxonomy"
)

// verifyParam names the document: its slug.
const (
	verifyPath  = "/verify"
	verifyParam = "document"
)

// independent is the verifier that shares no code with this module.
const independent = "https://github.com/datachain-go/datachain/blob/main/tools/verify/verify.mjs"

// maxProven is the size of the largest file that is verified in the browser, which is that of
// the command.
const maxProven = 16 << 20

// verifyData is the data of the page.
type verifyData struct {
	// Files are the resolved form and the proof of the document of the page, if it has one.
	Files []choice
	// Command and Node are the command lines that check them, and Source is the program for Node.
	Command, Node, Source string
	// Module and Loader are the verifier, or "" if it was not built.
	Module, Loader string
	Max            int64 // bytes of a file
}

// buildVerify checks the proof of a document: in the browser, with files that the reader
// chooses, and else it says how to check it. A document of the register has its own page,
// with its files.
func buildVerify(q *request) (*content, error) {
	w := q.words
	v := &verifyData{Source: independent, Max: maxProven}
	v.Module, v.Loader = q.links.verifier()
	c := &content{Title: w.Word("verify.title"), Description: w.Word("verify.lead"), Path: verifyPath, Data: v, Styles: toolStyles}
	if v.Module != "" {
		c.Scripts = []string{"verify.js"}
	}
	name := "document"
	if slug := q.params.Get(verifyParam); slug != "" {
		if err := q.openProven(slug); err != nil {
			return nil, err
		}
		name = q.document.Slug
		for _, extension := range []string{".resolved.json", ".proof.json"} {
			v.Files = append(v.Files, choice{Name: name + extension, URL: q.to(q.documentPath()+extension, nil)})
		}
		c.State, c.Unlisted, c.Caching = url.Values{verifyParam: {name}}, true, registerCaching
	}
	v.Command = verifyCommand(name)
	v.Node = "node verify.mjs " + name + ".resolved.json " + name + ".proof.json trust.json"
	return c, nil
}

// verifyCommand returns the command line that checks a document and its proof.
func verifyCommand(name string) string {
	return "datachain verify " + name + ".resolved.json --proof " + name + ".proof.json --trust trust.json"
}

// openProven opens a document of the register that has a proof.
func (q *request) openProven(slug string) error {
	if q.state == nil {
		return noPage()
	}
	d, ok := q.state.Document(slug)
	if !ok || d.Gone() {
		return noPage()
	}
	q.document = d
	_, err := q.proof()
	if errors.Is(err, taxonomy.ErrNotFound) {
		return noPage()
	}
	return err
}
