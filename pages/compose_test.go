package pages_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// composer is a browser without scripts that has the form open.
type composer struct {
	s    *site
	page *node
}

// compose begins a document, and writes its title in the first of its languages.
func (s *site) compose(version, title string, locales ...string) *composer {
	s.t.Helper()
	c := &composer{s, s.page("/compose?new=" + version)}
	for _, locale := range locales {
		c.tick("locale", locale, true)
	}
	c.press("stay")
	c.fill("l:"+locales[0]+":title", title)
	c.press("next")
	require.Equal(s.t, "where", c.opened())
	c.press("next")
	return c
}

// TestComposeStart checks that a kind of system has one obvious way to begin, with its newest stable
// version, that the others are behind More, and that the title can be written first.
func TestComposeStart(t *testing.T) {
	s := open(t, must(published.Store()), nil)
	c := &composer{s, s.page("/compose?lang=en")}
	assert.Contains(t, c.page.text(), "What kind of system?")
	assert.Equal(t, "begin "+stable, c.page.first(t, ".taxonomy").first(t, "button").attr("value"))
	assert.Contains(t, c.page.first(t, ".others").text(), "Other versions: 1 September 2026 (Stable)")
	assert.Contains(t, c.page.first(t, ".others").first(t, "a").attr("href"), "new=ai")
	c.fill("name", "Housing benefit")
	c.press("begin " + stable)
	assert.Equal(t, "Housing benefit", c.page.first(t, "h1").text())
	assert.Equal(t, "where", c.opened(), "what it is called was answered")
	c = &composer{s, s.page("/compose?lang=en")}
	c.press("begin " + stable)
	assert.Equal(t, "name", c.opened())
	assert.Equal(t, "New description", c.page.first(t, "h1").text())

	// Enter in the title chooses nothing: the first button of a form is the one that it presses.
	c = &composer{s, s.page("/compose?lang=en")}
	c.fill("name", `A "title"`)
	enter := c.page.first(t, "#compose").first(t, "button")
	assert.Equal(t, "/compose?lang=en#choose", enter.attr("formaction"), "what comes next")
	c.press(enter.attr("value"))
	assert.Equal(t, "What kind of system?", c.page.first(t, "#choose").text())
	c.press("begin " + stable)
	assert.Equal(t, `A "title"`, c.page.first(t, "h1").text(), "it is kept")
}

// TestComposeVersion begins with the version that most documents of the register use, unless it is
// deprecated.
func TestComposeVersion(t *testing.T) {
	const before, after = "sensor@2026-06-15-stable", "sensor@2026-11-15-stable"
	shelf := &shelf{t, t.TempDir()}
	for i, version := range []string{before, after, before} {
		id := fmt.Sprintf("d%d", i)
		shelf.put(id+".json", "air-station.json", map[string]any{"id": id, "schema_version": version})
	}
	_, reg := shelf.register()
	begins := func(state taxonomy.State) (list []string) {
		store := must(published.Store())
		index, err := store.Index(t.Context())
		require.NoError(t, err)
		if state.Deprecated != "" {
			index, err = listing.SetState(index, taxonomy.MustVersion(before), state)
			require.NoError(t, err)
		}
		s := open(t, withIndex{store, index}, &pages.Options{Documents: reg})
		for _, one := range s.page("/compose?lang=en").all("li.taxonomy") {
			list = append(list, one.first(t, "button").attr("value"))
		}
		return list
	}
	assert.Equal(t, []string{"begin " + stable, "begin " + before}, begins(taxonomy.State{}))
	assert.Equal(t, []string{"begin " + stable, "begin " + after}, begins(taxonomy.State{Deprecated: "2026-11-17", Successor: taxonomy.MustVersion(after)}))
}

// opened returns the question that is open, or "".
func (c *composer) opened() string {
	for _, d := range c.page.all("details.question") {
		if d.has("open") {
			return d.attr("id")
		}
	}
	return ""
}

// mark returns how far a question is answered.
func (c *composer) mark(question string) string {
	return strings.TrimPrefix(c.page.first(c.s.t, "#"+question).attr("class"), "question ")
}

// openDocument opens a document in the form as a file.
func (s *site) openDocument(text string) *composer {
	s.t.Helper()
	return &composer{s, parse(s.t, s.post("/compose", "document", "", "do", "check", "file", text).body)}
}

// fields returns what a browser would send, without the button.
func (c *composer) fields() []string {
	var list []string
	add := func(n *node, value string) {
		list = append(list, n.attr("name"), strings.ReplaceAll(strings.ReplaceAll(value, "\r\n", "\n"), "\n", "\r\n"))
	}
	for d := range c.page.all("#compose")[0].Descendants() {
		n := &node{d}
		if d.Type != html.ElementNode || n.attr("name") == "" || n.has("disabled") || inTemplate(d) {
			continue
		}
		switch kind := n.attr("type"); {
		case d.Data == "textarea":
			add(n, n.raw())
		case d.Data == "select":
			for _, o := range n.all("option") {
				if o.has("selected") || o == n.all("option")[0] && !strings.Contains(n.rendered(), " selected") {
					add(n, o.attr("value"))
				}
			}
		case d.Data == "input" && kind == "file":
		case d.Data == "input" && (kind != "checkbox" && kind != "radio" || n.has("checked")):
			add(n, n.attr("value"))
		}
	}
	return list
}

// inTemplate reports whether a browser keeps an element out of the page, for scripts.
func inTemplate(d *html.Node) bool {
	for ; d != nil; d = d.Parent {
		if d.Data == "template" {
			return true
		}
	}
	return false
}

// find returns the field with a name; of boxes and radio buttons, the one with a value.
func (c *composer) find(name string, value ...string) *node {
	c.s.t.Helper()
	for _, tag := range []string{"input", "textarea", "select"} {
		for _, n := range c.page.all(tag) {
			if n.attr("name") == name && n.attr("type") != "hidden" && (len(value) == 0 || n.attr("value") == value[0]) {
				return n
			}
		}
	}
	require.Fail(c.s.t, "no field "+name)
	return nil
}

// fill types into a field.
func (c *composer) fill(name, value string) {
	c.s.t.Helper()
	n := c.find(name)
	switch n.Data {
	case "textarea":
		for n.FirstChild != nil {
			n.RemoveChild(n.FirstChild)
		}
		n.AppendChild(&html.Node{Type: html.TextNode, Data: value})
	case "select":
		for _, o := range n.all("option") {
			o.set("selected", o.attr("value") == value)
		}
	default:
		n.set("value", false)
		n.Attr = append(n.Attr, html.Attribute{Key: "value", Val: value})
	}
}

// tick ticks a box or chooses a radio button.
func (c *composer) tick(name, value string, on bool) {
	c.s.t.Helper()
	n := c.find(name, value)
	if n.attr("type") == "radio" {
		for _, other := range c.page.all("input") {
			if other.attr("name") == name {
				other.set("checked", false)
			}
		}
	}
	n.set("checked", on)
}

// press submits the form with a button, which must be there.
func (c *composer) press(do string) reply {
	c.s.t.Helper()
	name := "do"
	for _, other := range []string{"fix", "place", "set"} {
		if rest, ok := strings.CutPrefix(do, other+":"); ok {
			name, do = other, rest
		}
	}
	found := false
	for _, b := range c.page.all("button") {
		found = found || b.attr("name") == name && b.attr("value") == do
	}
	require.True(c.s.t, found, "no button %s", do)
	res := c.s.post("/compose", append(c.fields(), name, do)...)
	require.Equal(c.s.t, http.StatusOK, res.StatusCode, res.body)
	assert.Equal(c.s.t, "no-store", res.Header.Get("Cache-Control"))
	assert.Empty(c.s.t, res.Header.Values("Set-Cookie"))
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
		c.page = parse(c.s.t, res.body)
	}
	return res
}

// document returns the text of the document, as it is saved.
func (c *composer) document() string {
	c.s.t.Helper()
	return c.press("save").body
}

