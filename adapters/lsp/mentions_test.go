package lsp_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/datachain-go/datachain/adapters/lsp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMentions finds and renames the ids of a source in the documents of the workspace: open
// ones and saved ones.
func TestMentions(t *testing.T) {
	const dir, beta = "file:///w/bikes", "bikes@2026-09-01-beta"
	files := bikes(t)
	chainOf := func(version, id string) string {
		return `{"id": "` + id + `", "schema_version": "` + version + `", "created_at": "2026-06-20T12:00:00Z", "elements": [
  {"element_id": "contact.office", "variables": [{"id": "address", "value": [{"locale": "en", "value": "contact.office"}]}]}, {"element_id": "data.trips"}],
  "authoring_provenance": {"kind": "human", "element_provenance": {"contact.office": {"variable_rationale": {"address": "x"}}}}}`
	}
	saved, open, other := chainOf(beta, "saved"), chainOf(beta, "open"), chainOf("bikes@2025-01-01-beta", "other")
	files["docs/saved.json"] = mapFile(saved)
	files["docs/open.json"] = mapFile("{}")
	files["docs/other.json"] = mapFile(other)
	e := connect(t, lsp.New(opened(samples(t)), folders(map[string]*lsp.Folder{dir: {Releases: sourceReleases(t, dir, files), Files: files}})))
	capabilities := object{"workspace": object{"workspaceEdit": object{"documentChanges": true}}}
	e.initialize(object{"capabilities": capabilities, "workspaceFolders": []object{{"uri": dir, "name": "b"}}})
	e.open(dir+"/docs/open.json", open)
	all := dir + "/bikes/2026-09-01-beta/elements/all.yaml"
	text := string(files["bikes/2026-09-01-beta/elements/all.yaml"].Data)
	e.open(all, text)

	at := func(uri, text, part string) object {
		return object{"textDocument": object{"uri": uri}, "position": place(t, text, part), "context": object{"includeDeclaration": true}}
	}
	found := func(from object) (list []string) {
		var locations []location
		e.into(&locations, "textDocument/references", from)
		for _, l := range locations {
			name := strings.TrimPrefix(l.URI, dir+"/")
			of := map[string]string{"docs/saved.json": saved, "docs/open.json": open}[name]
			if of == "" {
				of = string(files[name].Data)
			}
			list = append(list, name+" "+of[offsetOf(of, l.Range.Start):offsetOf(of, l.Range.End)])
		}
		return list
	}
	element := []string{
		"bikes/2026-09-01-beta/elements/all.yaml contact.office",
		"docs/open.json contact.office", "docs/open.json contact.office", "docs/saved.json contact.office", "docs/saved.json contact.office",
	}
	assert.Equal(t, element, found(at(all, text, "contact.office")), "from the source")
	assert.Equal(t, element, found(at(dir+"/docs/open.json", open, `contact.office", "variables`)), "from a document")
	assert.Equal(t, element, found(at(dir+"/docs/open.json", open, `contact.office": {`)), "from a key")
	variable := found(at(dir+"/docs/open.json", open, `address", "value"`))
	assert.Contains(t, variable, "docs/saved.json address")
	assert.Contains(t, variable, "bikes/2026-09-01-beta/categories/contact.yaml address")
	assert.Len(t, variable, len(found(at(dir+"/docs/open.json", open, `address": "x"`))))

	type edits struct {
		DocumentChanges []struct {
			TextDocument struct {
				URI     string
				Version *int
			}
			Edits []textEdit
		}
	}
	for _, from := range []object{at(all, text, "contact.office"), at(dir+"/docs/open.json", open, `contact.office", "variables`)} {
		assert.NotEqual(t, "null", string(e.ask("textDocument/prepareRename", from)))
		from["newName"] = "contact.desk"
		var edit edits
		e.into(&edit, "textDocument/rename", from)
		changed := map[string]string{}
		for _, c := range edit.DocumentChanges {
			name := strings.TrimPrefix(c.TextDocument.URI, dir+"/")
			switch name {
			case "docs/open.json":
				require.NotNil(t, c.TextDocument.Version)
				changed[name] = apply(open, c.Edits)
			case "docs/saved.json":
				require.Nil(t, c.TextDocument.Version)
				changed[name] = apply(saved, c.Edits)
			default:
				changed[name] = "source"
			}
		}
		renamed := func(text string) string {
			return strings.NewReplacer(`"element_id": "contact.office"`, `"element_id": "contact.desk"`, `"contact.office": {`, `"contact.desk": {`).Replace(text)
		}
		assert.Equal(t, map[string]string{
			"docs/open.json": renamed(open), "docs/saved.json": renamed(saved), "bikes/2026-09-01-beta/elements/all.yaml": "source",
		}, changed)
		assert.Contains(t, string(e.requested("window/showMessage")), "/w/bikes/docs/other.json")
	}

	t.Run("not in a stable version", func(t *testing.T) {
		stable := fstest.MapFS{}
		for name, f := range bikes(t) {
			stable[strings.Replace(name, "2026-09-01-beta", "2026-09-01-stable", 1)] = f
		}
		e := author(t, stable)
		uri := strings.Replace(elements, "-beta", "-stable", 1)
		e.open(uri, text)
		m := e.answer(e.request("textDocument/rename", object{"textDocument": object{"uri": uri}, "position": place(t, text, "contact.office"), "newName": "contact.desk"}))
		require.NotNil(t, m.Error)
		assert.Contains(t, m.Error.Message, "is stable")
	})
}
