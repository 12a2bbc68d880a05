// Package jsonfields describes the fields of structs by their names in JSON.
package jsonfields

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Field is a field of a struct that has a name on the wire. The struct tags of the types of the
// model are the only description of their fields: decoders, lists of known names and tests
// derive theirs from it.
type Field struct {
	Name  string // on the wire
	Index []int  // as for [reflect.Value.FieldByIndex]
	Type  reflect.Type
	// Optional reports that the field is omitted if it has no value.
	Optional bool
}

// Of returns the wire fields of a struct in the order of declaration, with those of
// embedded structs, and the index of the field that keeps unknown ones, or nil. The list
// must not be modified.
func Of(t reflect.Type) (list []Field, unknown []int) {
	if kept, ok := described.Load(t); ok {
		d, _ := kept.(description)
		return d.list, d.unknown
	}
	list, unknown = fieldsOf(t)
	described.Store(t, description{list, unknown})
	return list, unknown
}

// described keeps what Fields returned by type: reading tags takes ten times as long.
var described sync.Map

type description struct {
	list    []Field
	unknown []int
}

func fieldsOf(t reflect.Type) (list []Field, unknown []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			inner, kept := Of(f.Type)
			for _, field := range inner {
				field.Index = append([]int{i}, field.Index...)
				list = append(list, field)
			}
			if kept != nil {
				unknown = append([]int{i}, kept...)
			}
			continue
		}
		tag, _ := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case options == "embed":
			unknown = f.Index
		case name != "" && name != "-":
			list = append(list, Field{name, f.Index, f.Type, options != ""})
		}
	}
	return list, unknown
}

// Names returns the names of the wire fields of a type.
func Names[T any]() []string {
	list, _ := Of(reflect.TypeFor[T]())
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = f.Name
	}
	return names
}

// FieldError is an error about a field.
type FieldError struct {
	Field string // its path, such as publisher.name
	Err   error
}

// Error says which field, and what is wrong with it.
func (e *FieldError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *FieldError) Unwrap() error { return e.Err }

// Unmarshal decodes JSON into a struct, which must have all its members. What is wrong with a
// member is a [*FieldError], which names no types of Go.
func Unmarshal(text []byte, v any) error {
	err := json.Unmarshal(text, v, json.RejectUnknownMembers(true))
	wrong, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return err
	}
	is := cmp.Or(map[jsontext.Kind]string{'[': "array", '{': "object"}[wrong.JSONKind], wrong.JSONKind.String())
	field := strings.ReplaceAll(strings.TrimPrefix(string(wrong.JSONPointer), "/"), "/", ".")
	switch {
	case field == "":
		return fmt.Errorf("it must be a JSON object, not %s", is)
	case errors.Is(wrong.Err, json.ErrUnknownName):
		err = errors.New("the field is unknown")
	case wrong.GoType == reflect.TypeFor[time.Time]():
		err = errors.New("it must be a time such as 2026-11-17T09:00:00Z")
	case wrong.Err != nil && !errors.Is(wrong.Err, strconv.ErrSyntax) && !errors.Is(wrong.Err, strconv.ErrRange):
		err = wrong.Err
	default:
		err = fmt.Errorf("it has the wrong type: %s", is)
	}
	return &FieldError{field, err}
}

// Structs calls visit for a struct type and for those that its fields lead to, each once,
// the outer ones first. A type without wire fields, such as a date, is a value.
func Structs(t reflect.Type, visit func(t reflect.Type, list []Field)) {
	structs(t, visit, new([]reflect.Type))
}

func structs(t reflect.Type, visit func(t reflect.Type, list []Field), seen *[]reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		structs(t.Elem(), visit, seen)
	case reflect.Struct:
		list, _ := Of(t)
		if len(list) == 0 || slices.Contains(*seen, t) {
			return
		}
		*seen = append(*seen, t)
		visit(t, list)
		for _, f := range list {
			structs(f.Type, visit, seen)
		}
	}
}

// Unset returns the wire fields that have no value anywhere in v, as "Type.field", sorted.
// Tests use it to make sure that their data has every field.
func Unset(v any) []string {
	set := make(map[string]bool)
	unset(reflect.ValueOf(v), set)
	return slices.Sorted(func(yield func(string) bool) {
		for name, found := range set {
			if !found && !yield(name) {
				return
			}
		}
	})
}

func unset(v reflect.Value, set map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		unset(v.Elem(), set)
	case reflect.Slice:
		for i := range v.Len() {
			unset(v.Index(i), set)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			unset(v.MapIndex(key), set)
		}
	case reflect.Struct:
		list, _ := Of(v.Type())
		for _, f := range list {
			name := v.Type().Name() + "." + f.Name
			set[name] = set[name] || !v.FieldByIndex(f.Index).IsZero()
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				unset(v.Field(i), set)
			}
		}
	}
}

// SchemaDifferences compares the properties that a JSON Schema names with the wire fields of a
// type, and of the types that those lead to, for tests. It returns "Type.field" for a field
// that the schema lacks and "+Type.field" for a property that is not a field, sorted. An
// object for which the schema names no properties can have any, and $schema is for editors.
func SchemaDifferences(schema map[string]any, t reflect.Type) []string {
	found := make(map[string]bool)
	compare(schema, []any{schema}, t, found)
	return slices.Sorted(maps.Keys(found))
}

// compare compares a type with those of the alternatives that describe its form.
func compare(root map[string]any, schemas []any, t reflect.Type, found map[string]bool) {
	properties, inner := make(map[string][]any), []any{}
	for _, s := range schemas {
		collect(root, s, properties, &inner)
	}
	switch t.Kind() {
	case reflect.Pointer:
		compare(root, schemas, t.Elem(), found)
	case reflect.Slice, reflect.Map:
		compare(root, inner, t.Elem(), found)
	case reflect.Struct:
		delete(properties, "$schema")
		list, _ := Of(t)
		if len(list) == 0 || len(properties) == 0 {
			return
		}
		for _, f := range list {
			if schemas, ok := properties[f.Name]; ok {
				compare(root, schemas, f.Type, found)
			} else {
				found[t.Name()+"."+f.Name] = true
			}
			delete(properties, f.Name)
		}
		for name := range properties {
			found["+"+t.Name()+"."+name] = true
		}
	}
}

// collect adds the properties of a schema and the schemas of what it contains.
func collect(root map[string]any, schema any, properties map[string][]any, inner *[]any) {
	object, _ := schema.(map[string]any)
	if ref, ok := object["$ref"].(string); ok {
		target := any(root)
		for _, key := range strings.Split(ref, "/")[1:] {
			object, _ := target.(map[string]any)
			target = object[key]
		}
		collect(root, target, properties, inner)
	}
	for _, keyword := range []string{"allOf", "anyOf"} {
		list, _ := object[keyword].([]any)
		for _, alternative := range list {
			collect(root, alternative, properties, inner)
		}
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		if s, ok := object[keyword].(map[string]any); ok {
			*inner = append(*inner, s)
		}
	}
	named, _ := object["properties"].(map[string]any)
	for name, property := range named {
		properties[name] = append(properties[name], property)
	}
}
