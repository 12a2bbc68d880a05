// Package jsonfieldstest compares test data and JSON Schemas with the wire fields of structs.
package jsonfieldstest

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/jsonfields"
)

// Unset returns the wire fields that have no value anywhere in v, as "Type.field", sorted.
// Test data that should have every field has none of them.
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
		list, _ := jsonfields.Of(v.Type())
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
// type and of the types that its fields lead to. It returns "Type.field" for a field that the
// schema lacks and "+Type.field" for a property that is not a field, sorted. An object for
// which the schema names no properties can have any, and $schema is for editors.
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
		list, _ := jsonfields.Of(t)
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
