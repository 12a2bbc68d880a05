package history

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// Reuse is an id that a version has again.
type Reuse struct {
	Item
	// Last is the newest version that has the id before a version that lacks it, and
	// LastTitle and NewTitle are the titles in Last and in the version itself.
	Last                taxonomy.Version
	LastTitle, NewTitle string
	// Now is the id that has LastTitle in the version itself, if no version between lacks
	// the id.
	Now string
	// As is the id in Last if it differs in letter case, or "".
	As string
}

// Changed reports whether the id has another title.
func (r *Reuse) Changed() bool { return r.NewTitle != r.LastTitle }

// sighting is an id in one of several versions.
type sighting struct {
	at    int // the last version that has it
	title taxonomy.Localized
	// gap is the last sighting before a version that lacks the id, or -1.
	gap      int
	gapTitle taxonomy.Localized
}

// noteGap remembers a gap in which some of the older releases before the next one, or before the
// release itself, lack the id. If the title is the same again in a release of the same status,
// releases of another status don't count.
func (s *sighting) noteGap(r *taxonomy.Release, older []*taxonomy.Release, next int, title taxonomy.Localized) {
	in := r
	if next < len(older) {
		in = older[next]
	}
	last := older[s.at].Version().Status()
	same := last == in.Version().Status() && title.Pick(r.Locales()...) == s.title.Pick(r.Locales()...)
	for k := s.at + 1; k < next; k++ {
		if !same || older[k].Version().Status() == last {
			s.gap, s.gapTitle = s.at, s.title
		}
	}
}

// sightings returns where older versions have ids, the oldest first, by what has them in a
// release.
func sightings(r *taxonomy.Release, older []*taxonomy.Release, expanded map[string]bool) map[ID]*sighting {
	seen := make(map[ID]*sighting)
	for n, o := range older {
		h := Of(o.Version(), r)
		for i := range items(o, expanded) {
			k, ok := h.Owned(i.Key())
			if !ok {
				continue
			}
			s := seen[k]
			if s == nil {
				s = &sighting{at: n, gap: -1}
				seen[k] = s
			}
			s.noteGap(r, older, n, i.Title)
			s.at, s.title = n, i.Title
			if id, ok := now(h, k); !ok || id != k.ID {
				s.gap, s.gapTitle = s.at, s.title
			}
		}
	}
	return seen
}

// ReusedIDs returns the ids of a release that an older version has, and one between lacks or
// the evolution records as removed or renamed, unless the evolution revives them. So are ids
// that left their title to another one since the last version, such as two that were
// exchanged, and ids that differ from an older one only in letter case, unless the evolution
// records that this one became them. What beta versions try out, stable versions need not have,
// and the other way round: between two versions of one status, those of the other do not count if
// the title stays. Versions that are not older are ignored.
func ReusedIDs(r *taxonomy.Release, others []*taxonomy.Release) []Reuse {
	older := slices.DeleteFunc(slices.Clone(others), func(o *taxonomy.Release) bool {
		return o.Version().Date() >= r.Version().Date() || o.Version().Type() != r.Version().Type()
	})
	slices.SortFunc(older, func(a, b *taxonomy.Release) int { return b.Version().Compare(a.Version()) })
	lineage := From(r)
	r = r.WithLineage(lineage) // it is asked for each older version
	expanded := elementVariables(append(older, r))
	seen := sightings(r, older, expanded)
	var all []Reuse
	found, moved, folded := make(map[ID]bool), movedTitles(r, older), foldedIDs(seen)
	for i := range items(r, expanded) {
		k := i.Key()
		s := seen[k]
		var as string
		if s == nil {
			as = folded[lower(k)]
			was := k
			was.ID = as
			if s = seen[was]; s == nil {
				continue
			}
			if id, _ := now(Of(older[s.at].Version(), r), was); id == k.ID {
				continue
			}
			s.gap, s.gapTitle = s.at, s.title
		}
		s.noteGap(r, older, len(older), i.Title)
		owners := []string{k.In}
		inherited := k
		if e, ok := r.Element(k.In); ok && k.OfElement {
			owners = append(owners, e.CategoryID)
			inherited.In, inherited.OfElement = e.CategoryID, false
		}
		reuse, left := moved[k]
		last := older[max(s.gap, 0)].Version() // or the first, if there is no gap
		if s.gap < 0 && !left || slices.ContainsFunc(owners, func(in string) bool { return lineage.Revived(i.Kind, in, i.ID, last) }) || found[inherited] {
			continue // what elements inherit is reported once
		}
		found[k] = true
		if s.gap >= 0 {
			reuse = Reuse{Last: older[s.gap].Version(), LastTitle: s.gapTitle.Pick(r.Locales()...), As: as}
		}
		reuse.Item, reuse.NewTitle = i, i.Title.Pick(r.Locales()...)
		all = append(all, reuse)
	}
	return all
}

// lower returns a key with its id in lower case.
func lower(k ID) ID {
	k.ID = strings.ToLower(k.ID)
	return k
}

// foldedIDs returns the ids of sightings by their folded keys, the newest of several.
func foldedIDs(seen map[ID]*sighting) map[ID]string {
	ids := make(map[ID]string, len(seen))
	for k, s := range seen {
		was := k
		was.ID = ids[lower(k)]
		if last := seen[was]; last == nil || last.at < s.at || last.at == s.at && was.ID < k.ID {
			ids[lower(k)] = k.ID
		}
	}
	return ids
}

// movedTitles returns the ids of a release whose titles in the last version of the same
// status, or the last one if there is none, are those of other ids now.
func movedTitles(r *taxonomy.Release, older []*taxonomy.Release) map[ID]Reuse {
	moved := make(map[ID]Reuse)
	if len(older) == 0 {
		return moved
	}
	last := older[len(older)-1]
	for _, o := range older {
		if o.Version().Status() == r.Version().Status() {
			last = o
		}
	}
	text := func(title taxonomy.Localized) string { return comparedText(title, r.Locales()) }
	before := make(map[ID]taxonomy.Localized)
	h := Of(last.Version(), r)
	for i := range Items(last) {
		if k, ok := h.Owned(i.Key()); ok {
			before[k] = i.Title
		}
	}
	now := make(map[titled]string) // what did not have its title before
	for i := range Items(r) {
		if title := text(i.Title); title != "" && text(before[i.Key()]) != title {
			now[titled{i.group(), title}] = i.ID
		}
	}
	for i := range Items(r) {
		title := before[i.Key()]
		if id := now[titled{i.group(), text(title)}]; id != "" && text(title) != text(i.Title) {
			moved[i.Key()] = Reuse{Last: last.Version(), LastTitle: title.Pick(r.Locales()...), Now: id}
		}
	}
	return moved
}

// elementVariables returns the ids of variables that elements of some version have on their
// own, so that they may have been inherited in another.
func elementVariables(versions []*taxonomy.Release) map[string]bool {
	ids := make(map[string]bool)
	for _, r := range versions {
		for _, e := range r.Elements() {
			c, _ := r.Category(e.CategoryID)
			for i := range e.Variables {
				if !has(c.Variables, e.Variables[i].ID) {
					ids[e.Variables[i].ID] = true
				}
			}
		}
	}
	return ids
}
