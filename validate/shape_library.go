package validate

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// schemaLibrary is package jsonschema with the embedded schemas. It is created when a
// document does not fit, and compiles a schema when it is first needed.
type schemaLibrary struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler // keeps what it has compiled
}

var jsonSchemas = sync.OnceValue(func() *schemaLibrary {
	l := &schemaLibrary{compiler: newCompiler()}
	for _, name := range JSONSchemaNames() {
		text, err := jsonschema.UnmarshalJSON(bytes.NewReader(readSchema(name).Text()))
		if err == nil {
			err = l.compiler.AddResource(schemaBase+name+schemaSuffix, text)
		}
		if err != nil {
			panic(fmt.Sprintf("validate: schema %s: %v", name, err))
		}
	}
	return l
})

// newCompiler returns a compiler that knows our formats and loads nothing, so that a
// mistake in a schema can't open a file or a connection.
func newCompiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.AssertFormat()
	for _, f := range formats {
		c.RegisterFormat(&jsonschema.Format{Name: f.name, Validate: func(v any) error {
			if text, ok := v.(string); ok && !f.check([]byte(text)) {
				return errors.New("is not " + f.is)
			}
			return nil
		}})
	}
	return c
}

type noLoader struct{}

func (noLoader) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not embedded", url) }

// schema returns the compiled schema of a shape.
func (l *schemaLibrary) schema(s *shape) *jsonschema.Schema {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.compiler.MustCompile(s.location)
}

// errorKinds returns the errors of a value itself, not of its contents.
func (l *schemaLibrary) errorKinds(s *shape, v document.Value) []jsonschema.ErrorKind {
	var failed *jsonschema.ValidationError
	if !errors.As(l.schema(s).Validate(outline(s, v)), &failed) {
		return nil
	}
	var kinds []jsonschema.ErrorKind
	var collect func(*jsonschema.ValidationError)
	collect = func(e *jsonschema.ValidationError) {
		switch e.ErrorKind.(type) {
		case *kind.Schema, *kind.Group, *kind.Reference:
			for _, cause := range e.Causes {
				collect(cause)
			}
		default:
			if len(e.InstanceLocation) == 0 {
				kinds = append(kinds, e.ErrorKind)
			}
		}
	}
	collect(failed)
	return kinds
}

// outline returns a value for package jsonschema without its contents: members and items
// are nil, and only as many as the shape needs, so that of a large value is small.
func outline(s *shape, v document.Value) any {
	switch v.Kind() {
	case '{':
		members := make(map[string]any)
		for m := range v.All() {
			if i := s.find(m, 0); i >= 0 {
				members[s.fields[i].name] = nil
			} else if s.closed || len(members) < s.minProperties {
				members[m.Key()] = nil
			}
		}
		return members
	case '[':
		return make([]any, min(v.Len(), s.minItems))
	}
	scalar, err := jsonschema.UnmarshalJSON(bytes.NewReader(v.Raw()))
	if err != nil {
		panic("validate: a strict document holds " + err.Error())
	}
	return scalar
}
