package source

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxVariables limits the variables that a category or an element declares.
const maxVariables = 200

// applier is an option with applies_to. The elements are checked after all
// files have been read.
type applier struct {
	variable reference
	option   string // names it in messages
	elements []reference
}

// variables reads the variables that a category or an element declares.
func (f fields) variables() (variables []taxonomy.Variable, appliers []applier) {
	ids := newIDSet("variable id")
	var renames []formerIDs
	for item := range f.list("variables", maxVariables) {
		o, ok := f.fields(item, objectName("Variable", item), "!id", "!label", "required", "type", "role", "options", "renamed_from", "sources")
		if !ok {
			continue
		}
		v, applies := o.variable()
		from := o.renamedFrom()
		v.RenamedFrom = idsOf(from)
		if ids.addID(o, v.ID) {
			variables = append(variables, v)
			appliers = append(appliers, applies...)
			renames = append(renames, formerIDs{v.ID, from})
		}
	}
	checkRenames(&f.Findings, "variable", renames)
	return variables, appliers
}

func (f fields) variable() (v taxonomy.Variable, appliers []applier) {
	v.ID = f.id(ident.IsID)
	v.Label = f.localized("label")
	v.Required = f.bool("required")
	v.Type = taxonomy.TextVariable
	if f.get("type") != nil {
		v.Type = choice(f, "type", taxonomy.TextVariable, taxonomy.SelectVariable)
	}
	v.Role = f.role(VariableRoles()...)
	v.Sources = f.sources()
	ids := newIDSet("option id")
	var renames []formerIDs
	for item := range f.list("options", 0) {
		o, elements, from := f.option(item, ids)
		renames = append(renames, formerIDs{o.ID, from})
		v.Options = append(v.Options, o)
		if len(elements) > 0 && v.ID != "" {
			appliers = append(appliers, applier{reference{v.ID, f.At(f.get("id"))}, objectName("option", item), elements})
		}
	}
	checkRenames(&f.Findings, "option", renames)
	options := f.get("options")
	switch {
	case v.Type == taxonomy.SelectVariable && (options == nil || options.Kind == yaml.List && len(options.Items) == 0):
		f.noOptions(v.Required)
	case v.Type == taxonomy.TextVariable && options != nil:
		f.wrong(codes.FieldValue, options, "write type: select, or remove the options", "type is text, which does not allow options")
	}
	return v, appliers
}

// noOptions reports a select variable without options. Documents can't fill it in,
// so it is an error if they must.
func (f fields) noOptions(required bool) {
	at, path := f.node.Place, f.node.Path().Key("options")
	if n := f.node.Get("options"); n != nil {
		if n.Blank && !required {
			return // the key without a value has been reported
		}
		at = n.Place
	}
	report, consequence := f.Warnf, "so documents can't fill it in"
	if required {
		report, consequence = f.Errorf, "so no document could fill it in, although it is required"
	}
	report(codes.OptionsMissing, folder.Location{At: f.Position(at), Path: path}, "add options, or write type: text",
		"%s: type is select, but there are no options, %s.", f.what, consequence)
}

// option reads an option, the elements that it applies to, and its former ids.
func (f fields) option(n *yaml.Node, ids *idSet) (o taxonomy.Option, elements, from []reference) {
	of, ok := f.fields(n, f.what+": "+objectName("option", n), "!id", "!label", "description", "applies_to", "renamed_from", "sources")
	if !ok {
		return o, nil, nil
	}
	o.ID = of.id(ident.IsID)
	ids.addID(of, o.ID)
	o.Label = of.localized("label")
	o.Description = of.localized("description")
	elements = of.references("applies_to")
	o.AppliesTo = idsOf(elements)
	from = of.renamedFrom()
	o.RenamedFrom = idsOf(from)
	o.Sources = of.sources()
	return o, elements, from
}

