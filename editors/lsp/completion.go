package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/taxonomy/document"
)

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

type completionItem struct {
	Label               string         `json:"label"`
	LabelDetails        *labelDetails  `json:"labelDetails,omitzero"`
	Kind                int            `json:"kind"`
	Detail              string         `json:"detail,omitempty"`
	Documentation       *markupContent `json:"documentation,omitzero"`
	SortText            string         `json:"sortText"`
	FilterText          string         `json:"filterText"`
	InsertTextFormat    int            `json:"insertTextFormat"`
	TextEdit            textEdit       `json:"textEdit"`
	AdditionalTextEdits []textEdit     `json:"additionalTextEdits,omitempty"`
	Tags                []int          `json:"tags,omitempty"`
}

type labelDetails struct {
	Detail      string `json:"detail,omitempty"`
	Description string `json:"description,omitempty"`
}

// Kinds and formats of completion items.
const (
	itemProperty = 10
	itemValue    = 12
	itemEnum     = 13
	itemSnippet  = 15
	itemConstant = 21

	itemTagDeprecated = 1

	formatPlain   = 1
	formatSnippet = 2
)

// maxItems limits how many items a list has. If there are more, the client asks again
// when more was typed.
const maxItems = 100

// proposal is something that can be inserted.
type proposal struct {
	// id is what is inserted, unless there is a text. It is shown after the
	// title.
	id, title string
	// group says what it belongs to, such as a category.
	group string
	// description is shown beside the list.
	description string
	// text is the JSON to insert; nil means the id as a string.
	text *snippet
	kind int
	// found is set if it fits although it may not contain what was typed.
	found bool
	// deprecated is set if documents should not use it.
	deprecated bool
}

// completion offers what can be typed at a position.
func (q *query) completion(ctx context.Context, p *positionParams) (any, error) {
	at := q.text.tree().At(q.text.lines().offset(p.Position))
	var proposals []proposal
	var err error
	more := false
	switch {
	case at.Role == document.RoleKey:
		proposals = q.keys(at)
	case at.Role == document.RoleValue && len(at.Path) == 0:
		proposals, err = q.skeletons(ctx)
	case at.Role == document.RoleValue:
		proposals, more, err = q.values(ctx, at)
	}
	if err != nil {
		return nil, err
	}
	list := newCompletionList(proposals, at.Prefix, func(c proposal, rank int) completionItem { return q.item(at, c, rank) })
	list.IsIncomplete = list.IsIncomplete || more
	return list, ctx.Err()
}

// newCompletionList returns the proposals that fit what was typed or, if none does, those
// that it may be a misspelling of.
func newCompletionList(proposals []proposal, typed string, item func(c proposal, rank int) completionItem) completionList {
	list := completionList{Items: []completionItem{}}
	if !slices.ContainsFunc(proposals, func(c proposal) bool { return c.matches(typed) }) {
		near := nearest(typed, proposals, func(c *proposal) string { return c.id })
		proposals = make([]proposal, len(near))
		for i, c := range near {
			proposals[i] = *c
			proposals[i].found = true
		}
		list.IsIncomplete = typed != "" // what is typed next may be nearer
	}
	for _, c := range proposals {
		if !c.matches(typed) {
			continue
		}
		if len(list.Items) == maxItems {
			list.IsIncomplete = true
			break
		}
		list.Items = append(list.Items, item(c, len(list.Items)))
	}
	return list
}

// nearest returns a few items of a list whose ids begin with something similar to what was
// typed.
func nearest[T any](typed string, list []T, id func(*T) string) []*T {
	if len(typed) < 3 { // almost anything is near
		return nil
	}
	begin := func(item *T) string {
		name := id(item)
		return name[:min(len(name), len(typed))] // which may end within a character
	}
	names := func(yield func(string) bool) {
		last := ""
		for i := range list {
			name := begin(&list[i])
			if name != last && !yield(strings.ToValidUTF8(name, "")) { // neighbours often begin with the same category
				return
			}
			last = name
		}
	}
	const most = 3
	var near []*T
	for _, name := range similar.AllNearest(typed, names, most) {
		for i := range list {
			if len(near) < 2*most && strings.ToValidUTF8(begin(&list[i]), "") == name {
				near = append(near, &list[i])
			}
		}
	}
	return near
}

// matches reports whether a proposal fits what was typed: all of its words are in the
// id or the title.
func (c *proposal) matches(typed string) bool {
	if typed == "" || c.found {
		return true
	}
	within := strings.ToLower(c.id + " " + c.title)
	for word := range strings.FieldsFuncSeq(strings.ToLower(typed), unicode.IsSpace) {
		if !strings.Contains(within, word) {
			return false
		}
	}
	return true
}

// item returns a proposal as the client gets it, without what it inserts.
func (s *session) item(typed string, c proposal, rank int) completionItem {
	item := completionItem{
		Label: c.id, Kind: c.kind, SortText: fmt.Sprintf("%04d", rank), InsertTextFormat: formatPlain,
		FilterText: strings.TrimSpace(c.id + " " + c.title), Detail: c.group,
	}
	if c.deprecated {
		item.Tags = []int{itemTagDeprecated}
	}
	if c.found && typed != "" {
		item.FilterText = typed + " " + item.FilterText
	}
	if c.title != "" {
		if s.client.labelDetails {
			item.Label, item.LabelDetails = c.title, &labelDetails{Detail: " " + c.id, Description: c.group}
		} else {
			item.Label = c.title + " (" + c.id + ")"
		}
	}
	if c.description != "" {
		m := &markup{plain: !s.client.markdownItems}
		m.paragraph(c.description)
		item.Documentation = m.content()
	}
	return item
}

// item returns a proposal with the JSON that it inserts.
func (q *query) item(at document.Cursor, c proposal, rank int) completionItem {
	item := q.session.item(at.Prefix, c, rank)
	text := quote(c.id)
	if c.text != nil {
		text = c.text.String()
		if c.text.stops > 0 {
			item.InsertTextFormat = formatSnippet
		}
	}
	q.insert(&item, at, text)
	return item
}

// insert sets the edit of an item, with the punctuation that is missing. A string
// replaces what is after the opening quote, so that clients compare what was typed
// with the filter text, and not a quote. It leaves the closing quote, which is outside of
// the stop of a snippet that is being filled in: an edit of it would end the snippet.
func (q *query) insert(item *completionItem, at document.Cursor, text string) {
	lines := q.text.lines()
	from, to := at.Replace.Start, at.Replace.End
	before := ""
	if at.Missing.ColonBefore {
		before = ": "
	}
	if at.Missing.CommaBefore {
		before = ", "
	}
	quoted := from < to && q.text.content[from] == '"'
	switch {
	case quoted && text[0] == '"':
		if before != "" {
			item.AdditionalTextEdits = []textEdit{{lines.span(from, from), before}}
		}
		from, text = from+1, text[1:]
		if last := to - 1; last >= from && q.text.content[last] == '"' && q.text.content[last-1] != '\\' && strings.HasSuffix(text, `"`) {
			if at.Missing.CommaAfter {
				item.AdditionalTextEdits = append(item.AdditionalTextEdits, textEdit{lines.span(to, to), ","})
			}
			item.TextEdit = textEdit{lines.span(from, last), text[:len(text)-1]}
			return
		}
	case quoted:
		item.FilterText = `"` + item.FilterText
		text = before + text
	default:
		text = before + text
	}
	if at.Missing.CommaAfter {
		text += ","
	}
	item.TextEdit = textEdit{lines.span(from, to), text}
}
