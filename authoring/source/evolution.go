package source

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// idKinds are the kinds of ids that an evolution can have.
var idKinds = []taxonomy.IDKind{codes.IDCategory, codes.IDVariable, codes.IDOption, codes.IDContextValue, codes.IDElement}

const (
	// evolutionStem is the name of the file beside the versions of a datachain type
	// that says what became of their ids.
	evolutionStem = "evolution"
	// maxEvolution is how many entries a list of that file can have, and
	// evolutionSize how many times as large as others it can be.
	maxEvolution  = 100_000
	evolutionSize = 8
)

// record is an entry of an evolution: an id that versions have until another one.
type record struct {
	kind     taxonomy.IDKind
	in, from string
	to       []reference
	since    taxonomy.Version
	removed  bool // without another id
	at       folder.Location
}

// evolutionFile is what the file of a datachain type says.
type evolutionFile struct {
	history.Evolution
	entries []record
	seen    map[recordID]folder.Location // where they are
	typ     string
}

// EvolutionFiles returns the names that the file evolution.yaml of a datachain type can
// have.
func EvolutionFiles(typ string) []string {
	var names []string
	for _, ext := range []string{".json", ".yaml", ".yml"} {
		names = append(names, path.Join(typ, evolutionStem+ext))
	}
	return names
}

// ReadEvolution reads the file evolution.yaml of a datachain type. Without one it returns
// nil. Entries that are invalid are reported and left out.
func ReadEvolution(fsys fs.FS, typ string, o *Options) (*history.Evolution, issue.Issues) {
	e, found := readEvolution(fsys, typ, o)
	if e == nil {
		return nil, found.Sorted(typ)
	}
	return &e.Evolution, found.Sorted(typ)
}

