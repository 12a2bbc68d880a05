package validate

import "iter"

// few is the length of lists that are searched one by one. Longer ones are indexed:
// a hostile document can bring a schema with as many variables, options or contexts
// as placements that refer to them.
const few = 16

// index has the positions of ids in long lists, by the owner of the list.
type index map[any]map[string]int

// find returns the position of the first id in a list of n ids that is want, or -1.
// The owner is a pointer that identifies the list.
func (x *index) find(owner any, n int, ids iter.Seq[string], want string) int {
	if n <= few {
		i := 0
		for id := range ids {
			if id == want {
				return i
			}
			i++
		}
		return -1
	}
	places := (*x)[owner]
	if places == nil {
		places = make(map[string]int, n)
		i := 0
		for id := range ids {
			if _, taken := places[id]; !taken {
				places[id] = i
			}
			i++
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
