// Package jsonfields lists the fields of structs by their names in JSON.
package jsonfields

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Field is a field of a struct that has a name on the wire. Struct tags are the only
// description of the fields of the model: decoders, lists of known names and tests derive
// theirs from them.
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
	if cached, ok := descriptions.Load(t); ok {
		d, _ := cached.(description)
		return d.list, d.unknown
	}
	list, unknown = fieldsOf(t)
	descriptions.Store(t, description{list, unknown})
	return list, unknown
}

// descriptions caches what Of returns by type: reading tags takes ten times as long.
var descriptions sync.Map

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

// Unmarshal decodes JSON into a struct and rejects unknown members. What is wrong with a member
// is a [*FieldError], which names no Go types.
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

// Structs calls visit for a struct type and for the types of its fields, each once and outer
// ones first. It does not visit types without wire fields, such as a time.
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
