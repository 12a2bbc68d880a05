package validate

import (
	"iter"

	"github.com/datachain-go/datachain/taxonomy"
)

// maxScanned is the length up to which lists are searched item by item. Longer ones are
// indexed: a hostile document can carry a schema with as many variables, options or contexts
// as placements that refer to them.
const maxScanned = 16

// index has the positions of ids in long lists, by the owner of the list.
type index map[any]map[string]int

// find returns the position of the first item of a list with an id, or -1. The owner
// is a pointer that identifies the list.
func find[T any](x *index, owner any, list []T, id func(*T) string, want string) int {
	if len(list) <= maxScanned {
		for i := range list {
			if id(&list[i]) == want {
				return i
			}
		}
		return -1
	}
	places := (*x)[owner]
	if places == nil {
		places = make(map[string]int, len(list))
		for i := range list {
			if _, taken := places[id(&list[i])]; !taken {
				places[id(&list[i])] = i
			}
		}
		if *x == nil {
			*x = make(index)
		}
		(*x)[owner] = places
	}
	if i, ok := places[want]; ok {
		return i
	}
	return -1
}

// The ids of the items of lists.
func contextID(v *taxonomy.ContextValue) string { return v.ID }

func optionID(o *taxonomy.Option) string { return o.ID }

func subchainID(s *taxonomy.Subchain) string { return s.ID }

func valueID(v *taxonomy.VariableValue) string { return v.ID }

func variableID(v *taxonomy.Variable) string { return v.ID }

func itself(s *string) string { return *s }

// The ids that earlier versions use.
func contextFrom(v *taxonomy.ContextValue) []string { return v.RenamedFrom }

func optionFrom(o *taxonomy.Option) []string { return o.RenamedFrom }

func variableFrom(v *taxonomy.Variable) []string { return v.RenamedFrom }

// idsOf yields the ids of a list.
func idsOf[T any](list []T, id func(*T) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range list {
			if !yield(id(&list[i])) {
				return
			}
		}
	}
}

func elementIDs(list []*taxonomy.Element) iter.Seq[string] {
	return idsOf(list, func(e **taxonomy.Element) string { return (*e).ID })
}

// former returns the position of the only item of a list that had the wanted id in earlier
// versions, by what the author wrote or by the lineage of the release, or -1. The owner is a pointer
// that identifies the list, and the ids of owners are those of [taxonomy.Lineage].
func former[T any](p *Pass, k taxonomy.IDKind, owner any, list []T, id func(*T) string, from func(*T) []string, want string, owners ...string) int {
	x := &p.index
	places, known := (*x)[formerOf{owner}]
	if !known {
		note := func(i int, old string) {
			if places == nil {
				places = make(map[string]int)
			}
			if at, taken := places[old]; taken && at != i {
				places[old] = -1 // ambiguous
			} else {
				places[old] = i
			}
		}
		for i := range list {
			for _, old := range from(&list[i]) {
				note(i, old)
			}
			for _, old := range p.formerly(k, id(&list[i]), owners) {
				if find(x, owner, list, id, old) < 0 { // an id that is in use is not an old one
					note(i, old)
				}
			}
		}
		if *x == nil {
			*x = make(index)
		}
		(*x)[formerOf{owner}] = places // nil if nothing was renamed
	}
	if i, ok := places[want]; ok {
		return i
	}
	return -1
}

// formerly returns the ids that the lineage of the release adds to the former ones of something.
func (p *Pass) formerly(k taxonomy.IDKind, id string, owners []string) []string {
	if r, ok := p.Schema.(*taxonomy.Release); ok && r.Lineage() != nil {
		return r.Lineage().Formerly(k, id, owners...)
	}
	return nil
}

// formerOf is the key of an index of former ids.
type formerOf struct{ owner any }