// problems are the findings that the form shows.
func (c *composer) problems() []string {
	var list []string
	for _, ul := range c.page.all("ul.summary") {
		for _, li := range ul.all("li") {
			list = append(list, li.text())
		}
	}
	return list
}

func (n *node) has(name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// set adds or removes an attribute without a value.
func (n *node) set(name string, on bool) {
	for i, a := range n.Attr {
		if a.Key == name {
			n.Attr = append(n.Attr[:i], n.Attr[i+1:]...)
			break
		}
	}
	if on {
		n.Attr = append(n.Attr, html.Attribute{Key: name})
	}
}

func (n *node) rendered() string {
	var b strings.Builder
	_ = html.Render(&b, n.Node)
	return b.String()
}

// TestComposeKeeps opens real documents in the form and saves them: nothing is lost, and
// nothing changes. Without ALL, each is written in one of several ways.
func TestComposeKeeps(t *testing.T) {
	s := open(t, nil, nil)
	list := documents.Valid()
	for _, info := range issue.Codes() {
		if e, ok := documents.Invalid(info.Code); ok {
			list = append(list, e)
		}
	}
	// escaped writes the letters beyond ASCII of a text as escapes.
	escaped := func(text string) string {
		var b strings.Builder
		for _, unit := range utf16.Encode([]rune(text)) {
			if unit < 0x80 {
				b.WriteByte(byte(unit))
			} else {
				fmt.Fprintf(&b, `\u%04X`, unit)
			}
		}
		return b.String()
	}
	for i, e := range list {
		t.Run(e.Name, func(t *testing.T) {
			ways := []struct{ name, text string }{
				{"as it is", string(e.Text)},
				{"Windows lines and spaces", "\t" + strings.ReplaceAll(string(e.Text)+" \n\n", "\n", "\r\n")},
				{"escapes", escaped(string(e.Text))},
				{"members of others", strings.Replace(string(e.Text), "{", `{ "of_others" :{"kept":[1.50,1E2 , "\u00e9\/",null , true]} ,`, 1)},
				{"in every object", strings.ReplaceAll(string(e.Text), `{"locale"`, `{"note":[ 0 ],"locale"`)},
				{"without white space", strings.Join(strings.FieldsFunc(string(e.Text), func(r rune) bool { return r == '\n' }), "")},
			}
			if os.Getenv("ALL") == "" {
				ways = ways[i%len(ways):][:1]
			}
			for _, way := range ways {
				text := way.text
				own := &site{t, s.url}
				c := own.openDocument(text)
				if len(c.page.all("#document")) > 0 { // its version is not published
					text = strings.ReplaceAll(text, "\r\n", "\n")
				}
				assert.Equal(t, text, c.document(), way.name)
			}
		})
	}
}

// TestComposeFromNothing writes a document by submits alone, from nothing to valid, one question
// after the other.
func TestComposeFromNothing(t *testing.T) {
	s := open(t, nil, nil)
	start := s.page("/compose?q=a+camera+at+the+gate+of+a+library")
	types := start.all("li.taxonomy")
	require.Len(t, types, 2)
	assert.Contains(t, types[0].text(), "Has, for example", "the taxonomy that has cameras comes first")
	assert.Equal(t, "begin sensor@2026-11-15-stable", types[0].first(t, "button").attr("value"), "stable versions come before betas")

	c := s.compose("sensor@2026-11-15-stable", "The library’s camera gate", "en", "fr")
	assert.Equal(t, "c-purpose", c.opened())
	assert.Equal(t, "done", c.mark("name"))
	assert.Contains(t, c.page.first(t, "#progress").text(), "1 of 5 required questions answered.")
	assert.Empty(t, c.page.all(".wrong"), "nothing is wrong yet")
	assert.Contains(t, c.page.first(t, "#page").text(), "Not said yet")

	c.fill("find c-purpose", "x"+strings.Repeat("é", 150))
	c.press("find c-purpose")
	assert.Equal(t, "x"+strings.Repeat("é", 150), c.page.first(t, "#s-c-purpose").attr("value"), "characters are not cut")
	c.fill("find c-purpose", "safety")
	c.press("find c-purpose")
	assert.Len(t, c.page.first(t, "#list-c-purpose").all("li"), 1)
	c.press("place:purpose.safety")
	assert.Equal(t, "c-purpose", c.opened(), "a sentence can be added")
	c.press("done")
	assert.Equal(t, "c-device", c.opened(), "one answer is enough")
	c.press("place:device.camera")
	assert.Equal(t, "c-device", c.opened(), "what a camera sees is missing")
	assert.Empty(t, c.page.all(".wrong"), "nobody has left it")
	c.press("done")
	assert.Equal(t, "c-device", c.opened())
	assert.Contains(t, c.page.first(t, "#c-device").text(), "Write for “Camera”: Area in view")
	c.press("next")
	assert.Equal(t, "c-data", c.opened(), "a question can be left as it is")
	assert.Equal(t, "bad", c.mark("c-device"))
	assert.Contains(t, c.page.first(t, "#progress").text(), "1 answer to complete")
	c.press("place:data.images")
	c.press("set:t:elements[2].context_type_id identifies_people")
	assert.Equal(t, "c-people", c.opened(), "the only choice is the answer")
	c.press("next")
	assert.Equal(t, "todo", c.mark("c-people"), "it need not be answered")
	c.press("open c-responsible")
	c.press("place:responsible.in_charge")
	for name, value := range map[string]string{
		"v:en:1:area": "the gate", "v:fr:1:area": "le portillon", "v:en:3:organisation": "City Library", "v:fr:3:organisation": "Bibliothèque",
		"v:en:3:contact": "desk@library.example", "v:fr:3:contact": "desk@library.example", "l:fr:title": "Le portillon à caméra",
	} {
		c.fill(name, value)
	}
	c.press("done")
	assert.Equal(t, "c-rights", c.opened())
	assert.Equal(t, "done", c.mark("c-device"))
	assert.Contains(t, c.page.first(t, "#page").text(), "City Library")
	assert.Equal(t, "c-rights", c.opened())
	c.press("next")
	assert.Empty(t, c.opened(), "that was the last one")
	c.fill("t:register.status", "planned")
	c.fill("l:en:register.places[0].name", "Main entrance")
	c.fill("g:register.places[0].geometry", "51.34, 12.37")
	c.fill("t:register.since", "2026-12-01")
	c.fill("l:en:register.themes[0]", "Traffic")
	assert.Equal(t, "date", c.find("t:register.since").attr("type"))
	c.press("new register.withheld")
	c.fill("l:en:register.withheld[0].what", "The supplier")
	c.fill("l:en:register.withheld[0].reason", "A tender is open")
	c.press("stay")
	assert.Contains(t, c.page.first(t, "#where").text(), "Main entrance, 1 December 2026, Planned")
	assert.Equal(t, "Check your answers", c.page.first(t, "#open").first(t, "h2").text())
	assert.Contains(t, c.page.first(t, "#open").text(), "Nothing is missing.")
	c.press("check")
	assert.Empty(t, c.problems())
	assert.Empty(t, c.opened())
	text := c.document()
	assert.Contains(t, text, `"id": "the-librarys-camera-gate",`)
	assert.Contains(t, text, `"created_at": "20`)
	assert.Contains(t, text, `"places": [`)
	for _, said := range []string{`"Traffic"`, `"The supplier"`, `"A tender is open"`} {
		assert.Contains(t, text, `"value": `+said)
	}
	assert.Equal(t, view.ContentSecurityPolicy(), c.press("page").Header.Get("Content-Security-Policy"))
}

// TestComposeOptional checks that a question stays open while its answer asks for something, also if
// that is optional, and that an answer which asks for nothing is one press.
func TestComposeOptional(t *testing.T) {
	content := large(4)
	text := func(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }
	content.Elements[1].Variables = []taxonomy.Variable{{ID: "more", Label: text("More"), Type: taxonomy.TextVariable}}
	first, second := content.Elements[0].ID, content.Elements[1].ID
	s := open(t, storeOf(t, "big@2026-10-01-stable", content), nil)
	c := s.compose("big@2026-10-01-stable", "Title", "en")
	question := c.opened()
	c.press("place:" + second)
	assert.Equal(t, question, c.opened(), "there is something to see")
	assert.Empty(t, c.find("v:en:0:more").attr("value"))
	c.press("next")
	assert.NotEqual(t, question, c.opened())
	c = s.compose("big@2026-10-01-stable", "Title", "en")
	c.press("place:" + first)
	assert.NotEqual(t, question, c.opened(), "there is nothing else to answer")

	// With scripts, the fields are in the page.
	c = s.compose("big@2026-10-01-stable", "Title", "en")
	for _, button := range c.page.all("button") {
		if id := button.attr("value"); button.attr("name") == "place" && (id == first || id == second) {
			assert.Len(t, (&node{button.Parent}).all("template"), map[string]int{first: 0, second: 1}[id], id)
		}
	}
}

// TestComposeTicks checks that several answers to a question are ticked, and that it is left when that
// is asked for, unless they ask for something themselves.
func TestComposeTicks(t *testing.T) {
	s := open(t, nil, nil)
	c := s.compose("sensor@2026-11-15-stable", "Gate", "en")
	c.tick("also", "purpose.traffic", true)
	c.tick("also", "purpose.planning", true)
	c.press("stay")
	assert.Equal(t, "c-purpose", c.opened())
	assert.True(t, c.page.first(t, ".add").has("open"), "others can be ticked")
	for _, box := range c.page.first(t, "#list-c-purpose").all("input") {
		placed := box.attr("value") == "purpose.traffic" || box.attr("value") == "purpose.planning"
		assert.Equal(t, placed && box.attr("type") == "checkbox", box.has("checked") && box.has("disabled"), box.attr("value"))
	}
	c.press("next")
	assert.Equal(t, "c-device", c.opened())
	c.tick("also", "device.camera", true)
	c.press("next")
	assert.Equal(t, "c-device", c.opened(), "nobody has seen yet what a camera asks for")
	assert.Equal(t, "Write for “Camera”: Area in view", c.page.first(t, "#c-device").first(t, ".wrong").text())
	c.press("next")
	assert.Equal(t, "c-data", c.opened())
	var doc taxonomy.Instance
	require.NoError(t, json.Unmarshal([]byte(c.document()), &doc))
	require.Len(t, doc.Elements, 3)

	// Names in another language than the form say so.
	c = &composer{s, s.page("/compose?new=sensor@2026-11-15-stable&lang=ar")}
	page := parse(t, s.post("/compose?lang=ar", append(c.fields(), "do", "check")...).body)
	assert.Equal(t, "en", page.first(t, "ul.summary").all("bdi")[2].attr("lang"))

	fields := []string{"document", `{"schema_version": "` + stable + `", "elements": []}`}
	for i := range 500 {
		fields = append(fields, "also", strconv.Itoa(i))
	}
	assert.Equal(t, http.StatusBadRequest, s.post("/compose", fields...).StatusCode)
}

// TestComposeFirst checks that the first of a list is written where the form shows its fields, also if
// the document has no object register yet, and that nothing else is.
func TestComposeFirst(t *testing.T) {
	s := open(t, nil, nil)
	for name, want := range map[string]string{
		"l:en:register.places[0].name": `"places":[{"name":[{"locale":"en","value":"X"}]}]`, "l:en:register.themes[0]": `"themes":[[{"locale":"en","value":"X"}]]`,
		"l:en:register.places[1].name": "", "l:en:register.themes[1]": "", "l:en:others[0].name": "", "l:en:elements[0].label": "",
	} {
		c := s.compose(stable, "Gate", "en")
		res := s.post("/compose", append([]string{name, "X", "do", "save"}, c.fields()...)...)
		var b bytes.Buffer
		require.NoError(t, json.Compact(&b, []byte(res.body)))
		if want == "" {
			assert.NotContains(t, b.String(), "X", name)
			assert.NotContains(t, b.String(), "register", name)
		} else {
			assert.Contains(t, b.String(), `"register":{`+want+`}`, name)
		}
	}
}

// TestComposeID checks that the id of a new document follows its title, until a person writes
// another, and that of a document which was opened does not.
func TestComposeID(t *testing.T) {
	s := open(t, nil, nil)
	c := s.compose(stable, "One title", "en")
	c.fill("l:en:title", "Another title")
	assert.Contains(t, c.document(), `"id": "another-title"`)
	c.fill("t:id", "mine")
	c.press("stay")
	c.fill("l:en:title", "A third")
	assert.Contains(t, c.document(), `"id": "mine"`)
	c = s.openDocument(strings.Replace(c.document(), "mine", "a-third", 1))
	c.fill("l:en:title", "A fourth")
	assert.Contains(t, c.document(), `"id": "a-third"`)
}

// TestComposeContact checks that a contact by which nobody can be reached gets a hint.
func TestComposeContact(t *testing.T) {
	text := valid(t, "crossing-camera.json")
	s := open(t, nil, nil)
	for contact, hint := range map[string]bool{"at the desk": true, "desk@town.example": false, "0123 45": false, "www.town.example": false} {
		c := s.openDocument(text)
		for _, input := range c.page.all("input") {
			if strings.HasPrefix(input.attr("name"), "v:") && strings.HasSuffix(input.attr("name"), ":contact") {
				c.fill(input.attr("name"), contact)
			}
		}
		c.press("check")
		assert.Equal(t, hint, strings.Contains(c.page.first(t, "#c-responsible").text(), "so that people can reach someone"), contact)
	}
}

// TestComposeEdits makes each kind of change, which changes its own place and nothing else.
func TestComposeEdits(t *testing.T) {
	const before = `{
  "id": "a", "own": [1,  2],
  "title": [{"locale": "en", "value": "A\u0062"}, {"locale": "fr", "value": "B"}],
  "schema_version": "ai@2026-11-15-stable", "created_at": "2026-06-01T10:00:00Z",
  "elements": [
    {"element_id": "purpose.benefits", "context_type_id": "in_use", "variables": [{"id": "service", "value": [{"locale": "en", "value": "S"}], "own": 1}]},
    { "element_id":"input_data.identity",  "variables": [{"id": "origin", "value": ["from_you", "odd"]}, {"id": "none", "value": ["x"]}] },
    {"element_id": "purpose.enquiries", "priority": 2, "label": "L", "sources": [{"type": "law", "title": "One"}, {"type": "law", "title": "Two"}]},
    {"element_id": "gone"}
  ],
  "register": {"themes": ["T"], "places": [{"name": "P", "mobile": true, "geometry": {"type": "Point", "coordinates": [12.0, 51]}}]}
}
`
	s := open(t, nil, nil)
	for name, c := range map[string]struct {
		do       func(c *composer)
		old, new string
	}{
		"nothing":               {func(c *composer) { c.press("check") }, "", ""},
		"text":                  {func(c *composer) { c.fill("t:id", "b") }, `"id": "a"`, `"id": "b"`},
		"text away":             {func(c *composer) { c.fill("t:id", "") }, "\"id\": \"a\", ", ""},
		"language":              {func(c *composer) { c.fill("l:fr:title", "C\nD") }, `"value": "B"`, `"value": "C\nD"`},
		"language away":         {func(c *composer) { c.fill("l:en:title", "") }, `{"locale": "en", "value": "A\u0062"}, `, ""},
		"languages away":        {func(c *composer) { c.fill("l:en:title", ""); c.fill("l:fr:title", "") }, "\n  \"title\": [{\"locale\": \"en\", \"value\": \"A\\u0062\"}, {\"locale\": \"fr\", \"value\": \"B\"}],", ""},
		"description":           {func(c *composer) { c.fill("l:fr:description", "D") }, "\n  \"schema_version\"", "\n  \"description\": [{\"locale\": \"fr\", \"value\": \"D\"}],\n  \"schema_version\""},
		"context":               {func(c *composer) { c.tick("t:elements[0].context_type_id", "trial", true) }, `"in_use"`, `"trial"`},
		"context away":          {func(c *composer) { c.tick("t:elements[0].context_type_id", "", true) }, ` "context_type_id": "in_use",`, ""},
		"variable":              {func(c *composer) { c.fill("v:en:0:service", "Ñ") }, `"S"`, `"Ñ"`},
		"variable in another":   {func(c *composer) { c.fill("v:fr:0:service", "F") }, `"value": "S"}`, `"value": "S"}, {"locale": "fr", "value": "F"}`},
		"variable away":         {func(c *composer) { c.fill("v:en:0:service", "") }, `{"id": "service", "value": [{"locale": "en", "value": "S"}], "own": 1}`, ""},
		"new variable":          {func(c *composer) { c.fill("v:en:1:items", "I") }, `{"id": "none", "value": ["x"]}`, `{"id": "none", "value": ["x"]}, {"id": "items", "value": [{"locale": "en", "value": "I"}]}`},
		"first variable":        {func(c *composer) { c.fill("v:en:2:service", "I") }, `{"type": "law", "title": "Two"}]`, `{"type": "law", "title": "Two"}], "variables": [{"id": "service", "value": [{"locale": "en", "value": "I"}]}]`},
		"option":                {func(c *composer) { c.tick("o:1:origin", "from_organisation", true) }, `"odd"]`, `"odd", "from_organisation"]`},
		"option away":           {func(c *composer) { c.tick("o:1:origin", "odd", false) }, `, "odd"`, ""},
		"options away":          {func(c *composer) { c.tick("o:1:origin", "odd", false); c.tick("o:1:origin", "from_you", false) }, `{"id": "origin", "value": ["from_you", "odd"]}, `, ""},
		"unknown variable away": {func(c *composer) { c.press("unset 1 none") }, `, {"id": "none", "value": ["x"]}`, ""},
		"more":                  {func(c *composer) { c.press("more 0"); c.fill("t:elements[0].citation", "C") }, `"own": 1}]}`, `"own": 1}], "citation": "C"}`},
		"number":                {func(c *composer) { c.fill("n:elements[2].priority", "13") }, `"priority": 2`, `"priority": 13`},
		"number away":           {func(c *composer) { c.fill("n:elements[2].priority", "") }, ` "priority": 2,`, ""},
		"plain label":           {func(c *composer) { c.fill("t:elements[2].label", "M") }, `"label": "L"`, `"label": "M"`},
		"source":                {func(c *composer) { c.fill("t:elements[2].sources[1].title", "Three") }, `"Two"`, `"Three"`},
		"source away":           {func(c *composer) { c.press("remove elements[2].sources[0]") }, `{"type": "law", "title": "One"}, `, ""},
		"source more":           {func(c *composer) { c.press("new elements[2].sources") }, `"title": "Two"}`, `"title": "Two"}, {"type": "document", "title": ""}`},
		"placement":             {func(c *composer) { c.press("place:purpose.benefits") }, `{"element_id": "gone"}`, "{\"element_id\": \"gone\"},\n    {\"element_id\": \"purpose.benefits\", \"element_instance_id\": \"purpose-benefits-2\"}"},
		"placement away":        {func(c *composer) { c.press("remove elements[3]") }, ",\n    {\"element_id\": \"gone\"}", ""},
		"theme":                 {func(c *composer) { c.fill("t:register.themes[0]", "U") }, `["T"]`, `["U"]`},
		"theme away":            {func(c *composer) { c.press("remove register.themes[0]") }, `"themes": ["T"], `, ""},
		"box":                   {func(c *composer) { c.tick("b:register.places[0].mobile", "true", false) }, ` "mobile": true,`, ""},
		"point":                 {func(c *composer) { c.fill("g:register.places[0].geometry", "50.5,-3") }, `[12.0, 51]`, `[-3, 50.5]`},
		"organisation": {func(c *composer) {
			c.fill("l:en:register.organisation.name", "O")
			c.fill("t:register.organisation.id", "https://o.example")
		}, "51]}}]}", `51]}}], "organisation": {"name": [{"locale": "en", "value": "O"}], "id": "https://o.example"}}`},
		"owner": {func(c *composer) { c.fill("l:en:register.organisation.owner", "O") }, "51]}}]}", `51]}}], "organisation": {"owner": [{"locale": "en", "value": "O"}]}}`},
		"assessment": {func(c *composer) {
			c.press("new register.assessments")
			c.fill("l:en:register.assessments[0].name", "A")
			c.fill("t:register.assessments[0].kind", "privacy")
			c.fill("t:register.assessments[0].state", "in_progress")
			c.fill("t:register.assessments[0].date", "2026-08-01")
			c.fill("t:register.assessments[0].url", "https://a.example")
			c.fill("l:en:register.assessments[0].summary", "S")
		}, "51]}}]}", `51]}}], "assessments": [{"name": [{"locale": "en", "value": "A"}], "kind": "privacy", "state": "in_progress", "date": "2026-08-01", "url": "https://a.example", "summary": [{"locale": "en", "value": "S"}]}]}`},
		"class": {func(c *composer) {
			c.press("new register.classes")
			c.fill("t:register.classes[0].scheme", "eu-ai-act")
			c.fill("t:register.classes[0].class", "high_risk")
			c.fill("l:en:register.classes[0].reason", "R")
		}, "51]}}]}", `51]}}], "classes": [{"scheme": "eu-ai-act", "class": "high_risk", "reason": [{"locale": "en", "value": "R"}]}]}`},
		"filing": {func(c *composer) {
			c.press("new register.filings")
			c.fill("t:register.filings[0].profile", "own")
			c.fill("t:register.filings[0].id", "7")
			c.fill("t:register.filings[0].url", "https://f.example")
			c.fill("t:register.filings[0].filed", "2026-10-05")
		}, "51]}}]}", `51]}}], "filings": [{"profile": "own", "id": "7", "url": "https://f.example", "filed": "2026-10-05"}]}`},
		"linked": {func(c *composer) { c.press("new linked_instance_ids"); c.fill("t:linked_instance_ids[0]", "b") }, "51]}}]}\n", "51]}}]},\n  \"linked_instance_ids\": [\"b\"]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			form := (&site{t, s.url}).openDocument(before)
			c.do(form)
			want := strings.Replace(before, c.old, c.new, 1)
			assert.Equal(t, strings.Split(want, "\n"), strings.Split(undated(form.document()), "\n"), "byte for byte")
		})
	}
	t.Run("order", func(t *testing.T) {
		form := (&site{t, s.url}).openDocument(before)
		form.press("down elements[0]")
		lines, want := strings.Split(undated(form.document()), "\n"), strings.Split(before, "\n")
		first, third := strings.TrimSuffix(want[5], ","), strings.TrimSuffix(want[7], ",")
		want[5], want[7] = third+",", first+","
		assert.Equal(t, want, lines, "with the next answer to the same question")
		form.press("up elements[2]")
		assert.Equal(t, strings.Split(before, "\n"), strings.Split(undated(form.document()), "\n"), "byte for byte")
	})
}

