package stores

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
)

// ProjectFile is the name of the file with the settings of a project.
const ProjectFile = "datachain.yaml"

// Project is the content of a project file.
type Project struct {
	// File is its path.
	File string
	// Root is the root of the repository that it is in or, if there is none, its
	// directory.
	Root string

	// Store and Schemas name the versions to use. A path is absolute.
	Store, Schemas string
	// Documents are files and directories, as absolute paths.
	Documents []string
	// Locale is the language to show, and Strict applies to validating documents.
	Locale string
	Strict bool
}

// ErrForeign means that a project file belongs to another user, and is ignored.
var ErrForeign = errors.New("ignored, because it belongs to another user")

// FindProject reads the project file of a directory: the one in it or, in a git repository, in the
// nearest parent up to the root of the repository. It returns nil if there is none. The file must
// belong to the user uid, unless that is negative.
func FindProject(dir string, uid int) (*Project, error) {
	root := repository(dir)
	for at := dir; ; at = filepath.Dir(at) {
		file := filepath.Join(at, ProjectFile)
		info, err := os.Stat(file)
		switch {
		case err == nil && !belongs(info, uid):
			return nil, fmt.Errorf("%s: %w", file, ErrForeign)
		case err == nil:
			p := &Project{File: file, Root: root}
			if root == "" {
				p.Root = at
			}
			if err := p.read(info); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			return p, nil
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: %s", file, wording.Reason(err))
		case root == "" || at == root:
			return nil, nil //nolint:nilnil // most directories have none
		}
	}
}

// repository returns the root of the git repository that a directory is in, or "".
func repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if filepath.Dir(at) == at {
			return ""
		}
	}
}

// maxProject is the size limit of a project file.
const maxProject = 64 << 10

var projectKeys = []string{"store", "schemas", "documents", "locale", "strict"}

func (p *Project) read(info fs.FileInfo) error {
	if !info.Mode().IsRegular() || info.Size() > maxProject {
		return fmt.Errorf("must be a file of at most %d KiB", maxProject>>10)
	}
	text, err := os.ReadFile(p.File)
	if err != nil {
		return errors.New(wording.Reason(err))
	}
	var doc yaml.Node
	switch err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil // only comments
	case err != nil:
		return errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	case doc.Content[0].Kind != yaml.MappingNode:
		return fmt.Errorf("must have keys and values: use %s", wording.Or(projectKeys))
	}
	fields := doc.Content[0].Content
	for i := 0; i < len(fields); i += 2 {
		key, value := fields[i], fields[i+1]
		var wrong string
		for j := 0; j < i; j += 2 {
			if fields[j].Value == key.Value {
				return fmt.Errorf("line %d: %s is set twice", key.Line, wording.Quote(key.Value))
			}
		}
		switch key.Value {
		case "store":
			wrong = decode(value, &p.Store, "a directory, s3://bucket/prefix or a URL")
		case "schemas":
			wrong = decode(value, &p.Schemas, "a directory")
		case "locale":
			const be = "a language tag, such as fr"
			if wrong = decode(value, &p.Locale, be); wrong == "" && datachain.Check("locale", p.Locale) != nil {
				wrong = "must be " + be
			}
		case "strict":
			wrong = decode(value, &p.Strict, "true or false")
		case "documents":
			if value.Kind == yaml.ScalarNode {
				value = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{value}}
			}
			wrong = decode(value, &p.Documents, "a file or a directory, or a list of them")
		default:
			wrong = "is unknown: use " + wording.Or(projectKeys)
			if near := similar.Nearest(key.Value, slices.Values(projectKeys)); near != "" {
				wrong = "is unknown: did you mean " + near + "?"
			}
		}
		if wrong != "" {
			return fmt.Errorf("line %d: %s %s", key.Line, wording.Quote(key.Value), wrong)
		}
	}
	if p.Store != "" && p.Schemas != "" {
		return errors.New("store and schemas can't be used together: remove one of them")
	}
	p.resolve()
	return nil
}

// decode decodes a value. It returns what the value must be if it is something else.
func decode[T any](value *yaml.Node, at *T, be string) string {
	if value.Tag == "!!null" || value.Decode(at) != nil {
		return "must be " + be
	}
	return ""
}

// resolve makes paths absolute. They are relative to the file.
func (p *Project) resolve() {
	dir := filepath.Dir(p.File)
	if p.Schemas != "" {
		p.Schemas = files.Absolute(dir, filepath.FromSlash(p.Schemas))
	}
	if p.Store != "" && !(Location{Store: p.Store}).Remote() {
		p.Store = files.Absolute(dir, filepath.FromSlash(p.Store))
	}
	for i, d := range p.Documents {
		p.Documents[i] = files.Absolute(dir, filepath.FromSlash(d))
	}
}

// Location returns the location that the project names, with paths as the user would type them in a
// directory. It is not known if the project names none.
func (p *Project) Location(dir string) Location {
	switch name := files.Relative(dir, p.File); {
	case p.Schemas != "":
		return Location{Schemas: files.Relative(dir, p.Schemas), By: name + ": schemas"}
	case (Location{Store: p.Store}).Remote():
		return Location{Store: p.Store, By: name + ": store"}
	case p.Store != "":
		return Location{Store: files.Relative(dir, p.Store), By: name + ": store"}
	}
	return Location{}
}

// Inside reports whether the location that a project names is in its repository: a file in a
// repository must not make programs read elsewhere.
func (p *Project) Inside() bool {
	at := p.Schemas + p.Store // one of them
	if (Location{Store: at}).Remote() {
		return false
	}
	root := p.Root
	target, err := filepath.EvalSymlinks(at) // links may lead out of it
	if err == nil {
		at = target
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	rel, err := filepath.Rel(root, at)
	return err == nil && filepath.IsLocal(rel)
}
