// Package fields lists the wire fields of the types of the model. The struct tags of the
// types are the only description: decoders, lists of known names and tests derive theirs
// from it.
package fields

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Field is a field of a struct that has a name on the wire.
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
	if d, ok := described.Load(t); ok {
		return d.(description).list, d.(description).unknown
	}
	list, unknown = of(t)
	described.Store(t, description{list, unknown})
	return list, unknown
}

// described keeps what Of returned by type: reading tags takes ten times as long.
var described sync.Map

type description struct {
	list    []Field
	unknown []int
}

func of(t reflect.Type) (list []Field, unknown []int) {
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