var updated = regexp.MustCompile(`,\s*"updated_at": "[^"]*"`)

func undated(text string) string { return updated.ReplaceAllString(text, "") }

// TestComposeUpdated checks that a document that was opened gets the time of each change, and that
// one which was begun in the form has only the time of its creation.
func TestComposeUpdated(t *testing.T) {
	s := open(t, nil, nil)
	text := valid(t, "benefits.json")
	begun := time.Now().Truncate(time.Second)
	now := func(c *composer) {
		t.Helper()
		at, err := time.Parse(time.RFC3339, textOf(t, c.document(), "updated_at"))
		require.NoError(t, err)
		assert.WithinRange(t, at, begun, time.Now())
	}
	c := s.openDocument(text)
	c.press("check")
	assert.Equal(t, text, c.document(), "nothing has changed")
	c.fill("l:en:title", "Another title")
	now(c)
	c.press("stay")
	now(c)
	c.fill("t:updated_at", "2026-10-01T10:00Z")
	c.press("stay")
	assert.Equal(t, "2026-10-01T10:00Z", textOf(t, c.document(), "updated_at"), "a person wrote it")
	c = s.openDocument(undated(text))
	c.press("remove elements[0]")
	now(c)

	c = s.openDocument(strings.Replace(text, `"created_at": "2026-09-14T09:30:00+02:00"`, `"created_at": "2999-01-01T00:00+02:00"`, 1))
	c.fill("t:id", "b")
	assert.Equal(t, "2999-01-01T00:00+02:00", textOf(t, c.document(), "updated_at"), "not before created_at")

	c = s.openDocument(strings.Replace(valid(t, "air-station.json"), "sensor@2026-11-15-stable", "sensor@2026-06-15-stable", 1))
	c.press("upgrade sensor@2026-11-15-stable")
	now(c)

	c = s.openDocument(valid(t, "air-station.resolved.json"))
	before := textOf(t, c.document(), "updated_at")
	c.press("thin")
	assert.Equal(t, before, textOf(t, c.document(), "updated_at"), "the same edition")

	c = s.compose(stable, "New", "en")
	c.fill("l:en:title", "Newer")
	c.press("stay")
	assert.NotContains(t, c.document(), "updated_at")
}

