package validate

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// shapes are the compiled schemas by name.
var shapes = sync.OnceValue(func() map[string]*shape {
	c := newShapeCompiler(readSchema)
	byName := make(map[string]*shape)
	for _, name := range JSONSchemaNames() {
		s, err := c.compile(name, "")
		if err != nil {
			panic("validate: " + err.Error())
		}
		byName[name] = s
	}
	return byName
})

func instanceShape() *shape { return shapes()["instance"] }

func resolvedShape() *shape { return shapes()["resolved"] }

// shapeCompiler compiles schemas to shapes. It refuses keywords that the embedded
// schemas do not use, since an ignored keyword would not be checked.
type shapeCompiler struct {
	read   func(name string) *document.Document
	files  map[string]*document.Document
	shapes map[string]*shape // by location
}

func newShapeCompiler(read func(name string) *document.Document) *shapeCompiler {
	return &shapeCompiler{read: read, files: make(map[string]*document.Document), shapes: make(map[string]*shape)}
}

// compile returns the shape of the part of a schema at a JSON pointer.
func (c *shapeCompiler) compile(name, pointer string) (*shape, error) {
	at := name + "#" + pointer
	if s, ok := c.shapes[at]; ok {
		if s == nil {
			return nil, fmt.Errorf("schema %s: refers to itself", at)
		}
		return s, nil
	}
	c.shapes[at] = nil // marks it as being compiled
	v, ok := c.find(name, pointer)
	if !ok || v.Kind() != '{' {
		return nil, fmt.Errorf("schema %s: not found", at)
	}
	k := keywords{c: c, name: name, pointer: pointer, s: &shape{location: schemaBase + name + schemaSuffix + "#" + pointer}}
	if err := k.read(v); err != nil {
		return nil, fmt.Errorf("schema %s: %w", at, err)
	}
	c.shapes[at] = k.s
	return k.s, nil
}

// find returns the part of a schema at a JSON pointer. Keys that need escapes in a pointer
// are not supported.
func (c *shapeCompiler) find(name, pointer string) (v document.Value, ok bool) {
	if c.files[name] == nil {
		c.files[name] = c.read(name)
	}
	v = c.files[name].Root()
	for key := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer == "" {
			break
		}
		if i, err := strconv.Atoi(key); err == nil && v.Kind() == '[' {
			v, ok = v.At(i)
		} else {
			v, ok = v.Get(key)
		}
		if !ok {
			return v, false
		}
	}
	return v, true
}

// keywords reads the keywords of one schema.
type keywords struct {
	c             *shapeCompiler
	name, pointer string
	s             *shape
	required      []string
	isRef         bool
}

func (k *keywords) read(v document.Value) error {
	if ref, ok := v.Get("$ref"); ok {
		target, err := k.c.compile(splitRef(k.name, ref.Text()))
		if err != nil {
			return err
		}
		location := k.s.location
		*k.s = *target
		k.s.location = location
		k.isRef = true
	}
	for m := range v.All() {
		if err := k.keyword(m.Key(), m); err != nil {
			return fmt.Errorf("%s: %w", m.Key(), err)
		}
	}
	if k.s.kinds == 0 && k.s.alternatives == nil {
		return errors.New("has neither type nor anyOf nor $ref")
	}
	for _, name := range k.required {
		i := slices.IndexFunc(k.s.fields, func(f field) bool { return f.name == name })
		if i < 0 {
			return fmt.Errorf("required: %s is not a property", name)
		}
		k.s.required |= 1 << i
	}
	return k.consistent()
}

// consistent refuses combinations of keywords that a shape can't represent.
func (k *keywords) consistent() error {
	s := k.s
	switch {
	case s.alternatives != nil && s.kinds != 0:
		return errors.New("has both anyOf and type")
	case s.words != nil && s.kinds != aString:
		return errors.New("enum is supported for strings only")
	case s.format != nil && s.pattern == nil:
		return errors.New("format needs a pattern for programs that do not know it")
	case len(s.fields) > maxFields:
		return fmt.Errorf("has more than %d properties", maxFields)
	}
	return nil
}

