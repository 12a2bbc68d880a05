package diff

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TestRulesKnowTheFields checks that rules are about every kind of change of each field of the model,
// whatever its values, so that only changes of fields that this program does not know fall to the last
// rule.
func TestRulesKnowTheFields(t *testing.T) {
	elsewhere := []string{
		"manifest: id", "manifest: status", "manifest: content_hash", "category: id", "element: id", // what identifies a part
		"datachain_type: categories.x", // a change of the category
		"category: context.id",         // documents do not name it
		// Judged at the elements that inherit the variable; see inheritance.
		"category: variables.x.label.en", "category: variables.x.options.x.label.en", "category: variables.x.options.x.description.en",
	}
	for _, part := range []struct {
		subject Subject
		of      reflect.Type
	}{
		{Manifest, reflect.TypeFor[taxonomy.Manifest]()},
		{DatachainType, reflect.TypeFor[taxonomy.Type]()},
		{Category, reflect.TypeFor[taxonomy.Category]()},
		{Element, reflect.TypeFor[taxonomy.Element]()},
	} {
		for path := range leaves(part.of, issue.Root) {
			name := string(part.subject) + ": " + path.String()
			for _, kind := range []Kind{Added, Removed, Changed} {
				if kind == Changed && path[len(path)-1].Name() == item {
					continue // a string in a list is added or removed
				}
				c := &Change{Subject: part.subject, Kind: kind, Path: path}
				known := slices.ContainsFunc(rules[:len(rules)-1], func(r rule) bool {
					return r.when == nil && slices.ContainsFunc(r.on, func(p pattern) bool { return p.matches(c) })
				})
				assert.True(t, known || slices.Contains(elsewhere, name), "no rule is about %s %s: add a pattern to a rule in history/diff/compatible.go", name, kind)
			}
		}
	}
}

// item is the id of an item of a list, or the item itself if it is a string.
const item = "x"

// leaves yields the paths of the values of a type, as changes have them: items of lists are
// named by an id, a locale or themselves.
func leaves(t reflect.Type, at issue.Path) func(yield func(issue.Path) bool) {
	return func(yield func(issue.Path) bool) {
		list := structFields(t)
		switch {
		case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String:
			yield(at.Key(item))
		case t == reflect.TypeFor[taxonomy.Localized]():
			yield(at.Key("en"))
		case t.Kind() == reflect.Slice && isKeyed(t.Elem()):
			leaves(t.Elem(), at.Key(item))(func(p issue.Path) bool {
				return len(p) > 0 && p[len(p)-1].Name() == "id" || yield(p)
			})
		case len(list) > 0:
			for _, f := range list {
				leaves(f.Type, at.Key(f.Name))(yield)
			}
		default:
			yield(at)
		}
	}
}

func structFields(t reflect.Type) (list []jsonfields.Field) {
	if t.Kind() == reflect.Struct {
		list, _ = jsonfields.Of(t)
	}
	return list
}

func isKeyed(t reflect.Type) bool {
	return slices.ContainsFunc(structFields(t), func(f jsonfields.Field) bool { return f.Name == "id" })
}