// effectiveVariables returns the variables that an element has: those of its category,
// of which its own ones override those with the same id, then the rest of its
// own ones.
func effectiveVariables(inherited, own []taxonomy.Variable) []taxonomy.Variable {
	if len(own) == 0 {
		return inherited
	}
	all := slices.Clone(inherited)
	for _, v := range own {
		if i := slices.IndexFunc(all, func(w taxonomy.Variable) bool { return w.ID == v.ID }); i >= 0 {
			all[i] = v
		} else {
			all = append(all, v)
		}
	}
	return all
}

// checkOverrides finds variables of an element that differ from those of its category only in
// case, and so do not override them, and those that are renamed from one that still exists.
func (f fields) checkOverrides(own, inherited []taxonomy.Variable) {
	exists, lower := make(map[string]bool), make(map[string]string)
	for _, v := range inherited {
		exists[v.ID], lower[strings.ToLower(v.ID)] = true, v.ID
	}
	items := make(map[string]*yaml.Node)
	for item := range f.get("variables").All() {
		if id := item.Get("id"); id != nil && items[id.Value] == nil {
			items[id.Value] = item
		}
	}
	for _, v := range own {
		if id := lower[strings.ToLower(v.ID)]; id != "" && id != v.ID {
			f.wrong(codes.IDCaseConflict, items[v.ID].Get("id"), "write "+id+" to override it, or rename it",
				"the variable %s differs only in case from %s of the category", v.ID, id)
		}
		for _, from := range v.RenamedFrom {
			if exists[from] {
				f.wrong(codes.RenameConflict, items[v.ID].Get("renamed_from"), "remove it from renamed_from, or rename the other variable",
					"the variable %s is renamed from %s, which the category still has", v.ID, from)
			}
		}
	}
}

// maxAllowed limits the entries of that file.
const maxAllowed = 10_000

// Allowance is an entry of allowed-changes.yaml: a breaking change since the last
// stable version that is intended. It is not part of the release.
type Allowance struct {
	// Rule is the id of the rule that calls the change breaking, and Subject what
	// the change is about; see package history/diff. Neither is checked here.
	Rule, Subject string
	// Reason says why the change is intended.
	Reason string
	// Position is the place of the entry.
	Position issue.Position
}

// readAllowed reads the intended breaking changes.
func (c *compiler) readAllowed() []Allowance {
	var all []Allowance
	for _, list := range readAll(c, folder.Allowed, parsed((*decoder).allowed)) {
		all = append(all, list...)
	}
	return all
}

func (d *decoder) allowed(root *yaml.Node) []Allowance {
	const hint = "write a list of {rule, subject, reason}"
	file := fields{d, root, "Allowed changes"}
	switch {
	case root.Kind == yaml.Null && root.Parent == nil:
		return nil // every entry is a comment
	case root.Kind != yaml.List:
		file.wrong(codes.FieldType, root, hint, "must be a list, not %s", root)
		return nil
	case len(root.Items) > maxAllowed:
		file.wrong(codes.FieldValue, root, "shorten the list", "the file has %d items, but at most %d are allowed", len(root.Items), maxAllowed)
		return nil
	}
	var all []Allowance
	for item := range root.All() {
		o, ok := d.fields(item, "Allowed change", "!rule", "!subject", "!reason")
		if !ok {
			continue
		}
		a := Allowance{o.string("rule"), o.string("subject"), strings.TrimSpace(o.string("reason")), d.Position(item.Place)}
		if a.Rule != "" && a.Subject != "" && a.Reason != "" {
			all = append(all, a)
		}
	}
	return all
}

// checkMinimums finds categories that require more placements than their
// elements allow, so that no document can be valid.
func (c *compiler) checkMinimums() {
	for _, cat := range c.categories {
		minimum, elements := cat.Cardinality.Min, c.members[cat.ID]
		if allowed := capacity(elements, minimum); len(elements) > 0 && allowed < minimum {
			c.Errorf(codes.CardinalityUnreachable, cat.minAt, fmt.Sprintf("lower min to %d, raise max_placements, or add elements", allowed),
				"Category %s requires at least %d placements, but max_placements of its elements allows only %d in total.", cat.ID, minimum, allowed)
		}
	}
}

