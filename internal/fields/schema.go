package fields

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Differences compares the properties that a JSON Schema names with the wire fields of a
// type, and of the types that those lead to, for tests. It returns "Type.field" for a field
// that the schema lacks and "+Type.field" for a property that is not a field, sorted. An
// object for which the schema names no properties can have any, and $schema is for editors.
func Differences(schema map[string]any, t reflect.Type) []string {
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
			target = target.(map[string]any)[key]
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
