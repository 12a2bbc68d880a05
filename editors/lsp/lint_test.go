package lsp_test

import (
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// gate is a file system that can hold back the reader of a file, or fail.
type gate struct {
	mu     sync.Mutex
	files  fstest.MapFS
	broken bool   // the root can't be listed
	held   string // the file whose next reader waits
	// reached is closed when the reader waits, and closing open lets it go on.
	reached, open chan struct{}
}

func (g *gate) Open(name string) (fs.File, error) {
	g.mu.Lock()
	f, err := g.files.Open(name)
	if g.broken && name == "." {
		f, err = nil, fs.ErrPermission
	}
	wait := name == g.held
	if wait {
		g.held = ""
		close(g.reached)
	}
	g.mu.Unlock()
	if wait {
		<-g.open
	}
	return f, err
}

// hold makes the next reader of a file wait, which gets the file as it is when the
// reader reaches the gate.
func (g *gate) hold(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held, g.reached, g.open = name, make(chan struct{}), make(chan struct{})
}

func (g *gate) write(name, text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.files[name] = &fstest.MapFile{Data: []byte(text)}
}

func (g *gate) breaks(broken bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.broken = broken
}

// handled waits until the server has handled all notifications that were sent.
func (e *editor) handled() {
	e.t.Helper()
	e.answer(e.request("$/handled", object{}))
}

// received returns all diagnostics of a file so far.
func (e *editor) received(uri string) []publication {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.published[uri])
}

// TestSupersededLint changes the source while it is linted: what the run found is never
// published.
func TestSupersededLint(t *testing.T) {
	const (
		elementsFile = "bikes/2026-09-01-beta/elements/all.yaml"
		contactFile  = "bikes/2026-09-01-beta/categories/contact.yaml"
	)
	t.Run("a text in the editor", func(t *testing.T) {
		files := bikes(t)
		good := string(files[elementsFile].Data)
		g := &gate{files: files}
		e := author(t, g)
		e.open(elements, good)
		e.diagnostics(elements, 1)

		g.hold(".") // every run lists it
		e.change(elements, 2, strings.Replace(good, "category_id: contact", "category_id: contcat", 1))
		<-g.reached
		e.change(elements, 3, good)
		e.handled()
		close(g.open)
		e.diagnostics(elements, 3)
		for _, p := range e.received(elements) {
			require.NotNil(t, p.Version)
			assert.NotEqual(t, 2, *p.Version, "findings of a text that was replaced")
		}
	})
	t.Run("a saved file", func(t *testing.T) {
		files := bikes(t)
		good := string(files[contactFile].Data)
		bad := strings.Replace(good, "shape: circle", "shape: round", 1)
		require.NotEqual(t, good, bad)
		g := &gate{files: files}
		e := author(t, g)
		e.open(elements, string(files[elementsFile].Data))
		e.diagnostics(elements, 1)

		g.write(contactFile, bad)
		g.hold(contactFile)
		e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{}})
		<-g.reached
		g.write(contactFile, good)
		e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{}})
		e.change(elements, 2, string(files[elementsFile].Data))
		e.handled()
		close(g.open)
		e.diagnostics(elements, 2)
		for _, p := range e.received(contact) {
			assert.Empty(t, p.Diagnostics, "findings of a file that was replaced")
		}
	})
}

// TestUnchangedLint changes an open file again and again: what was found in another one, which
// stays the same, is sent once.
func TestUnchangedLint(t *testing.T) {
	const contactFile = "bikes/2026-09-01-beta/categories/contact.yaml"
	files := bikes(t)
	g := &gate{files: files}
	e := author(t, g)
	g.write(contactFile, strings.Replace(string(files[contactFile].Data), "shape: circle", "shape: round", 1))
	e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{}})
	text := string(files["bikes/2026-09-01-beta/elements/all.yaml"].Data)
	e.open(elements, text)
	e.await("the finding", func() bool { return len(e.published[contact]) > 0 })
	for version := 2; version < 5; version++ {
		e.change(elements, version, text+strings.Repeat("#", version)+"\n")
		e.diagnostics(elements, version)
	}
	require.Len(t, e.received(contact), 1)
	assert.NotEmpty(t, e.received(contact)[0].Diagnostics)
}

// TestFailedLint changes a file while the source can't be listed: what is wrong in it is found
// after the next change, which is in another file.
func TestFailedLint(t *testing.T) {
	files := bikes(t)
	good := string(files["bikes/2026-09-01-beta/elements/all.yaml"].Data)
	g := &gate{files: files}
	e := author(t, g)
	e.open(elements, good)
	e.diagnostics(elements, 1)

	g.breaks(true)
	e.change(elements, 2, strings.Replace(good, "category_id: contact", "category_id: contcat", 1))
	e.logged("lint: ")
	g.breaks(false)
	e.open(contact, string(files["bikes/2026-09-01-beta/categories/contact.yaml"].Data))
	found := e.diagnostics(elements, 2)
	require.NotEmpty(t, found)
	assert.Equal(t, "category_unknown", found[0].Code)
}
