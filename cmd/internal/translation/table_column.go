package translation

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// cellType says what the cells of a column have.
type cellType int

const (
	textCell cellType = iota
	intCell
	boolCell
	idsCell
)

// column is what the name of a column means.
type column struct {
	path []edit.Step
	cell cellType
}

// elementFields are the fields of an element that are columns: words, integers, true or false, and
// texts with a column for each locale. Examples, mappings and variables have columns for each item.
var elementFields = sync.OnceValue(func() []jsonfields.Field {
	list, _ := jsonfields.Of(reflect.TypeFor[taxonomy.Element]())
	return slices.DeleteFunc(slices.Clone(list), func(f jsonfields.Field) bool {
		return f.Name == "id" || f.Type.Kind() != reflect.String && f.Type.Kind() != reflect.Int && f.Type.Kind() != reflect.Bool && f.Type != reflect.TypeFor[taxonomy.Localized]()
	})
})

// errUnknownColumn is returned for a column that is not part of the table, such as one
// for remarks.
var errUnknownColumn = errors.New("unknown column, which is ignored")

// parseColumn returns what the name of a column means.
func parseColumn(name string, locales []string) (column, error) {
	parts := strings.Split(name, ":")
	kind := reflect.Invalid
	if i := slices.IndexFunc(elementFields(), func(f jsonfields.Field) bool { return f.Name == parts[0] }); i >= 0 {
		kind = elementFields()[i].Type.Kind()
	}
	key := func(k string) edit.Step { return edit.Step{Key: k} }
	localized := func(path []edit.Step, locale string) (column, error) {
		i := ident.IndexLocale(locales, locale)
		if i < 0 {
			return column{}, fmt.Errorf("the version has no locale %s: write %s, or add it to locales in the schema file", wording.Quote(locale), wording.Or(locales))
		}
		return column{append(path, edit.Step{Locale: locales[i]}), textCell}, nil
	}
	switch n := len(parts); {
	case n == 1 && kind == reflect.String:
		return column{[]edit.Step{key(name)}, textCell}, nil
	case n == 1 && kind == reflect.Int:
		return column{[]edit.Step{key(name)}, intCell}, nil
	case n == 1 && kind == reflect.Bool:
		return column{[]edit.Step{key(name)}, boolCell}, nil
	case n == 2 && kind == reflect.Slice:
		return localized([]edit.Step{key(parts[0])}, parts[1])
	case n == 3 && parts[0] == "example":
		number, err := strconv.Atoi(parts[1])
		if err != nil || number < 1 || number > 1000 {
			return column{}, errUnknownColumn
		}
		return localized([]edit.Step{key("examples"), {Number: number}}, parts[2])
	case n >= 3 && parts[0] == "mapping" && ident.IsID(parts[1]) && strings.TrimSpace(strings.Join(parts[2:], ":")) != "":
		entry := edit.Step{Scheme: parts[1], ID: strings.TrimSpace(strings.Join(parts[2:], ":"))}
		return column{[]edit.Step{key("mappings"), entry, key("relation")}, textCell}, nil
	case n < 3 || parts[0] != "variable" || !ident.IsID(parts[1]):
		return column{}, errUnknownColumn
	}
	path := []edit.Step{key("variables"), {ID: parts[1]}}
	field := parts[2:] // of the variable
	switch {
	case len(field) == 2 && field[0] == "label":
		return localized(append(path, key("label")), field[1])
	case len(field) == 1 && field[0] == "required":
		return column{append(path, key("required")), boolCell}, nil
	case len(field) == 1 && (field[0] == "type" || field[0] == "role"):
		return column{append(path, key(field[0])), textCell}, nil
	case len(field) < 3 || field[0] != "option" || !ident.IsID(field[1]):
		return column{}, errUnknownColumn
	}
	path = append(path, key("options"), edit.Step{ID: field[1]})
	switch {
	case len(field) == 4 && (field[2] == "label" || field[2] == "description"):
		return localized(append(path, key(field[2])), field[3])
	case len(field) == 3 && field[2] == "applies_to":
		return column{append(path, key("applies_to")), idsCell}, nil
	}
	return column{}, errUnknownColumn
}

// value returns what a cell says, or nil if it is empty.
func (c column) value(cell string) (any, error) {
	trimmed := strings.TrimSpace(cell)
	switch {
	case trimmed == "":
		return nil, nil
	case c.cell == intCell:
		n, err := strconv.Atoi(trimmed)
		if err != nil {
			return nil, fmt.Errorf("%s is not an integer", wording.Quote(trimmed))
		}
		return n, nil
	case c.cell == boolCell:
		switch strings.ToLower(trimmed) {
		case "true":
			return true, nil
		case "false":
			return nil, nil
		}
		return nil, fmt.Errorf("%s is not true or false", wording.Quote(trimmed))
	case c.cell == idsCell:
		return strings.Fields(trimmed), nil
	}
	return cell, nil
}

// equal reports whether two cells have the same value. Carriage returns in texts do not count.
func (c column) equal(a, b string) bool {
	if c.cell == textCell {
		return normal(a) == normal(b)
	}
	x, errX := c.value(a)
	y, errY := c.value(b)
	return errX == nil && errY == nil && fmt.Sprint(x) == fmt.Sprint(y)
}

// normal returns a text without the carriage returns that CSV does not keep.
func normal(s string) string { return strings.ReplaceAll(s, "\r", "") }
