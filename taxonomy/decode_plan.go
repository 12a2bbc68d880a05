package taxonomy

import (
	"reflect"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/fields"
)

// plan says how to decode the objects of a struct type. It is made once, of the struct
// tags, so that a new field needs no code.
type plan[R any] struct {
	fields []plannedField[R] // sorted by name, as in canonical JSON
	extra  []int             // the index of the Extra, or nil
}

type plannedField[R any] struct {
	name  string
	index []int
	read  R // reads a value into the field
}

func newPlan[R any](t reflect.Type, read func(reflect.Type) R) *plan[R] {
	list, extra := fields.Of(t)
	p := &plan[R]{extra: extra}
	for _, f := range list {
		p.fields = append(p.fields, plannedField[R]{f.Name, f.Index, read(f.Type)})
	}
	slices.SortFunc(p.fields, func(a, b plannedField[R]) int { return strings.Compare(a.name, b.name) })
	return p
}

// find returns the position of a field, or -1. next is where to look first.
func (p *plan[R]) find(name string, next int) int {
	for i := next; i < len(p.fields); i++ {
		if p.fields[i].name == name {
			return i
		}
	}
	for i := range min(next, len(p.fields)) {
		if p.fields[i].name == name {
			return i
		}
	}
	return -1
}

// within returns the field of a struct with the index.
func within(v reflect.Value, index []int) reflect.Value {
	for _, i := range index {
		v = v.Field(i)
	}
	return v
}

// addExtra keeps an unknown field of a struct.
func (p *plan[R]) addExtra(into reflect.Value, name string, raw []byte) {
	extra := pointer[Extra](within(into, p.extra))
	if *extra == nil {
		*extra = make(Extra)
	}
	(*extra)[name] = raw
}

// pointer returns the address of a variable of type T.
func pointer[T any](v reflect.Value) *T {
	p, _ := reflect.TypeAssert[*T](v.Addr())
	return p
}
