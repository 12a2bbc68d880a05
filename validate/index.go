package validate

// few is how many things are looked through one by one. More are indexed: a
// document may bring a schema of its own, with as many variables, options or
// contexts as placements that ask for them.
const few = 16

// index knows the places of things in long lists, by the owner of the list and
// the id of the thing.
type index map[any]map[string]int

// find returns the place of an id in a list of n, or -1. The owner is a pointer
// that stands for the list.
func (x *index) find(owner any, n int, id func(int) string, want string) int {
	if n <= few {
		for i := range n {
			if id(i) == want {
				return i
			}
		}
		return -1
	}
	places := (*x)[owner]
	if places == nil {
		places = make(map[string]int, n)
		for i := n - 1; i >= 0; i-- { // the first of two counts
			places[id(i)] = i
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
