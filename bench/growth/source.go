package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/datachain-go/datachain/bench/corpus"
)

const (
	schemaType = "growth"
	version    = schemaType + "@2026-09-01-stable"

	categories = 10
	// maxSymbols are as many as a large set of symbols has.
	maxSymbols = 500
	// perFile is the number of elements in a file.
	perFile = 1000
)

// object is a JSON object; schema source may be written in JSON.
type object map[string]any

func localized(text func() string) object { return object{"en": text(), "fr": text()} }

func fixed(text string) object { return localized(func() string { return text }) }

// writeSource writes the source of a taxonomy with n elements, and returns its words.
func writeSource(dir string, n int) ([]string, error) {
	dir = filepath.Join(dir, schemaType, "2026-09-01-stable")
	for _, sub := range []string{"categories", "elements", "symbols"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, err
		}
	}
	var ids []string
	for i := range categories {
		c := object{"id": categoryID(i), "name": fixed("Category"), "description": fixed("A category."), "shape": "circle"}
		if hasContext(i) {
			c["context"] = object{"values": []object{
				{"id": "used", "label": fixed("In use"), "color": "#AA2211"},
				{"id": "planned", "label": fixed("Planned"), "color": "#2211AA"},
			}}
		}
		ids = append(ids, categoryID(i))
		if err := write(filepath.Join(dir, "categories", categoryID(i)+".json"), c); err != nil {
			return nil, err
		}
	}
	err := write(filepath.Join(dir, "schema.json"), object{
		"title": fixed("Growth"), "description": fixed("A taxonomy of any size."), "locales": []string{"en", "fr"},
		"datachain_type": object{"id": schemaType, "name": fixed("Growth"), "categories": ids},
	})
	if err != nil {
		return nil, err
	}
	symbols := min(n, maxSymbols)
	for i := range symbols {
		svg := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M%d %dh12v12z" fill="currentColor"/></svg>`, i%24, i/24%24)
		if err := os.WriteFile(filepath.Join(dir, "symbols", symbolID(i)+".svg"), []byte(svg), 0o644); err != nil {
			return nil, err
		}
	}
	return writeElements(filepath.Join(dir, "elements"), n, symbols)
}

func writeElements(dir string, n, symbols int) ([]string, error) {
	w := corpus.NewWriter(n)
	title := func() string { return w.Title(nil) }
	description := func() string { return w.Description(nil) }
	var elements []object
	for i := range n {
		e := object{
			"id": elementID(i), "category_id": categoryID(i % categories), "symbol_id": symbolID(i % symbols),
			"title": localized(title), "description": localized(description),
		}
		if hasVariable(i) {
			e["description"] = localized(func() string { return description() + " {{place}}" })
			e["variables"] = []object{{"id": "place", "label": fixed("Place"), "required": true}}
		}
		elements = append(elements, e)
		if len(elements) == perFile || i == n-1 {
			if err := write(filepath.Join(dir, fmt.Sprintf("%06d.json", i)), elements); err != nil {
				return nil, err
			}
			elements = nil
		}
	}
	return w.Words, nil
}

func write(file string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

func categoryID(i int) string { return fmt.Sprintf("c%d", i) }
func symbolID(i int) string   { return fmt.Sprintf("s%d", i) }
func elementID(i int) string  { return fmt.Sprintf("%s.e%06d", categoryID(i%categories), i) }

// Every other element has a variable, and half of the categories have context values.
func hasVariable(element int) bool { return element%2 == 0 }
func hasContext(category int) bool { return category < categories/2 }

// document returns a datachain with n placements of a taxonomy with so many elements.
// Elements that need neither context nor values keep the placements small: a document
// may have at most 1 MiB.
func document(n, elements int) []byte {
	var plain []string
	for i := range min(elements, 1000) {
		if !hasVariable(i) && !hasContext(i%categories) {
			plain = append(plain, elementID(i))
		}
	}
	placements := make([]object, n)
	for i := range placements {
		placements[i] = object{"element_id": plain[i%len(plain)]}
	}
	text, err := json.Marshal(object{
		"id": "growth", "title": []object{{"locale": "en", "value": "Growth"}}, "schema_version": version,
		"created_at": "2026-09-02T10:00:00Z", "elements": placements,
	})
	if err != nil {
		panic(err) // strings and lists can be marshaled
	}
	return text
}