// TestComposeRejected keeps what was typed and can't be used, and says so.
func TestComposeRejected(t *testing.T) {
	c := open(t, nil, nil).openDocument(valid(t, "benefits.json"))
	c.press("new register.places")
	c.fill("g:register.places[0].geometry", "here")
	c.fill("n:elements[0].priority", "first")
	before := c.document()
	c.press("check")
	for _, name := range []string{"g:register.places[0].geometry", "n:elements[0].priority"} {
		field := c.find(name)
		assert.Equal(t, "true", field.attr("aria-invalid"))
		assert.Contains(t, c.page.first(t, "#"+strings.Fields(field.attr("aria-describedby"))[0]).text(), "This value can't be used.")
	}
	assert.Equal(t, "here", c.find("g:register.places[0].geometry").attr("value"))
	assert.Equal(t, before, c.document())
	assert.NotContains(t, before, "here")
}

// TestComposeProblems shows findings beside their fields, with links to them.
func TestComposeProblems(t *testing.T) {
	text := strings.NewReplacer(`"element_id": "purpose.benefits"`, `"element_id": "purpose.benefit"`, `"elevated"`, `"huge"`, `"type": "phone"`, `"type": "fax"`,
		`"created_at": "2026-09-14T09:30:00+02:00",`, ``).Replace(valid(t, "benefits.json"))
	c := open(t, nil, nil).openDocument(text)
	for _, list := range c.page.all("ul.summary") {
		for _, a := range list.all("a") {
			assert.Len(t, c.page.all(a.attr("href")), 1, "%s leads to a field", a.text())
		}
	}
	ids := make(map[string]bool)
	for d := range c.page.Descendants() {
		if id := (&node{d}).attr("id"); id != "" && !inTemplate(d) {
			assert.False(t, ids[id], "two things have the id %s", id)
			ids[id] = true
		}
		for id := range strings.FieldsSeq((&node{d}).attr("aria-describedby")) {
			assert.Len(t, c.page.all("#"+id), 1)
		}
	}
	assert.Contains(t, c.page.first(t, "#p-0").text(), "purpose.benefits")
	c.press("fix:INSTANCE_ELEMENT_UNKNOWN elements[0].element_id")
	assert.Contains(t, c.document(), `"element_id": "purpose.benefits"`)
}

