package signedlog

import (
	"fmt"
	"maps"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// Difference says in what an index first differs from the one that a log leads to, with the version
// or the datachain type, as a sentence without a period. It is "" if they are equal.
func Difference(log, index *taxonomy.Index) string {
	for _, e := range log.Entries() {
		found, listed := index.Lookup(e.ID.Ref())
		if !listed {
			return fmt.Sprintf("it lacks %s, which the log has", e.ID)
		}
		if field := differentField(e, found); field != "" {
			return fmt.Sprintf("the log has %s for %s", field, e.ID)
		}
	}
	for _, e := range index.Entries() {
		if _, listed := log.Lookup(e.ID.Ref()); !listed {
			return fmt.Sprintf("it has %s, which the log lacks", e.ID)
		}
	}
	for _, r := range log.Retired() {
		switch found, retired := index.LookupRetired(r.ID); {
		case !retired:
			return fmt.Sprintf("it does not list %s as retired, as the log does", r.ID)
		case found != r:
			return fmt.Sprintf("the log has another successor, date or reason for the retired version %s", r.ID)
		}
	}
	for _, r := range index.Retired() {
		if _, retired := log.LookupRetired(r.ID); !retired {
			return fmt.Sprintf("it lists %s as retired, which the log does not", r.ID)
		}
	}
	logged, listed := log.Record().Evolutions, index.Record().Evolutions
	for _, typ := range slices.Sorted(maps.Keys(logged)) {
		if listed[typ] != logged[typ] {
			return fmt.Sprintf("the log has another evolution of %s", typ)
		}
	}
	for _, typ := range slices.Sorted(maps.Keys(listed)) {
		if _, ok := logged[typ]; !ok {
			return fmt.Sprintf("it has an evolution of %s, which the log lacks", typ)
		}
	}
	return differentAlias(log, index)
}

// differentField names what an entry of a log has in another way than an index, or "".
func differentField(log, index taxonomy.Entry) string {
	switch {
	case index.ContentHash != log.ContentHash:
		return "another content hash"
	case !slices.Equal(index.Aliases, log.Aliases):
		return "other aliases"
	case index.Released != log.Released:
		return "another release date"
	case index.State != log.State:
		return "another state"
	case index.Archive != log.Archive:
		return "another archive"
	}
	return ""
}

// differentAlias says which alias an index holds at another version than the log leads to, or "".
func differentAlias(log, index *taxonomy.Index) string {
	for _, e := range log.Entries() {
		for _, alias := range e.Aliases {
			ref, err := taxonomy.ParseRef(alias)
			if err != nil {
				continue
			}
			if found, _ := index.Lookup(ref); found.ID != e.ID {
				return fmt.Sprintf("its alias %s is held at %s, and that of the log is at %s", alias, found.ID, e.ID)
			}
		}
	}
	return ""
}
