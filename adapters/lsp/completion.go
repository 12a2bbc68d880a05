package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document/tolerant"
	"github.com/datachain-go/datachain/taxonomy/issue"
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
	Data                *itemData      `json:"data,omitzero"`
}

// itemData finds the documentation of an item, for clients that ask for it.
type itemData struct {
	List int `json:"list"`
	Item int `json:"item"`
}

// described is the list of items that was sent last. The session's lock guards it.
type described struct {
	list  int
	texts []*markupContent // of its items
}

// describeLater keeps the documentation of items until the client asks for it: a list is
// sent after each key that a user presses, and few of its items are looked at.
func (s *session) describeLater(list completionList) completionList {
	if !s.client.resolves {
		return list
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.described.list++
	s.described.texts = make([]*markupContent, len(list.Items))
	for i := range list.Items {
		item := &list.Items[i]
		if item.Documentation != nil {
			item.Data, s.described.texts[i] = &itemData{s.described.list, i}, item.Documentation
			item.Documentation = nil
		}
	}
	return list
}

// resolveItem returns an item with its documentation, if it is one of the last list.
func (s *session) resolveItem(params jsontext.Value) (answerFunc, error) {
	item, err := decode[map[string]jsontext.Value](params)
	if err != nil {
		return nil, err
	}
	var data itemData
	if err := json.Unmarshal((*item)["data"], &data); err != nil {
		return func(context.Context) (any, error) { return item, nil }, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.described; data.List == d.list && 0 <= data.Item && data.Item < len(d.texts) {
		text, err := json.Marshal(d.texts[data.Item])
		if err != nil {
			return nil, err
		}
		(*item)["documentation"] = text
	}
	return func(context.Context) (any, error) { return item, nil }, nil
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
	// found is set if search found it, perhaps by other words.
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
	case at.Role == tolerant.Key:
		proposals = q.keys(at)
	case at.Role == tolerant.Value && len(at.Path) == 0:
		proposals, err = q.skeletons(ctx)
	case at.Role == tolerant.Value:
		proposals, more, err = q.values(ctx, at)
	}
	if err != nil {
		return nil, err
	}
	list := newCompletionList(proposals, at.Prefix, func(c proposal, rank int) completionItem { return q.item(at, c, rank) })
	list.IsIncomplete = list.IsIncomplete || more
	return q.session.describeLater(list), ctx.Err()
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

// nearest returns the few items of a list whose ids begin nearly like what was typed.
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
func (q *query) item(at tolerant.Cursor, c proposal, rank int) completionItem {
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
func (q *query) insert(item *completionItem, at tolerant.Cursor, text string) {
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

func (q *query) snippet() *snippet { return &snippet{plain: !q.session.client.snippets} }

// keys offers the keys that an object still lacks, the required ones first.
func (q *query) keys(at tolerant.Cursor) []proposal {
	taken := make(map[string]bool)
	for n := range at.Siblings() {
		taken[n.Key()] = true
	}
	var proposals []proposal
	switch placeOf(at.Path.Key("*")) {
	case provenancePlace:
		proposals = q.placementIDs(false)
	case rationalePlace:
		if e := q.provenanceOf(at.Path[len(at.Path)-2].Name()); e != nil {
			for i := range e.Variables {
				proposals = append(proposals, q.variableProposal(&e.Variables[i]))
			}
		}
	default:
		proposals = q.fields(at.Path)
	}
	proposals = slices.DeleteFunc(proposals, func(c proposal) bool { return taken[c.id] })
	for i := range proposals {
		proposals[i].text = q.keyText(at, proposals[i].id)
	}
	return proposals
}

// fields returns the fields of an object by its shape. Those that only resolved
// documents have are offered in these alone: a person does not write them.
func (q *query) fields(path issue.Path) []proposal {
	_, resolved := q.document().Get("schema_snapshot")
	return slices.DeleteFunc(fieldsOf(documentShape().at(path)), func(c proposal) bool {
		return len(path) == 0 && !resolved && (c.id == "schema_snapshot" || c.id == "suggested_elements")
	})
}

// fieldsOf returns the fields of an object that has one of the shapes, the required
// ones first.
func fieldsOf(shapes []*shape) []proposal {
	var required, others []proposal
	seen := make(map[string]bool)
	for _, s := range shapes {
		for _, p := range s.Properties {
			if seen[p.name] {
				continue
			}
			seen[p.name] = true
			c := proposal{id: p.name, kind: itemProperty, description: p.shape.Description}
			if slices.Contains(s.Required, p.name) {
				c.group = "required"
				required = append(required, c)
			} else {
				others = append(others, c)
			}
		}
	}
	return append(required, others...)
}

// keyText returns a key with an empty value, unless it has one already.
func (q *query) keyText(at tolerant.Cursor, key string) *snippet {
	s := q.snippet().quoted(key)
	if !at.Missing.ColonAfter {
		return s
	}
	return q.gap(s.raw(": "), at.Path.Key(key))
}

// gap adds an empty value of what belongs at a path.
func (q *query) gap(s *snippet, path issue.Path) *snippet {
	root := documentShape()
	if key := path.Field(); key == "created_at" || key == "updated_at" {
		return s.quoted(now())
	}
	if v := q.variable(path); v != nil && placeOf(path) == "elements[].variables[].value" {
		return q.variableValue(s, v)
	}
	shapes := root.at(path)
	if len(shapes) == 0 {
		return s.stop()
	}
	return s.value(cmp.Or(root.kind(shapes[0]), '"')) // the simple form of a label
}

// now returns the current time as documents have it.
func now() string { return time.Now().UTC().Format(time.RFC3339) }

// latestVersions offers the latest version of each type.
func (q *query) latestVersions(ctx context.Context) ([]proposal, error) {
	index, err := q.root.releases.Service.Versions(ctx)
	if err != nil {
		return nil, err
	}
	var proposals []proposal
	for _, e := range index.Entries() {
		if slices.Contains(e.Aliases, e.ID.Type()+"@"+codes.AliasLatest) {
			proposals = append(proposals, proposal{id: e.ID.String(), kind: itemConstant})
		}
	}
	return proposals, nil
}

// skeletons offers whole documents, one for each type: they pin its latest version.
func (q *query) skeletons(ctx context.Context) ([]proposal, error) {
	proposals, err := q.latestVersions(ctx)
	for i := range proposals {
		c := &proposals[i]
		s := q.snippet().raw("{\n  ").key("id").value('"').raw(",\n  ").key("schema_version").quoted(c.id)
		s.raw(",\n  ").key("created_at").quoted(now()).raw(",\n  ").key("elements").raw("[\n    ").stop().raw("\n  ]\n}\n")
		c.title, c.kind, c.text, c.description = "Datachain", itemSnippet, s, "A new document that pins "+c.id+"."
	}
	return proposals, err
}

// placementIDs returns the ids by which other parts of a document refer to
// placements: the element_instance_id or, if the element is placed once, its
// element_id.
func (q *query) placementIDs(asValues bool) []proposal {
	list, _ := q.document().Get("elements")
	count := make(map[string]int)
	for p := range list.All() {
		id, _ := p.Get("element_id")
		count[id.Text()]++
	}
	var proposals []proposal
	for p := range list.All() {
		element, _ := p.Get("element_id")
		instance, _ := p.Get("element_instance_id")
		id := instance.Text()
		if id == "" && count[element.Text()] == 1 {
			id = element.Text()
		}
		if id == "" {
			continue
		}
		c := proposal{id: id, kind: itemProperty, group: "placement"}
		if asValues {
			c.kind = itemValue
		}
		if e := q.element(element.Text()); e != nil {
			c.title = q.title(e)
		}
		proposals = append(proposals, c)
	}
	return proposals
}

func (q *query) variableProposal(v *taxonomy.Variable) proposal {
	c := proposal{id: v.ID, title: q.pick(v.Label), kind: itemValue}
	if v.Required {
		c.group = "required"
	}
	var options []string
	for _, o := range v.Options {
		options = append(options, q.pick(o.Label))
	}
	c.description = strings.Join(options, ", ")
	return c
}

// snippet builds a text to insert, with stops for the user to fill in.
type snippet struct {
	// plain leaves out the stops, for clients that do not know them.
	plain bool
	stops int
	// The same text without and with stops.
	text, b strings.Builder
}

// raw adds JSON text.
func (s *snippet) raw(text string) *snippet {
	s.text.WriteString(text)
	for _, r := range text {
		if r == '\\' || r == '$' || r == '}' {
			s.b.WriteByte('\\')
		}
		s.b.WriteRune(r)
	}
	return s
}

// add adds another snippet.
func (s *snippet) add(other *snippet) *snippet {
	s.text.WriteString(other.text.String())
	s.b.WriteString(other.b.String())
	s.stops += other.stops
	return s
}

// quoted adds a string with its quotes.
func (s *snippet) quoted(text string) *snippet { return s.raw(quote(text)) }

// stop adds a place to fill in.
func (s *snippet) stop() *snippet {
	if !s.plain {
		s.stops++
		s.b.WriteString("$" + strconv.Itoa(s.stops))
	}
	return s
}

// key adds a key and its colon.
func (s *snippet) key(name string) *snippet { return s.quoted(name).raw(": ") }

// value adds an empty value of a kind, with a stop in it.
func (s *snippet) value(kind byte) *snippet {
	switch kind {
	case '"':
		return s.raw(`"`).stop().raw(`"`)
	case '[':
		return s.raw("[").stop().raw("]")
	case '{':
		return s.raw("{").stop().raw("}")
	case '0':
		return s.raw("0").stop()
	case 't':
		return s.raw("true").stop()
	}
	return s.stop()
}

// String returns the text, as a snippet if it has stops.
func (s *snippet) String() string {
	if s.stops == 0 {
		return s.text.String()
	}
	return s.b.String()
}

// quote returns a text as a JSON string.
func quote(text string) string { return string(jcs.AppendQuote(nil, text)) }