// TestComposeSubject shows findings beside what they are about, whatever the labels say.
func TestComposeSubject(t *testing.T) {
	content := large(4)
	label := func(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }
	content.Elements[0].Variables = []taxonomy.Variable{
		{ID: "contact", Label: label("Address"), Required: true, Type: taxonomy.TextVariable},
		{ID: "name", Label: label("Name of the contact. See contact (below)"), Required: true, Type: taxonomy.TextVariable},
	}
	c := open(t, storeOf(t, "big@2026-10-01-stable", content), nil).openDocument(`{"id": "a", "schema_version": "big@2026-10-01-stable", "created_at": "2026-06-01T10:00:00Z", "elements": [{"element_id": "e00000"}]}`)
	for id, label := range map[string]string{"contact": "Address", "name": "Name of the contact. See contact (below)"} {
		assert.Equal(t, "Write for “Statement 0”: "+label, c.page.first(t, "#f-v-0-"+id).first(t, ".wrong").text())
		assert.Len(t, c.page.first(t, "#f-v-0-"+id).all(".wrong"), 1, id)
	}
}

// TestComposeHostile shows that nothing in a document or a form does harm.
func TestComposeHostile(t *testing.T) {
	const attack = `</textarea>\"><script>trap()</script><img src=x onerror=trap()>`
	s := open(t, nil, nil)
	for name, text := range map[string]string{
		"empty": "{}", "not JSON": "{" + attack, "list": "[]", "string": `"x"`, "bytes": "\xff", "deep": strings.Repeat("[", 1000), "unpublished": `{"schema_version": "ai@2020-01-01-stable", "elements": []}`,
		"attack":       `{"id": "` + attack + `", "title": "` + attack + `", "` + attack + `": 1, "schema_version": "` + stable + `", "elements": [{"element_id": "` + attack + `"}, {"element_id": "purpose.benefits", "context_type_id": "` + attack + `", "variables": [{"id": "` + attack + `", "value": "` + attack + `"}]}], "register": {"themes": ["` + attack + `"]}}`,
		"wrong shapes": `{"id": 1, "title": {"a": 1}, "description": [1, {"locale": 2}], "schema_version": "` + stable + `", "elements": [null, 1, {"element_id": 3, "variables": {}, "sources": "x", "actions": [1]}], "sources": {}, "register": [], "subchain_instances": [{"head_refs": [1]}], "suggested_elements": [1], "linked_instance_ids": [{}]}`,
		"elements":     `{"schema_version": "` + stable + `", "elements": {"a": 1}}`,
	} {
		res := s.post("/compose", "document", text, "do", "check")
		assert.Equal(t, http.StatusOK, res.StatusCode, name)
		assert.NotContains(t, res.body, "<script>trap", name)
		assert.NotContains(t, res.body, "<img", name)
		if saved := s.post("/compose", "document", text, "do", "save"); utf8.ValidString(text) {
			assert.Equal(t, text, saved.body, name)
		}
		c := &composer{s, parse(t, res.body)}
		if utf8.ValidString(text) {
			assert.Equal(t, text, c.document(), "%s: the text is kept", name)
		}
	}
	text := valid(t, "benefits.json")
	deep := strings.Repeat("a.", 80) + "a"
	for _, name := range []string{
		"t:", "t:elements", "t:elements[999999999].element_id", "t:elements[-1].x", "t:" + deep, "t:a[0].b", "t:" + strings.Repeat("x", 5000), "l:en:elements", "l::title", "l:en", "l:\x00:title", "t:id.x",
		"v:en:999:service", "v:en:-1:x", "v:en:0:", "o:x:y", "o:0", "s:title", "b:title", "n:elements", "g:title", "q:title", "t:title[0].locale.x", "::", "",
	} {
		res := s.post("/compose", "document", text, name, "x", "do", "save")
		assert.Less(t, res.StatusCode, 500, name)
		if does := []string{"l:en:elements", "s:title", "b:title"}; res.StatusCode == http.StatusOK && !slices.Contains(does, name) {
			assert.Equal(t, text, res.body, name)
		}
	}
	for _, do := range []string{
		"remove elements", "remove elements[99]", "remove id", "remove ", "up elements[0]", "down elements[99]", "new elements", "new x.y.z", "new sources[0].sources[0].sources", "place ", "place " + attack, "upgrade ", "upgrade ai@latest", "upgrade sensor@latest",
		"open " + attack, "find purpose", "unset 0 x", "unset 99 x", "unset", "sample none", "begin", "thin", "nothing",
	} {
		res := s.post("/compose", "document", text, "q", attack, "do", do)
		assert.Less(t, res.StatusCode, 500, do)
		assert.NotContains(t, res.body, "<script>trap", do)
	}
	assert.Equal(t, http.StatusBadRequest, s.post("/compose", "document", text, "t:x", "a", "l:en:x", "b", "do", "save").StatusCode, "two values for one place")
	small := open(t, nil, &pages.Options{MaxBody: 1000})
	assert.Equal(t, http.StatusRequestEntityTooLarge, small.post("/compose", "document", strings.Repeat("x", 1001)).StatusCode)
	assert.Equal(t, http.StatusRequestEntityTooLarge, small.post("/compose", "t:id", strings.Repeat("x", 100_000)).StatusCode)
	assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/compose?new=ai@none").StatusCode)
}

