package stores_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/stores"
)

// A project file is found in its directory, and from below it in a repository.
func TestFindProject(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "outer/datachain.yaml", "store: outer")
	put(t, dir, "outer/repository/.git/HEAD", "")
	put(t, dir, "outer/repository/datachain.yaml", "# the versions\nstore: ../elsewhere\ndocuments: [a.json, b]\nlocale: pt-BR\nstrict: true")
	put(t, dir, "outer/repository/a/b/c.txt", "")
	put(t, dir, "outer/repository/own/datachain.yaml", "schemas: .")
	put(t, dir, "outer/repository/empty/datachain.yaml", "# nothing")
	put(t, dir, "outer/plain/x.txt", "")
	at := func(name string) string { return filepath.Join(dir, "outer", filepath.FromSlash(name)) }
	for name, want := range map[string]*stores.Project{
		"":      {File: at("datachain.yaml"), Root: at(""), Store: at("outer")},
		"plain": nil, // which is not in a repository
		"repository": {
			File: at("repository/datachain.yaml"), Root: at("repository"), Store: at("elsewhere"), Locale: "pt-BR", Strict: true,
			Documents: []string{at("repository/a.json"), at("repository/b")},
		},
		"repository/own":   {File: at("repository/own/datachain.yaml"), Root: at("repository"), Schemas: at("repository/own")},
		"repository/empty": {File: at("repository/empty/datachain.yaml"), Root: at("repository")},
	} {
		got, err := stores.FindProject(at(name), os.Getuid())
		require.NoError(t, err)
		require.Equal(t, want, got, name)
	}
	below, err := stores.FindProject(at("repository/a/b"), os.Getuid())
	require.NoError(t, err)
	require.Equal(t, stores.Location{Store: filepath.FromSlash("../../../elsewhere"), By: filepath.FromSlash("../../datachain.yaml") + ": store"}, below.Location(at("repository/a/b")))
	require.False(t, below.Inside())
}

// The file of another user is not used.
func TestForeignProject(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "datachain.yaml", "store: x")
	if os.Getuid() < 0 {
		return // this system has no users to tell apart
	}
	_, err := stores.FindProject(dir, os.Getuid()+1)
	require.ErrorIs(t, err, stores.ErrForeign)
}

// Errors say where the file is wrong, and what is allowed.
func TestProjectErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"- store":                  "must have keys and values: use store, schemas, documents, locale or strict",
		"store: [a]":               `line 1: "store" must be a directory, s3://bucket/prefix or a URL`,
		"schemas:":                 `line 1: "schemas" must be a directory`,
		"\nstrict: maybe":          `line 2: "strict" must be true or false`,
		"locale: no such language": `line 1: "locale" must be a language tag, such as fr`,
		"documents: {a: b}":        `line 1: "documents" must be a file or a directory, or a list of them`,
		"schema: x":                `line 1: "schema" is unknown: did you mean schemas?`,
		"colour: red":              `line 1: "colour" is unknown: use store, schemas, documents, locale or strict`,
		"{store: a, schemas: b}":   "store and schemas can't be used together: remove one of them",
		"store: {":                 "line 1: ",
		"store: a\nstore: b":       `line 2: "store" is set twice`,
		strings.Repeat("#", 65537): "must be a file of at most 64 KiB",
	} {
		dir := t.TempDir()
		put(t, dir, "datachain.yaml", text)
		_, err := stores.FindProject(dir, os.Getuid())
		require.ErrorContains(t, err, filepath.Join(dir, "datachain.yaml")+": ", text)
		require.ErrorContains(t, err, want, text)
	}
}

// What a project file names is inside of its repository, or not.
func TestInside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "repository/.git/HEAD", "")
	put(t, dir, "repository/inner/x", "")
	put(t, dir, "outside/x", "")
	require.NoError(t, os.Symlink(filepath.Join(dir, "outside"), filepath.Join(dir, "repository", "link")))
	for text, want := range map[string]bool{
		"store: inner": true, "schemas: .": true, "store: not-yet": true, "store: ../outside": false, "store: /": false,
		"schemas: link": false, "store: s3://bucket": false, "store: https://datachain.example": false,
	} {
		put(t, dir, "repository/datachain.yaml", text)
		p, err := stores.FindProject(filepath.Join(dir, "repository"), os.Getuid())
		require.NoError(t, err)
		require.Equal(t, want, p.Inside(), text)
	}
}