// capacity returns how many placements the elements allow in total, but not more
// than limit.
func capacity(elements []*element, limit int) int {
	remaining := limit
	for _, e := range elements {
		if e.MaxPlacements == 0 || e.MaxPlacements >= remaining {
			return limit
		}
		remaining -= e.MaxPlacements
	}
	return limit - remaining
}

// checkAppliesTo finds options that apply to elements without the variable. A
// variable of a category belongs to its elements, one of an element to it alone.
func (c *compiler) checkAppliesTo() {
	categoryOf := make(map[string]string, len(c.elements))
	for i := range c.elements {
		categoryOf[c.elements[i].ID] = c.elements[i].CategoryID
	}
	for _, cat := range c.categories {
		c.checkAppliers(cat.appliers, "Category "+cat.ID, c.members[cat.ID], func(id string) bool { return categoryOf[id] == cat.ID })
	}
	for i := range c.elements {
		e := &c.elements[i]
		c.checkAppliers(e.appliers, e.String(), []*element{e}, func(id string) bool { return id == e.ID })
	}
}

func (c *compiler) checkAppliers(appliers []applier, owner string, elements []*element, has func(id string) bool) {
	known := func(yield func(string) bool) {
		for _, e := range elements {
			if !yield(e.ID) {
				return
			}
		}
	}
	for _, a := range appliers {
		for _, ref := range a.elements {
			if !has(ref.id) {
				c.Misspelt(&c.hints, folder.NewError(codes.ElementUnknown, ref.Location, "write the id of an element that has the variable",
					"%s: variable %s: %s: applies_to lists %s, which does not have the variable.", owner, a.variable.id, a.option, wording.Plain(ref.id)), ref.id, known)
			}
		}
	}
}

// checkOptionsReach finds elements that inherit a required variable without an
// option that applies to them, so that no document with them can be valid. The
// own variables of an element need no check, since their options cannot apply
// to other elements.
func (c *compiler) checkOptionsReach() {
	for _, cat := range c.categories {
		for _, v := range cat.Variables {
			i := slices.IndexFunc(cat.appliers, func(a applier) bool { return a.variable.id == v.ID })
			forAll := slices.ContainsFunc(v.Options, func(o taxonomy.Option) bool { return len(o.AppliesTo) == 0 })
			if v.Required && v.Type == taxonomy.SelectVariable && !forAll && i >= 0 {
				c.checkReach(cat, &v, cat.appliers[i].variable.Location)
			}
		}
	}
}

func (c *compiler) checkReach(cat *category, v *taxonomy.Variable, at folder.Location) {
	applies := make(map[string]bool)
	for _, o := range v.Options {
		for _, id := range o.AppliesTo {
			applies[id] = true
		}
	}
	var uncovered []string
	for _, e := range c.members[cat.ID] {
		overrides := slices.ContainsFunc(e.Variables, func(own taxonomy.Variable) bool { return own.ID == v.ID })
		if !applies[e.ID] && !overrides {
			uncovered = append(uncovered, e.ID)
		}
		delete(applies, e.ID)
	}
	if len(uncovered) == 0 || len(applies) > 0 { // a misspelt id has been reported, and may be the one
		return
	}
	others := ""
	if n := len(uncovered) - 1; n > 0 {
		others = fmt.Sprintf(" (nor to %d others)", n)
	}
	c.Warnf(codes.OptionNoneApplies, at, "add an option that applies to it, redeclare the variable in the element, or make it optional",
		"Category %s: variable %s is required, but none of its options applies to element %s%s.", cat.ID, v.ID, uncovered[0], others)
}

// reference is an id and where it is written.
type reference struct {
	id string
	folder.Location
}

// objectName names an object in messages: by its id, or else by its place in a list.
func objectName(what string, n *yaml.Node) string {
	if id := n.Get("id"); id != nil && id.Kind == yaml.String && id.Value != "" {
		return what + " " + wording.Plain(id.Value)
	}
	if n.Parent != nil && !n.InObject() {
		return fmt.Sprintf("%s %d", what, n.Index+1)
	}
	return what
}