func readEvolution(fsys fs.FS, typ string, o *Options) (*evolutionFile, *folder.Findings) {
	found := new(folder.Findings)
	entries, err := folder.ReadDir(fsys, typ)
	if err != nil {
		return nil, found // which listing the versions reports
	}
	var files []folder.Entry
	for _, f := range entries {
		if f.Stem() == evolutionStem && folder.IsData(f.Ext()) {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return nil, found
	}
	if len(files) > 1 {
		found.Errorf(codes.IDDuplicate, folder.WholeFile(files[1].Name), "keep one of them", "There is another file about the evolution of %s, %s.", typ, files[0].Name)
	}
	e := &evolutionFile{typ: typ}
	dir := folder.New(fsys, taxonomy.Version{}, folder.Options{MaxFileSize: o.withDefaults().MaxFileSize * evolutionSize})
	dir.Read(files[:1], func(_ int, f *folder.File) {
		if root, _ := f.Parse(); root != nil && (root.Kind != yaml.Null || root.Parent != nil) {
			d := &decoder{File: f, hints: folder.Hints{Budget: folder.FileHints}}
			d.evolution(root, e)
		}
	})
	found.Merge(dir.Findings)
	return e, found
}

// evolution reads the file.
func (d *decoder) evolution(root *yaml.Node, e *evolutionFile) {
	f, ok := d.fields(root, "Evolution", "removed", "renamed", "split", "revived")
	if !ok {
		return
	}
	e.seen = make(map[recordID]folder.Location)
	f.removals(e)
	f.renames(e)
	f.splits(e)
	f.revivals(e)
}

// add adds an entry whose id is at a node, unless something is wrong with it.
func (e *evolutionFile) add(o fields, at *yaml.Node, r record) bool {
	if r.from == "" || r.since.IsZero() || at == nil {
		return false // which was reported
	}
	r.at = o.At(at)
	id := recordID{r.kind, r.in, r.from, r.since.Date()}
	if first, twice := e.seen[id]; twice {
		o.wrong(codes.IDDuplicate, at, "keep one of the entries", "%s %s has another entry since %s, at %s", r.kind, r.from, r.since, first.At)
		return false
	}
	e.seen[id] = r.at
	e.entries = append(e.entries, r)
	return true
}

// removals reads removed.
func (f fields) removals(e *evolutionFile) {
	for item := range f.list("removed", maxEvolution) {
		o, ok := f.fields(item, objectName("Removed id", item), "kind", "!id", "in", "replaced_by", "note", "!since")
		if !ok {
			continue
		}
		r := history.RemovedID{In: o.idAt("in", ident.IsElementID), Removal: taxonomy.Removal{Since: o.sinceOf(e.typ), Note: o.localized("note")}}
		kind := taxonomy.IDKind(codes.IDElement)
		if o.get("kind") != nil {
			kind = choice(o, "kind", idKinds...)
		}
		if r.ID = o.idAt("id", grammar(kind)); kind != codes.IDElement {
			r.Kind = kind
		}
		var refs []reference
		r.ReplacedBy, refs = o.successors()
		switch {
		case kind == "" || o.misplaced(kind):
			continue
		case len(refs) > 0 && kind != codes.IDElement:
			o.wrong(codes.FieldValue, o.get("replaced_by"), "record it under renamed, with the new id in to", "replaced_by is for elements, not for a %s", kind)
			continue
		}
		if !e.add(o, o.get("id"), record{kind: kind, in: r.In, from: r.ID, to: refs, since: r.Since, removed: true}) {
			continue
		}
		e.Removed = append(e.Removed, r)
		if o.get("replaced_by") != nil || o.get("note") != nil {
			continue
		}
		hint := "explain the removal in a note"
		if kind == codes.IDElement {
			hint = "name the elements to place instead in replaced_by, or " + hint
		}
		o.Warnf(codes.SuccessorMissing, o.At(o.get("id")), hint,
			"Removed %s %s has no successor and no note, so authors of documents don't know what to do.", kind, r.ID)
	}
}

// misplaced reports an owner of something that has none.
func (f fields) misplaced(k taxonomy.IDKind) bool {
	if f.get("in") == nil || history.HasOwner(k) {
		return false
	}
	f.wrong(codes.FieldValue, f.get("in"), "remove it", "in is only for variables, options and context values")
	return true
}

// renames reads renamed.
func (f fields) renames(e *evolutionFile) {
	for item := range f.list("renamed", maxEvolution) {
		o, ok := f.fields(item, "Renamed id", "!kind", "!from", "!to", "in", "!since")
		if !ok {
			continue
		}
		r := history.Rename{Kind: choice(o, "kind", idKinds...), Since: o.sinceOf(e.typ), In: o.idAt("in", ident.IsElementID)}
		r.From, r.To = o.idAt("from", grammar(r.Kind)), o.idAt("to", grammar(r.Kind))
		switch {
		case r.Kind == "" || r.To == "":
			continue
		case r.From == r.To:
			o.wrong(codes.RenameConflict, o.get("to"), "write the new id", "%s is renamed to itself", r.From)
			continue
		case o.misplaced(r.Kind):
			continue
		}
		if e.add(o, o.get("from"), record{kind: r.Kind, in: r.In, from: r.From, to: []reference{{r.To, o.At(o.get("to"))}}, since: r.Since}) {
			e.Renamed = append(e.Renamed, r)
		}
	}
}

// splits reads split.
func (f fields) splits(e *evolutionFile) {
	for item := range f.list("split", maxEvolution) {
		o, ok := f.fields(item, "Split element", "!from", "!to", "!since")
		if !ok {
			continue
		}
		s := history.Split{From: o.idAt("from", ident.IsElementID), Since: o.sinceOf(e.typ)}
		var refs []reference
		ids := newIDSet("id in to")
		for to := range o.list("to", maxSuccessors) {
			next, ref := o.successor(to, ids)
			for _, id := range next {
				s.To = append(s.To, id.ID)
			}
			refs = append(refs, ref...)
		}
		if to := o.get("to"); to != nil && len(s.To) < 2 {
			o.wrong(codes.FieldValue, to, "name at least two elements, or write an entry of removed", "an element is split into two or more, not %d", len(s.To))
			continue
		}
		if e.add(o, o.get("from"), record{kind: codes.IDElement, from: s.From, to: refs, since: s.Since}) {
			e.Split = append(e.Split, s)
		}
	}
}

// revivals reads revived.
func (f fields) revivals(e *evolutionFile) {
	for item := range f.list("revived", maxEvolution) {
		o, ok := f.fields(item, "Revived id", "!kind", "!id", "in", "!since", "!reason")
		if !ok {
			continue
		}
		r := history.Revival{Kind: choice(o, "kind", idKinds...), In: o.idAt("in", ident.IsElementID), Since: o.sinceOf(e.typ), Reason: o.string("reason")}
		if r.ID = o.idAt("id", grammar(r.Kind)); r.Kind != "" && r.ID != "" && !r.Since.IsZero() && r.Reason != "" {
			e.Revived = append(e.Revived, r)
		}
	}
}

type recordID struct {
	kind           taxonomy.IDKind
	in, from, date string
}

// grammar returns the grammar of the ids of a kind.
func grammar(k taxonomy.IDKind) func(string) bool {
	if k == codes.IDElement {
		return ident.IsElementID
	}
	return ident.IsID
}

// sinceOf reads a version of a datachain type: its id, or only <date>-<status>.
func (f fields) sinceOf(typ string) taxonomy.Version {
	n := f.get("since")
	if n == nil || !f.isText(n) {
		return taxonomy.Version{}
	}
	v, err := parseSince(n.Value, typ)
	switch {
	case err != nil:
		f.wrong(codes.SinceInvalid, n, "write the id of the first version that has changed, such as "+typ+"@2026-09-01-stable", "%s is not a version id", wording.Quote(n.Value))
		return taxonomy.Version{}
	case v.Type() != typ:
		f.wrong(codes.SinceInvalid, n, "write a version of "+typ, "since is %s, a version of another datachain type", v)
		return taxonomy.Version{}
	}
	return v
}

// ReadEvolutions reads the evolutions of the datachain types of the versions, and checks
// them against the versions without errors and [Options.Others].
func (t *Tree) ReadEvolutions(fsys fs.FS, o *Options) {
	byType := make(map[string][]*Compiled)
	var types []string
	for _, c := range t.Versions {
		typ := c.Version.Type()
		if byType[typ] == nil {
			types = append(types, typ)
		}
		byType[typ] = append(byType[typ], c)
	}
	options := o.withDefaults()
	for _, typ := range types {
		e, found := readEvolution(fsys, typ, o)
		var own []*taxonomy.Release
		for _, c := range byType[typ] {
			if c.linted != nil && (e != nil || len(byType[typ]) > 1) {
				c.Release, _ = c.linted.release() // compiling returns the error
				c.linted = nil
			}
			if c.Release != nil {
				own = append(own, c.Release)
			}
		}
		all := slices.Clone(own)
		for _, r := range options.Others {
			if r.Version().Type() == typ {
				all = append(all, r)
			}
		}
		slices.SortFunc(all, func(a, b *taxonomy.Release) int { return a.Version().Compare(b.Version()) })
		known := options.Recorded[typ]
		if e != nil && e.seen != nil { // a file of comments says nothing
			e.check(found, all)
			known = &e.Evolution
			if len(known.Removed)+len(known.Renamed)+len(known.Split)+len(known.Revived) > 0 || options.Recorded[typ] != nil {
				if t.Evolutions == nil {
					t.Evolutions = make(map[string]*history.Evolution)
				}
				t.Evolutions[typ] = known
			}
		}
		t.TreeIssues = append(t.TreeIssues, found.Sorted(typ)...)
		for _, r := range own {
			t.TreeIssues = append(t.TreeIssues, reused(fsys, r, all, known, o)...)
		}
		t.TreeIssues = append(t.TreeIssues, unexplained(fsys, own, all, known, o)...)
	}
}

// check compares the entries with the versions of the type, the newest first.
func (e *evolutionFile) check(found *folder.Findings, releases []*taxonomy.Release) {
	var newest *history.Lineage
	if len(releases) > 0 {
		newest = history.New(releases[0], &e.Evolution)
	}
	titles := make([]map[recordID]taxonomy.Localized, len(releases))
	for i, r := range releases {
		titles[i] = titlesOf(r)
	}
	// Another element can get an id in the version in which the one that had it goes.
	taken := make(map[recordID]bool)
	for _, r := range e.entries {
		for _, to := range r.to {
			taken[recordID{r.kind, r.in, to.id, r.since.Date()}] = true
		}
	}
	for i := range e.entries {
		r := &e.entries[i]
		at := slices.IndexFunc(releases, func(o *taxonomy.Release) bool { return o.Version().Date() == r.since.Date() })
		if at >= 0 && (r.kind == codes.IDElement || r.removed) && r.stays(releases[at:], titles[at:]) && !taken[recordID{r.kind, r.in, r.from, r.since.Date()}] {
			found.Errorf(codes.RemovedExists, r.at, "write the first version without it in since, or delete the "+string(r.kind),
				"The %s %s is recorded as removed or renamed since %s, which still has it.", r.kind, r.from, r.since)
		}
		if v := r.returnedIn(e.Revived, releases, titles); !v.IsZero() && !taken[recordID{r.kind, r.in, r.from, r.since.Date()}] {
			found.Warnf(codes.IDReused, r.at, "if it means the same, record it under revived; otherwise choose another id",
				"The %s %s is recorded as removed or renamed since %s and is in %s again. No older version is here to compare its title with.", r.kind, r.from, r.since, v)
		}
		for _, to := range r.to {
			if at >= 0 && r.kind == codes.IDElement && !releases[at].HasElement(to.id) {
				found.Errorf(codes.SuccessorUnknown, to.Location, "write the id of an element of "+releases[at].Version().String(),
					"%s becomes %s since %s, which does not have it.", r.from, to.id, r.since)
			}
		}
		if newest == nil || r.kind != codes.IDElement || r.since.Date() > newest.Release().Version().Date() {
			continue
		}
		removal := removalOf(newest, r)
		if removal == nil {
			continue
		}
		s := newest.SuccessionOf(removal)
		switch {
		case s.Cycle != nil:
			found.Errorf(codes.SuccessorCycle, r.at, "name an element that stays", "The successors of %s lead back to it: %s.", r.from, wording.And(s.Cycle))
		case at < 0 && len(r.to) > 0 && len(s.Elements) == 0:
			found.Errorf(codes.SuccessorUnknown, r.to[0].Location, "write the id of an element of "+newest.Release().Version().String()+", or record what became of it",
				"%s becomes %s, which does not exist, and nothing says what became of it.", r.from, r.to[0].id)
		}
	}
}

// titlesOf returns the titles of what has an id in a release, by the id, and by the id and its
// owner.
func titlesOf(r *taxonomy.Release) map[recordID]taxonomy.Localized {
	titles := make(map[recordID]taxonomy.Localized)
	for i := range history.Items(r) {
		titles[recordID{kind: i.Kind, in: i.In, from: i.ID}] = i.Title
		if anywhere := (recordID{kind: i.Kind, from: i.ID}); titles[anywhere] == nil {
			titles[anywhere] = i.Title
		}
	}
	return titles
}

// stays reports whether the first of some versions, the newest first, has the id of an entry
// as the version before has it. With another title it can be something else with the same
// id, which id_reused reports.
func (r *record) stays(releases []*taxonomy.Release, titles []map[recordID]taxonomy.Localized) bool {
	id := recordID{kind: r.kind, in: r.in, from: r.from}
	now := titles[0][id]
	for _, older := range titles[1:] {
		if before := older[id]; now != nil && before != nil {
			locales := releases[0].Locales()
			return wording.SameWords(before.Pick(locales...), now.Pick(locales...))
		}
	}
	return now != nil
}

// returnedIn returns the first version that has the id of an entry again, unless it was revived, or an
// older version is among the releases, the newest first, that has it: [history.ReusedIDs] compares with
// that. It returns the zero Version if there is none.
func (r *record) returnedIn(revived []history.Revival, releases []*taxonomy.Release, titles []map[recordID]taxonomy.Localized) (v taxonomy.Version) {
	for i, o := range releases {
		if titles[i][recordID{kind: r.kind, in: r.in, from: r.from}] == nil {
			continue
		}
		if o.Version().Date() < r.since.Date() {
			return taxonomy.Version{}
		}
		if o.Version().Date() > r.since.Date() {
			v = o.Version()
		}
	}
	if slices.ContainsFunc(revived, func(e history.Revival) bool {
		return e.Kind == r.kind && e.ID == r.from && (e.In == r.in || e.In == "" || r.in == "") && e.Since.Date() > r.since.Date() && e.Since.Date() <= v.Date()
	}) {
		return taxonomy.Version{}
	}
	return v
}

// removalOf returns the removal that an entry stands for, or nil.
func removalOf(l *history.Lineage, entry *record) *history.Removal {
	before, _ := taxonomy.NewVersion(entry.since.Type(), "0001-01-01", taxonomy.Beta)
	for {
		removal, ok := l.RemovedAfter(entry.from, before)
		switch {
		case !ok || removal.Since.Date() <= before.Date():
			return nil
		case removal.Since == entry.since:
			return removal
		}
		before = removal.Since
	}
}

// reused reports the ids of a version that stand for something else in older versions; see
// [history.ReusedIDs].
func reused(fsys fs.FS, r *taxonomy.Release, older []*taxonomy.Release, e *history.Evolution, o *Options) issue.Issues {
	reused := history.ReusedIDs(history.With(r, e), older)
	if len(reused) == 0 {
		return nil
	}
	var found folder.Findings
	places, err := NewLocator(fsys, r.Version(), o)
	for i := range reused {
		u := &reused[i]
		at := issue.Position{File: Directory(r.Version())}
		if err == nil {
			at = places.Item(&u.Item)
		}
		found.Add(ReusedIssue(r.Version(), u, at))
	}
	return found.Sorted(Directory(r.Version()))
}

// unexplained reports the ids that versions lack although the version before has them, and nothing
// says what became of them, each at the first version that lacks it. Ids that are back in a later
// version are left to reused.
func unexplained(fsys fs.FS, own, all []*taxonomy.Release, e *history.Evolution, o *Options) issue.Issues {
	var found folder.Findings
	explained, newest := make(map[history.ID]bool), make(map[history.ID]taxonomy.Version)
	for _, r := range slices.Backward(all) { // the newest last
		for i := range history.Items(r) {
			newest[i.Key()] = r.Version()
		}
	}
	for _, r := range slices.Backward(own) {
		before := history.Before(r, all)
		if before == nil {
			continue
		}
		var places *Locator
		for _, i := range history.Unexplained(history.With(before, e), history.With(r, e)) {
			if explained[i.Key()] || newest[i.Key()].Compare(r.Version()) < 0 {
				continue
			}
			explained[i.Key()] = true
			at := issue.Position{File: Directory(r.Version())}
			if places == nil && history.HasOwner(i.Kind) {
				places, _ = NewLocator(fsys, r.Version(), o) // without it, the position is the directory
			}
			if places != nil && history.HasOwner(i.Kind) {
				at = places.Item(&i)
			}
			found.Add(issue.Issue{
				Code: codes.SuccessorMissing, Severity: issue.SeverityWarning, Path: issue.Root, Position: at,
				Message: fmt.Sprintf("%s is in %s and not in %s, and nothing says what became of it.", &i, before.Version(), r.Version()),
				FixHint: "record it in " + path.Join(r.Version().Type(), evolutionStem+".yaml") + "; 'datachain schema evolve --schemas DIR' proposes entries",
			})
		}
	}
	return found.Sorted("")
}

// ReusedIssue is the finding for an id that a version has again.
func ReusedIssue(v taxonomy.Version, u *history.Reuse, at issue.Position) issue.Issue {
	i := issue.Issue{
		Code: codes.IDReused, Severity: issue.SeverityWarning, Path: issue.Root, Position: at,
		Message: fmt.Sprintf("%s was removed after %s and is back in %s with the same title, %s.", &u.Item, u.Last, v, wording.Quote(u.NewTitle)),
		FixHint: "if it means the same, record it under revived in " + path.Join(v.Type(), evolutionStem+".yaml") + "; otherwise choose another id",
	}
	if u.As != "" {
		i.Message = fmt.Sprintf("%s differs only in letter case from %s, which is %s in %s.", &u.Item, u.As, wording.Quote(u.LastTitle), u.Last)
		i.FixHint = "write " + u.As + " if it means the same, or record that it was renamed in " + path.Join(v.Type(), evolutionStem+".yaml") + "; otherwise choose another id"
	} else if u.Changed() {
		i.Message = fmt.Sprintf("%s was removed after %s, where its title was %s, and is back in %s as %s.", &u.Item, u.Last, wording.Quote(u.LastTitle), v, wording.Quote(u.NewTitle))
		if u.Now != "" {
			i.Message = fmt.Sprintf("%s is %s in %s. In %s it was %s, which %s is now.", &u.Item, wording.Quote(u.NewTitle), v, u.Last, wording.Quote(u.LastTitle), u.Now)
		}
		i.FixHint = "choose an id that no version has had; if it means the same, record it under revived in " + path.Join(v.Type(), evolutionStem+".yaml")
		if u.Now != "" {
			i.FixHint = "give the titles back to their ids if they were mixed up; otherwise " + i.FixHint
		}
	}
	if u.Changed() && v.Status() != taxonomy.Stable { // which can't change any more
		i.Severity = issue.SeverityError
	}
	return i
}

// Item returns the place of an item.
func (l *Locator) Item(i *history.Item) issue.Position {
	kind, id, at := KindElement, i.In, issue.Root
	if _, ok := l.objects[folder.ObjectID{Kind: string(KindCategory), ID: i.In}]; ok {
		kind = KindCategory
	}
	switch i.Kind {
	case codes.IDCategory:
		return l.Find(KindCategory, i.ID, at)
	case codes.IDElement:
		return l.Find(KindElement, i.ID, at)
	case codes.IDContextValue:
		at = at.Key("context").Key("values").Key(i.ID)
	case codes.IDVariable:
		at = at.Key("variables").Key(i.ID)
	case codes.IDOption:
		at = at.Key("variables").Key(i.Variable).Key("options").Key(i.ID)
	}
	return l.Find(kind, id, at)
}