// TestComposeLarge shows some of many placements, and keeps the others.
func TestComposeLarge(t *testing.T) {
	one := `{"element_id": "purpose.benefits", "variables": [{"id": "service", "value": [{"locale": "en", "value": "S"}]}]}`
	text := `{"id": "a", "schema_version": "` + stable + `", "created_at": "2026-06-01T10:00:00Z", "elements": [` + strings.Repeat(one+",", 2999) + one + `]}`
	c := open(t, nil, nil).openDocument(text)
	assert.Contains(t, c.page.text(), "2,850 more answers are not shown")
	c.fill("v:en:3:service", "T")
	saved := c.document()
	assert.Len(t, undated(saved), len(text))
	assert.Equal(t, 1, strings.Count(saved, `"T"`))
}

// TestComposeManyFields sends forms that no page has. They are answered, or end at the time limit.
func TestComposeManyFields(t *testing.T) {
	var members, variables, themes, fields, texts, options []string
	for i := range 4000 {
		n := strconv.Itoa(i)
		members, variables, themes = append(members, `"m`+n+`": 1`), append(variables, `{"id": "v`+n+`"}`), append(themes, `"`+n+`"`)
		fields, texts, options = append(fields, "t:n"+n, "x"), append(texts, "v:en:0:v"+n, "x"), append(options, "s:register.themes", n)
	}
	text := `{"schema_version": "` + stable + `", "elements": [{"element_id": "purpose.benefits", "variables": [` + strings.Join(variables, ",") + `]}], "register": {"themes": [` + strings.Join(themes, ",") + `]}, ` + strings.Join(members, ",") + `}`
	s := open(t, nil, &pages.Options{Timeout: 20 * time.Second})
	for name, list := range map[string][]string{"members": fields, "variables": texts, "options": options} {
		res := s.post("/compose", append([]string{"document", text, "do", "save"}, list...)...)
		assert.Contains(t, []int{http.StatusOK, http.StatusGatewayTimeout}, res.StatusCode, name)
	}
	short := open(t, nil, &pages.Options{Timeout: time.Nanosecond})
	late := []int{http.StatusGatewayTimeout, http.StatusServiceUnavailable} // the latter if it ended while it waited for a place
	assert.Contains(t, late, short.post("/compose", append([]string{"document", text}, fields...)...).StatusCode)
}

// TestComposeUpgrade moves a document to the newest stable version.
func TestComposeUpgrade(t *testing.T) {
	s := open(t, nil, nil)
	text := strings.Replace(valid(t, "air-station.json"), "sensor@2026-11-15-stable", "sensor@2026-06-15-stable", 1)
	require.Contains(t, text, "2026-06-15")
	c := s.openDocument(text)
	c.press("upgrade sensor@2026-11-15-stable")
	assert.Contains(t, c.page.text(), "The answers were moved to the newer questions.")
	assert.Contains(t, c.document(), "sensor@2026-11-15-stable")

	// The newest version that is published is older than the one that is pinned.
	text = strings.Replace(text, "sensor@2026-06-15-stable", "sensor@2027-01-01-beta", 1)
	assert.NotContains(t, s.post("/play", "document", text, "do", "check").body, "upgrade sensor@")
}

// TestComposeUpgradeSays checks that the form does not say that answers were moved if there are none,
// and that it says what is left to do in its own words, without JSON.
func TestComposeUpgradeSays(t *testing.T) {
	s := open(t, nil, nil)
	c := &composer{s, s.page("/compose?new=sensor@2026-06-15-stable&lang=en")}
	c.press("upgrade sensor@2026-11-15-stable")
	assert.NotContains(t, c.page.text(), "The answers were moved")
	assert.NotContains(t, c.page.text(), "element_id")
	assert.Empty(t, c.page.all(".wrong"), "nothing was left unanswered yet")
	assert.Contains(t, c.document(), "sensor@2026-11-15-stable")

	c = s.openDocument(`{"id": "a", "title": [{"locale": "en", "value": "A"}], "schema_version": "sensor@2026-06-15-stable", "created_at": "2026-06-01T10:00:00Z",
		"elements": [{"element_id": "device.camera"}]}`)
	c.press("upgrade sensor@2026-11-15-stable")
	form := c.page.first(t, "#compose").text()
	assert.Contains(t, form, "The answers were moved to the newer questions.")
	assert.Contains(t, form, "Write for “Camera”: Area in view")
	assert.NotContains(t, form, `{"`)

	// A variable that its element does not have is there with its text.
	older, newer := large(4), large(4)
	older.Elements[0].Variables = []taxonomy.Variable{{ID: "more", Label: taxonomy.Localized{{Locale: "en", Value: "More"}}, Type: taxonomy.TextVariable}}
	lacking := open(t, publishedAll(t, map[string]taxonomy.Content{"big@2026-10-01-stable": older, "big@2026-11-01-stable": newer}), nil)
	c = lacking.openDocument(`{"id": "a", "schema_version": "big@2026-10-01-stable", "created_at": "2026-06-01T10:00:00Z",
		"elements": [{"element_id": "e00000", "variables": [{"id": "more", "value": [{"locale": "en", "value": "Said <before>"}]}]}]}`)
	c.press("upgrade big@2026-11-01-stable")
	assert.Contains(t, c.page.first(t, "#compose").text(), `Its value is "Said <before>" (en).`)
	assert.NotContains(t, c.page.first(t, "#compose").text(), `{"`)

	c = s.openDocument(`{"id": "a", "title": 1, "schema_version": "sensor@2026-06-15-stable", "elements": [{"element_id": "device.camera"}]}`)
	c.press("upgrade sensor@2026-11-15-stable")
	assert.NotContains(t, c.page.text(), "The answers were moved", "its shape is wrong")
	assert.Contains(t, c.document(), "sensor@2026-06-15-stable")
}

// TestUpgradeReview checks that both forms show everything of an upgrade that a person has to look
// at: what was reworded, and that the version of the document is not known.
func TestUpgradeReview(t *testing.T) {
	from, to := large(4), large(4)
	to.Elements[0].Title = taxonomy.Localized{{Locale: "en", Value: "Something else"}}
	store := publishedAll(t, map[string]taxonomy.Content{"big@2026-10-01-stable": from, "big@2026-11-01-stable": to})
	s := open(t, store, nil)
	for pin, kind := range map[string]string{"big@2026-10-01-stable": "element_reworded", "big@2026-10-10-stable": "old_version_unknown"} {
		text := `{"id": "a", "schema_version": "` + pin + `", "created_at": "2026-06-01T10:00:00Z", "elements": [{"element_id": "e00000"}]}`
		schema, err := must(datachain.New(store, nil)).Open(t.Context(), "big@2026-11-01-stable")
		require.NoError(t, err)
		result, err := upgrade.Run(t.Context(), schema, []byte(text), nil)
		require.NoError(t, err)
		i := slices.IndexFunc(result.Report.Entries, func(e upgrade.ReportEntry) bool { return string(e.Kind) == kind })
		require.GreaterOrEqual(t, i, 0, "%v", result.Report.Entries)
		want := result.Report.Entries[i]
		c := s.openDocument(text)
		c.press("upgrade big@2026-11-01-stable")
		play := parse(t, s.post("/play", "document", text, "do", "upgrade big@2026-11-01-stable").body)
		for _, page := range []*node{c.page, play} {
			assert.Contains(t, page.text(), want.Message)
			assert.Contains(t, strings.ToLower(page.text()), want.FixHint)
		}
	}
}