// keyword reads one keyword. A schema with a $ref can have only annotations and
// further properties.
func (k *keywords) keyword(name string, v document.Value) (err error) {
	switch name {
	case "$schema", "$id", "$ref", "$defs", "description", "default":
	case "title":
		k.s.title = v.Text()
	case "examples":
		if first, ok := v.At(0); ok {
			k.s.example = first.Raw()
		}
	case "properties":
		err = k.properties(v)
	case "required":
		for item := range v.All() {
			k.required = append(k.required, item.Text())
		}
	default:
		if k.isRef {
			return errors.New("is not supported with a $ref")
		}
		return k.assertion(name, v)
	}
	return err
}

// assertion reads a keyword that is not supported with a $ref.
func (k *keywords) assertion(name string, v document.Value) (err error) {
	s := k.s
	switch name {
	case "anyOf":
		for i := range v.Len() {
			alternative, err := k.sub(fmt.Sprintf("/anyOf/%d", i))
			if err != nil {
				return err
			}
			s.alternatives = append(s.alternatives, alternative)
		}
	case "type":
		return k.kinds(v)
	case "enum":
		for word := range v.All() {
			s.words = append(s.words, word.Text())
		}
	case "minLength":
		if s.nonEmpty = string(v.Raw()) == "1"; !s.nonEmpty {
			return fmt.Errorf("is %s, but only 1 is supported", v.Raw())
		}
	case "pattern":
		s.pattern, err = regexp.Compile(v.Text())
	case "format":
		i := slices.IndexFunc(formats, func(f *format) bool { return f.name == v.Text() })
		if i < 0 {
			var known []string
			for _, f := range formats {
				known = append(known, f.name)
			}
			return fmt.Errorf("unknown format %s: use %s, or add it to formats in validate/format.go", v.Text(), wording.Or(known))
		}
		s.format = formats[i]
	case "minimum":
		s.minimum, s.bounded = integer(v.Raw())
	case "minItems":
		s.minItems, err = strconv.Atoi(string(v.Raw()))
	case "minProperties":
		s.minProperties, err = strconv.Atoi(string(v.Raw()))
	case "items":
		s.items, err = k.sub("/items")
	case "additionalProperties":
		if s.closed = v.Kind() == 'f'; !s.closed {
			s.others, err = k.sub("/additionalProperties")
		}
	default:
		return errors.New("is not a supported keyword")
	}
	return err
}

// sub compiles a schema inside this one.
func (k *keywords) sub(pointer string) (*shape, error) {
	return k.c.compile(k.name, k.pointer+pointer)
}

func (k *keywords) properties(v document.Value) error {
	if k.isRef { // they are added to those of the target
		k.s.fields, k.s.example = slices.Clone(k.s.fields), nil
	}
	for m := range v.All() {
		name := m.Key()
		if slices.ContainsFunc(k.s.fields, func(f field) bool { return f.name == name }) {
			return fmt.Errorf("%s is also a property of the $ref", name)
		}
		s, err := k.sub("/properties/" + name)
		if err != nil {
			return err
		}
		k.s.fields = append(k.s.fields, field{name, s})
	}
	return nil
}

func (k *keywords) kinds(v document.Value) error {
	known := map[string]kinds{
		"null": aNull, "boolean": aBoolean, "string": aString, "integer": anInteger, "array": anArray, "object": anObject,
	}
	names := slices.Collect(v.All())
	if v.Kind() == '"' {
		names = []document.Value{v}
	}
	for _, name := range names {
		if known[name.Text()] == 0 {
			return fmt.Errorf("unknown type %q", name.Text())
		}
		k.s.kinds |= known[name.Text()]
	}
	return nil
}
