package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"path"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/pages/internal/check"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// sending describes how to submit a document to the register.
type sending struct {
	// To names who receives the text, and URL is the page of a forge or a mail that a person opens.
	// They are "" if the register does not say it.
	To, URL string
	// Own is what the register says, and What is what to do there. Both are "" or a few sentences.
	Own, What phrases.Text
	// Ask means that the contacts of the publisher are shown, since the register does not say where
	// to send documents. Page is its contact page, or "".
	Ask  bool
	Page string
	// Save means that a script saves the file, as File, when it opens the page, Copy that it copies the
	// text. Without either, the page has the text already.
	Save, Copy bool
	File       string
}

// maxFilled is the maximum length of an address that contains the text of a new file.
const maxFilled = 8000

// changeDocument opens a published document in the form.
func (q *request) changeDocument(slug string) (*core.Content, error) {
	if q.Register == nil {
		return nil, core.NoPage()
	}
	d, ok := q.Register.Document(slug)
	if !ok || d.Removed() {
		return nil, core.NoPage()
	}
	text, err := q.Site.Register.Text(q.Ctx, d, d.Current, register.Thin)
	if errors.Is(err, taxonomy.ErrNotFound) {
		return nil, core.NoPage()
	}
	if err != nil {
		return nil, err
	}
	shown, err := q.newComposition(&composeState{Change: slug}, string(text))
	if err != nil {
		return nil, err
	}
	return q.composeContent(shown), nil
}

// Sending returns how to submit the document to the register.
func (c *composeForm) Sending() *sending {
	w := c.Words
	s := &sending{What: c.Own(w.Word("compose.finishlead"))}
	if c.Register == nil {
		return s
	}
	to := c.Register.Settings().Contribute
	s.Own = c.Text(to.Text)
	id := idOf(core.TextAt(c.doc.Root(), "id"))
	s.File = check.SavedName(c.doc)
	switch {
	case to.Email != "":
		s.To, s.Save = to.Email, true
		title := i18n.OneLine(c.Text(localizedOf(c.doc.Root(), "title")).Value)
		// In the query of a mailto, a plus sign is no space (RFC 6068, section 5).
		s.URL = "mailto:" + url.PathEscape(to.Email) + "?subject=" + strings.ReplaceAll(url.QueryEscape(title), "+", "%20")
		s.What = c.Own(w.Word("compose.sendmail", s.To))
	case to.Repository != "":
		s.To = strings.TrimPrefix(strings.TrimPrefix(to.Repository, "https://"), "http://")
		forge := forges[to.Kind]
		page := func(does, name string) string {
			return to.Repository + does + (&url.URL{Path: path.Join(to.Branch, to.Folder, name)}).EscapedPath()
		}
		changed, _ := c.Register.Document(c.Change)
		if changed != nil && path.Ext(changed.File()) == ".json" {
			s.URL, s.Copy = page(forge.edit, changed.File()), true
			s.What = c.Own(w.Word("compose.sendedit", s.To))
			break
		}
		s.URL = page(forge.add, "") + "?" + forge.name + "=" + url.QueryEscape(id+".json")
		if filled := s.URL + "&value=" + url.QueryEscape(compact(c.doc)); forge.fills && len(filled) <= maxFilled {
			s.URL, s.What = filled, c.Own(w.Word("compose.sendfilled", s.To))
		} else if forge.upload != "" {
			s.URL, s.Save = page(forge.upload, ""), true
			s.What = c.Own(w.Word("compose.sendupload", s.To))
		} else {
			s.Copy, s.What = true, c.Own(w.Word("compose.sendpaste", s.To))
		}
	}
	switch {
	case s.URL != "":
	case !s.Own.Empty():
		s.What = phrases.Text{}
	default:
		publisher := &c.Register.Settings().Publisher
		s.Ask = true
		if name := c.Text(publisher.Name); !name.Empty() {
			s.What = c.naming("compose.finishto", name)
		}
		if ident.IsURL(publisher.Contact.URL) {
			s.Page = publisher.Contact.URL
		}
	}
	return s
}

// forge is how the pages of a forge are addressed, after the repository and before the branch.
type forge struct {
	add, upload, edit string
	name              string // the parameter with the name of a new file
	fills             bool   // whether it takes the text of a new file as well
}

var forges = map[string]forge{
	"github":  {add: "/new/", upload: "/upload/", edit: "/edit/", name: "filename", fills: true},
	"forgejo": {add: "/_new/", upload: "/_upload/", edit: "/_edit/", name: "filename", fills: true},
	"gitlab":  {add: "/-/new/", edit: "/-/edit/", name: "file_name"},
}

// compact returns the text of a document without white space.
func compact(doc *document.Document) string {
	var b bytes.Buffer
	if err := json.Compact(&b, doc.Text()); err != nil {
		return string(doc.Text())
	}
	return b.String()
}