// id reads the id of the object, for which valid is the grammar. It returns ""
// if the id is missing or invalid.
func (f fields) id(valid func(string) bool) string { return f.idAt("id", valid) }

// idAt reads the id that is the value of a key.
func (f fields) idAt(key string, valid func(string) bool) string {
	n := f.get(key)
	if n == nil || !f.isText(n) {
		return ""
	}
	if !valid(n.Value) {
		f.malformedID(n, valid)
		return ""
	}
	return n.Value
}

// malformedID reports an id that is not valid.
func (f fields) malformedID(n *yaml.Node, valid func(string) bool) {
	allowed := fmt.Sprintf("1 to %d letters, digits, _ and -", ident.MaxIDLength)
	if valid("a.b") {
		allowed += ", with at most one period between them"
	}
	hint := "write " + allowed
	if fixed := toID(n.Value, valid); fixed != "" {
		hint = "write " + fixed
	}
	f.wrong(codes.IDMalformed, n, hint, "%s is not a valid id; an id is %s", wording.Quote(n.Value), allowed)
}

// transliterate writes letters as people do who can't type them. German umlauts are
// not accents: Behörde is behoerde, not behorde.
func transliterate(s string) string {
	return strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss", "ẞ", "SS").Replace(norm.NFC.String(s))
}

// toID turns a string into a valid id, or returns "".
func toID(s string, valid func(string) bool) string {
	if len(s) > ident.MaxIDLength {
		return ""
	}
	fixed := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r == '.' && valid("a.b") || ident.IsID(string(r)):
			return r
		case unicode.Is(unicode.Mn, r):
			return -1 // an accent
		}
		return '_'
	}, norm.NFD.String(transliterate(s))), "_.")
	if !valid(fixed) {
		return ""
	}
	return fixed
}

// references reads a list of ids that refer to something, none of them twice.
func (f fields) references(key string) []reference {
	var refs []reference
	seen := make(map[string]yaml.Place)
	for n := range f.list(key, 0) {
		if !f.isText(n) {
			continue
		}
		first, twice := seen[n.Value]
		switch {
		case n.Value == "":
			f.wrong(codes.FieldValue, n, "write an id, or remove the item", "%s is empty", f.name(n))
		case twice:
			f.wrong(codes.IDDuplicate, n, "remove one of them", "%s lists %s twice, first on line %d", key, wording.Plain(n.Value), first.Line)
		default:
			seen[n.Value] = n.Place
			refs = append(refs, reference{n.Value, f.At(n)})
		}
	}
	return refs
}

// idsOf returns the ids of references.
func idsOf(refs []reference) []string {
	var all []string
	for _, ref := range refs {
		all = append(all, ref.id)
	}
	return all
}

// idSet finds ids of one kind that are used twice or differ only in case.
type idSet struct {
	what  string // "element id", "alias", …
	first map[string]reference
}

func newIDSet(what string) *idSet { return &idSet{what, make(map[string]reference)} }

// add adds an id, unless it is "". If the set has it already, or one that
// differs only in case, add reports that to f and returns false. It calls path
// only then.
func (s *idSet) add(f *folder.Findings, id string, at issue.Position, path func() issue.Path) bool {
	if id == "" {
		return false
	}
	folded := strings.ToLower(id)
	first, taken := s.first[folded]
	switch {
	case !taken:
		s.first[folded] = reference{id, folder.Location{At: at}}
	case first.id == id:
		f.Errorf(codes.IDDuplicate, folder.Location{At: at, Path: path()}, "rename or remove one of them", "The %s %s is already used at %s.", s.what, wording.Plain(id), first.At)
	default:
		f.Errorf(codes.IDCaseConflict, folder.Location{At: at, Path: path()}, "rename one of them", "The %s %s differs only in case from %s at %s.", s.what, wording.Plain(id), wording.Plain(first.id), first.At)
	}
	return !taken
}

// addID adds the id of an object.
func (s *idSet) addID(f fields, id string) bool {
	return id != "" && s.add(&f.Findings, id, f.Position(f.get("id").Place), f.get("id").Path)
}