// TestSameFixes checks that both forms offer the same edits, and that "all" makes only those that
// invent nothing.
func TestSameFixes(t *testing.T) {
	s := open(t, nil, nil)
	text := strings.NewReplacer(`"created_at": "2026-06-20T12:00:00Z"`, `"created_at": "2026-06-20"`,
		`"element_id": "purpose.environment"`, `"element_id": "purpose.environment", "context_type_id": "blue"`).Replace(valid(t, "air-station.json"))
	const remove, date = "CONTEXT_TYPE_UNKNOWN elements[0].context_type_id", "parse_error created_at Write 2026-06-20T10:00Z"
	for _, c := range []struct{ fix, has, lacks string }{
		{remove, `"created_at": "2026-06-20"`, `"blue"`},
		{date, `"created_at": "2026-06-20T10:00Z"`, "T12:00"},
		{"all", `"created_at": "2026-06-20"`, `"blue"`},
	} {
		if c.fix != "all" {
			form := s.openDocument(text)
			form.press("fix:" + c.fix)
			assert.Contains(t, form.document(), c.has)
			assert.NotContains(t, form.document(), c.lacks)
		}
		play := parse(t, s.post("/play", "document", text).body)
		assert.True(t, slices.ContainsFunc(play.all("button"), func(b *node) bool { return b.attr("name") == "fix" && b.attr("value") == c.fix }), c.fix)
		after := parse(t, s.post("/play", "document", text, "fix", c.fix).body).first(t, "#document").raw()
		assert.Contains(t, after, c.has)
		assert.NotContains(t, after, c.lacks)
	}
}

// TestComposeForms goes from one form of a text to the other.
func TestComposeForms(t *testing.T) {
	s := open(t, nil, nil)
	c := s.openDocument(valid(t, "benefits.json"))
	c.fill("t:id", "other")
	asJSON := parse(t, c.press("json").body)
	text := asJSON.first(t, "#document").raw()
	assert.Equal(t, undated(strings.Replace(valid(t, "benefits.json"), "housing-benefit-check", "other", 1)), undated(text))
	assert.Equal(t, "/play", asJSON.first(t, "#play").attr("action"))
	var back *node
	for _, b := range asJSON.all("button") {
		if b.attr("formaction") == "/compose" {
			back = b
		}
	}
	require.NotNil(t, back)
	form := &composer{s, parse(t, s.post("/compose", "document", text, "do", back.attr("value")).body)}
	assert.Equal(t, "other", form.find("t:id").attr("value"))
}

// TestComposeResolved edits a resolved document, and makes it thin unless it suggests elements.
func TestComposeResolved(t *testing.T) {
	s := open(t, nil, nil)
	c := s.openDocument(valid(t, "air-station.resolved.json"))
	assert.Empty(t, c.problems())
	c.press("thin")
	assert.NotContains(t, c.document(), "schema_snapshot")
	c.press("open c-purpose")

	text := valid(t, "air-station-suggestion.resolved.json")
	c = s.openDocument(text)
	assert.NotContains(t, c.page.text(), "Remove the copy")
	c.fill("l:en:suggested_elements[0].title", "Pollen!")
	c.press("new suggested_elements")
	c.fill("t:suggested_elements[1].id", "data.dust")
	c.fill("t:suggested_elements[1].category_id", "data")
	c.press("check")
	c.press("place:data.dust")
	assert.Contains(t, c.page.first(t, "#c-data").text(), "Pollen!")
	saved := c.document()
	assert.Contains(t, saved, `{"element_id":"data.dust"}`)
	assert.Contains(t, saved, `"schema_snapshot":`)
}

// TestComposeRegister opens a document on a server that has a register.
func TestComposeRegister(t *testing.T) {
	c := newShelf(t).serve(nil).openDocument(valid(t, "benefits.json"))
	assert.Equal(t, valid(t, "benefits.json"), c.document())
}

// TestComposeSend checks where a register takes documents: who receives the text is named, and the
// page that opens has it if it fits.
func TestComposeSend(t *testing.T) {
	text := strings.ReplaceAll(valid(t, "air-station.json"), "air-market-square", "new-station")
	long := strings.Replace(text, `"elements": [`, `"of_others": "`+strings.Repeat("x", 9000)+`", "elements": [`, 1)
	require.NotEqual(t, text, long)
	id := textOf(t, text, "id")
	for _, c := range []struct{ settings, text, url, says string }{
		{"title: A\n", text, "", "give it to whoever keeps your register"},
		{"contribute: {text: Bring it to room 7.}\n", text, "", "Bring it to room 7."},
		{"contribute: {email: desk@town.example}\n", text, "mailto:desk@town.example?subject=", "desk@town.example receives the text only when you send it"},
		{"contribute: {email: desk@town.example, text: Please write to us.}\n", text, "mailto:desk@town.example?subject=", "Please write to us. A mail to desk@town.example opens. Attach the file and send it. Save the file first."},
		{"contribute: {repository: https://github.com/a/b, kind: github, folder: docs}\n", text, "https://github.com/a/b/new/main/docs?filename=" + id + ".json&value=%7B%22", "github.com/a/b receives the text when you open the page"},
		{"contribute: {repository: https://github.com/a/b, kind: github, folder: docs}\n", long, "https://github.com/a/b/upload/main/docs", "Save the file first."},
		{"contribute: {repository: https://git.example/a/b, kind: forgejo, branch: x}\n", text, "https://git.example/a/b/_new/x?filename=" + id + ".json&value=%7B%22", "filled in"},
		{"contribute: {repository: https://git.example/a/b, kind: forgejo, branch: x}\n", long, "https://git.example/a/b/_upload/x", "git.example/a/b receives the text only when you send it"},
		{"contribute: {repository: https://gitlab.example/a/b, kind: gitlab}\n", text, "https://gitlab.example/a/b/-/new/main?file_name=" + id + ".json", "Paste the text of the file there and propose the change. Save the file first."},
	} {
		s := newShelf(t)
		s.write("register.yaml", c.settings)
		form := s.serve(nil).openDocument(c.text)
		finish := form.page.first(t, ".finish")
		assert.Contains(t, finish.text(), c.says, c.settings)
		if links := finish.all("a"); c.url == "" {
			assert.Empty(t, links)
		} else {
			require.Len(t, links, 1, c.settings)
			assert.True(t, strings.HasPrefix(links[0].attr("href"), c.url), links[0].attr("href"))
			assert.LessOrEqual(t, len(links[0].attr("href")), 8000)
			assert.Equal(t, "noopener noreferrer", links[0].attr("rel"))
			assert.NotContains(t, links[0].attr("href"), "body=", "nothing is attached yet")
		}
	}
	s := newShelf(t)
	s.write("register.yaml", "title: A\npublisher: {name: {en: 'Town <A>'}, contact: {email: desk@town.example, phone: 0123 45, url: 'https://town.example/contact'}}\n")
	ask := s.serve(nil).openDocument(text).page.first(t, ".finish")
	assert.Contains(t, ask.text(), "Save the file and give it to Town <A>.", "the register does not say where to send it")
	var contacts []string
	for _, a := range ask.all("a") {
		contacts = append(contacts, a.attr("href"))
		assert.Equal(t, strings.HasPrefix(a.attr("href"), "https:"), a.attr("dir") != "ltr", "numbers and addresses are read from left to right")
	}
	assert.Equal(t, []string{"mailto:desk@town.example", "tel:012345", "https://town.example/contact"}, contacts)

	s = newShelf(t)
	s.write("register.yaml", "contribute: {repository: https://github.com/a/b, kind: github, folder: docs}\n")
	form := s.serve(nil).compose(stable, "Not complete", "en")
	assert.Empty(t, form.page.first(t, ".finish").all("a"), "only what is complete is sent")
}

// TestComposeMail shows that a title is the subject of a mail, whatever its characters are, and adds
// nothing to the mail.
func TestComposeMail(t *testing.T) {
	for title, subject := range map[string]string{
		"R&D assistant": "R&D assistant", "Chat&cc=evil@example.org&body=x": "Chat&cc=evil@example.org&body=x",
		"100% + #1?\u2028Bcc: a=b\r\nx": "100% + #1? Bcc: a=b x", "Caméra nord": "Caméra nord",
	} {
		s := newShelf(t)
		s.write("register.yaml", "contribute: {email: desk@town.example}\n")
		form := s.serve(nil).openDocument(valid(t, "air-station.json"))
		form.fill("l:en:title", title)
		form.press("check")
		link := form.page.first(t, ".finish").first(t, "a")
		address, query, _ := strings.Cut(strings.TrimPrefix(link.attr("href"), "mailto:"), "?")
		assert.Equal(t, "desk@town.example", address)
		assert.NotContains(t, query, "+", "mail programs do not take it for a space")
		fields, err := url.ParseQuery(query)
		require.NoError(t, err, query)
		assert.Equal(t, url.Values{"subject": {subject}}, fields)
		assert.Equal(t, "market-square-air.datachain.json", link.attr("data-save"))
	}
}

// TestComposeWords: the form says nothing of blanks that it asks for, nor of locales of the taxonomy.
func TestComposeWords(t *testing.T) {
	text := strings.ReplaceAll(valid(t, "crossing-camera.json"), `"locale":"en"`, `"locale":"de"`)
	form := open(t, nil, nil).openDocument(strings.ReplaceAll(text, `"locale": "en"`, `"locale": "de"`))
	form.press("open c-device")
	said := form.page.first(t, "form").text()
	assert.Contains(t, said, "It takes pictures or video of what is in front of it.")
	assert.NotContains(t, said, "Area in view: Area in view")
	form.press("check")
	assert.NotContains(t, form.page.text(), "is not one of the locales")
	assert.Empty(t, form.page.first(t, "form").all("span.blank"))
}

// TestComposeChange suggests a change of a published document, by the page that edits its file.
func TestComposeChange(t *testing.T) {
	s := newShelf(t)
	served := s.serve(nil)
	assert.NotContains(t, served.do(http.MethodGet, "/d/camera?lang=en").body, "Suggest a change")
	s.write("register.yaml", "contribute: {repository: https://github.com/a/b, kind: github, folder: docs}\n")
	served = s.serve(nil)
	var link string
	for _, a := range served.page("/d/camera?lang=en").all("a") {
		if a.text() == "Suggest a change" {
			link = a.attr("href")
		}
	}
	require.Equal(t, "/compose?document=camera&lang=en", link)
	c := &composer{served, served.page(link)}
	before := textOf(t, c.document(), "updated_at")
	c.fill("l:en:title", "Another title")
	c.press("check")
	assert.Greater(t, textOf(t, c.document(), "updated_at"), before)
	assert.Equal(t, "mill-street-crossing", c.find("t:id").attr("value"), "the id stays")
	send := c.page.first(t, ".finish").first(t, "a")
	assert.Equal(t, "https://github.com/a/b/edit/main/docs/camera.json", send.attr("href"))
	assert.True(t, send.has("data-copy"))
	assert.Equal(t, http.StatusNotFound, served.do(http.MethodGet, "/compose?document=none").StatusCode)
	assert.Equal(t, http.StatusNotFound, open(t, nil, nil).do(http.MethodGet, "/compose?document=camera").StatusCode)
}

// textOf returns a member of a document.
func textOf(t *testing.T, text, key string) string {
	t.Helper()
	var doc map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &doc))
	value, _ := doc[key].(string)
	return value
}

// TestComposeSign makes the sign of a document that is valid.
func TestComposeSign(t *testing.T) {
	s := open(t, nil, &pages.Options{BaseURL: "https://register.example"})
	c := s.openDocument(valid(t, "crossing-camera.json"))
	res := c.press("sign")
	assert.Contains(t, res.body, "register.example/d/")
	assert.Equal(t, sheet.ContentSecurityPolicy(sheet.Sign), res.Header.Get("Content-Security-Policy"))

	s = open(t, nil, nil) // its public address is not known
	c = s.openDocument(valid(t, "crossing-camera.json"))
	assert.Equal(t, s.url+"/d/mill-street-crossing/", c.find("address").attr("value"), "the address of the request is proposed")
	c.fill("t:id", "gate")
	c.press("check")
	signed := func() string {
		form := c.page
		body := c.press("sign").body // in another tab
		c.page = form
		return body
	}
	assert.Contains(t, parse(t, signed()).text(), strings.TrimPrefix(s.url, "http://")+"/d/gate", "and follows the document")
	c.fill("address", "https://city.example/systems?id=7")
	c.press("check")
	assert.Equal(t, "https://city.example/systems?id=7", c.find("address").attr("value"), "the own address stays")
	assert.Contains(t, parse(t, signed()).text(), "city.example/systems?id=7")
	for _, wrong := range []string{"city.example", "javascript:alert(1)", "https://user@city.example/", "https://city.example/" + strings.Repeat("x", 400)} {
		c.fill("address", wrong)
		assert.Contains(t, parse(t, signed()).first(t, "#sign").text(), "Write an address that begins with https://.", wrong)
	}
}

// BenchmarkCompose answers the form of a document with 100 placements in three languages, of a
// taxonomy with 600 elements: checking it, and with the list of the elements of a category open.
func BenchmarkCompose(b *testing.B) {
	content := large(600)
	content.Locales = []string{"en", "fr", "es"}
	label := taxonomy.Localized{{Locale: "en", Value: "Label"}, {Locale: "fr", Value: "Nom"}, {Locale: "es", Value: "Nombre"}}
	for i := range content.Categories {
		content.Categories[i].Context.Values = []taxonomy.ContextValue{{ID: "low", Label: label, Color: "#00AA00"}, {ID: "high", Label: label, Color: "#AA0000"}}
	}
	var elements []string
	for i := range content.Elements {
		e := &content.Elements[i]
		e.IconVariants = []string{"default", "dark", "low", "high"}
		e.Variables = []taxonomy.Variable{{ID: "name", Label: label, Required: true, Type: taxonomy.TextVariable}, {ID: "more", Label: label, Type: taxonomy.TextVariable}}
		if i%6 == 0 {
			value := `[{"locale": "en", "value": "One of many"}, {"locale": "fr", "value": "Une de plusieurs"}, {"locale": "es", "value": "Una de muchas"}]`
			elements = append(elements, `{"element_id": "`+e.ID+`", "context_type_id": "low", "variables": [{"id": "name", "value": `+value+`}, {"id": "more", "value": `+value+`}]}`)
		}
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("big@2026-10-01-stable"), content)
	require.NoError(b, err)
	store, err := memstore.New(listing.Publication{Release: r})
	require.NoError(b, err)
	h := must(pages.New(must(datachain.New(store, nil)), nil))
	text := `{"id": "a", "schema_version": "big@2026-10-01-stable", "created_at": "2026-06-01T10:00:00Z", "elements": [` + strings.Join(elements, ",\n") + `]}`
	post := func(fields ...string) *httptest.ResponseRecorder {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		for i := 0; i < len(fields); i += 2 {
			require.NoError(b, form.WriteField(fields[i], fields[i+1]))
		}
		require.NoError(b, form.Close())
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/compose", &body)
		r.Header.Set("Content-Type", form.FormDataContentType())
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(b, http.StatusOK, w.Code)
		return w
	}
	root, err := html.Parse(post("document", text).Body)
	require.NoError(b, err)
	fields := (&composer{page: &node{root}}).fields()
	for _, do := range []string{"check", "open c-c0", "save"} {
		b.Run(do, func(b *testing.B) {
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				size = post(append(slices.Clone(fields), "do", do)...).Body.Len()
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}
