package source

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// schemaFile is the content of schema.yaml.
type schemaFile struct {
	title, description taxonomy.Localized
	locales            []string
	aliases            []reference
	typ                taxonomy.Type
	// categories and subchains are the category ids that datachain_type and
	// its subchains list.
	categories []reference
	subchains  []reference

	notes                taxonomy.Localized
	licence, attribution string
	released             string
	removed              []removal
	synonyms             []taxonomy.Synonyms
	schemes              []scheme
}

// schema reads schema.yaml.
func (d *decoder) schema(root *yaml.Node, v taxonomy.Version) (s schemaFile) {
	f, ok := d.fields(root, "Schema", "!title", "!description", "!locales", "aliases", "!datachain_type",
		"notes", "released", "licence", "attribution", "removed", "synonyms", "schemes")
	if !ok {
		return s
	}
	s.locales = f.localeCodes()
	d.locales = s.locales
	s.title = f.localized("title")
	s.description = f.localized("description")
	s.aliases = f.aliases(v)
	s.notes = f.localized("notes")
	s.released = f.released()
	s.licence, s.attribution = f.credit("licence"), f.credit("attribution")
	s.removed = f.removed(v)
	s.synonyms = f.synonyms()
	s.schemes = f.schemes()
	if n := f.get("datachain_type"); n != nil {
		d.datachainType(n, v, &s)
	}
	return s
}

func (d *decoder) datachainType(n *yaml.Node, v taxonomy.Version, s *schemaFile) {
	f, ok := d.fields(n, "datachain_type", "!id", "!name", "description", "!categories", "subchains")
	if !ok {
		return
	}
	s.typ.ID = f.id(ident.IsID)
	switch id := strings.ToLower(s.typ.ID); {
	case id == "documents" || id == "log":
		f.wrong(codes.IDReserved, f.get("id"), "use another id, and name the directory so, too", "documents and log are directories of a store besides those of datachain types")
	case id != "" && s.typ.ID != v.Type():
		f.wrong(codes.DatachainTypeMismatch, f.get("id"), "write "+v.Type()+", or rename the directory", "id is %s, but the directory of the type is %s", s.typ.ID, v.Type())
	}
	s.typ.Name = f.localized("name")
	s.typ.Description = f.localized("description")
	s.categories = f.references("categories")
	s.typ.Categories = idsOf(s.categories)
	if n := f.get("categories"); n != nil && n.Kind == yaml.List && len(n.Items) == 0 {
		f.wrong(codes.FieldValue, n, "list the category ids in the order in which readers should see them", "categories is empty")
	}
	ids := newIDSet("subchain id")
	for item := range f.list("subchains", 0) {
		o, ok := d.fields(item, objectName("Subchain", item), "!id", "!name", "!categories")
		if !ok {
			continue
		}
		sub := taxonomy.Subchain{ID: o.id(ident.IsID), Name: o.localized("name")}
		ids.addID(o, sub.ID)
		categories := o.references("categories")
		sub.Categories = idsOf(categories)
		s.subchains = append(s.subchains, categories...)
		s.typ.Subchains = append(s.typ.Subchains, sub)
	}
}

// aliases reads the declared aliases, which are full (ai@v1) or only a name
// (v1).
func (f fields) aliases(v taxonomy.Version) []reference {
	var aliases []reference
	seen := newIDSet("alias")
	for n := range f.list("aliases", 0) {
		if !f.isText(n) {
			continue
		}
		alias := n.Value
		if !strings.Contains(alias, "@") {
			alias = v.Type() + "@" + alias
		}
		ref, err := taxonomy.ParseRef(alias)
		_, canonical := ref.Version()
		switch {
		case err != nil || canonical || ref.Type() != v.Type():
			f.wrong(codes.AliasMalformed, n, "write a name such as v1, which becomes "+v.Type()+"@v1", "%s is not a valid alias for %s", wording.Quote(n.Value), v)
		case alias == v.Type()+"@"+codes.AliasLatest || alias == v.Type()+"@"+codes.AliasLatestBeta:
			f.wrong(codes.AliasConflict, n, "remove it", "the alias %s is assigned automatically", alias)
		case seen.add(&f.Findings, alias, f.Position(n.Place), n.Path):
			aliases = append(aliases, reference{alias, f.At(n)})
		}
	}
	return aliases
}

// maxValues limits the values of a context. Each is an icon variant of every
// element of the category.
const maxValues = 200

// category is a category with the locations that later checks report.
type category struct {
	taxonomy.Category
	at       folder.Location // of the id
	minAt    folder.Location // of cardinality.min
	colors   []reference     // of the context values that have one
	appliers []applier
	renames  []reference
	mapped   []schemeReference
}

// category reads a file of categories/. It returns nil if the category has no
// valid id.
func (d *decoder) category(root *yaml.Node) *category {
	var c category
	f, ok := d.fields(root, objectName("Category", root), "!id", "!name", "!description", "!shape", "role", "required", "cardinality", "variables", "context", "prompt", "authoring_guidance",
		"renamed_from", "sources", "mappings")
	if !ok {
		d.Incomplete = true
		return nil
	}
	c.ID = f.id(ident.IsID)
	c.Name = f.localized("name")
	c.Description = f.localized("description")
	c.Shape = choice(f, "shape", taxonomy.Shapes()...)
	c.Role = f.role(CategoryRoles()...)
	c.Required = f.bool("required")
	f.cardinality(&c)
	c.Variables, c.appliers = f.variables()
	f.checkVariableRoles(c.Variables, nil)
	c.Prompt = f.guidance("prompt")
	c.AuthoringGuidance = f.guidance("authoring_guidance")
	c.renames = f.renamedFrom()
	c.RenamedFrom = idsOf(c.renames)
	c.Sources = f.sources()
	c.Mappings, c.mapped = f.mappings()
	f.checkPlaceholders("description", c.Description, c.Variables)
	f.context(&c)
	if c.ID == "" {
		d.Incomplete = true
		return nil
	}
	c.at = d.At(f.get("id"))
	return &c
}

// cardinality reads how many placements a category allows.
func (f fields) cardinality(c *category) {
	n := f.get("cardinality")
	if n == nil {
		return
	}
	o, ok := f.fields(n, f.what+": cardinality", "min", "max")
	if !ok {
		return
	}
	c.Cardinality = taxonomy.Cardinality{Min: o.int("min", 0), Max: o.int("max", 1)}
	if c.Cardinality.Max > 0 && c.Cardinality.Max < c.Cardinality.Min {
		o.wrong(codes.FieldValue, n, "raise max or lower min", "min is %d, but max is %d", c.Cardinality.Min, c.Cardinality.Max)
	}
	if minNode := o.get("min"); minNode != nil {
		c.minAt = f.At(minNode)
	}
}

// context reads the context of a category.
func (f fields) context(c *category) {
	n := f.get("context")
	if n == nil {
		return
	}
	o, ok := f.fields(n, f.what+": context", "id", "name", "description", "required", "role", "order", "!values")
	if !ok {
		return
	}
	c.Context.ID = o.id(ident.IsID)
	c.Context.Name = o.localized("name")
	c.Context.Description = o.localized("description")
	c.Context.Required = o.bool("required")
	c.Context.Role = o.role(codes.RoleStage)
	if o.get("order") != nil {
		c.Context.Order = choice[taxonomy.Order](o, "order", codes.Rising, codes.Falling)
	}
	ids := newIDSet("context value id")
	var renames []formerIDs
	for item := range o.list("values", maxValues) {
		v, color, from := f.contextValue(item, ids)
		renames = append(renames, formerIDs{v.ID, from})
		c.Context.Values = append(c.Context.Values, v)
		if color.id != "" {
			c.colors = append(c.colors, color)
		}
	}
	checkRenames(&f.Findings, "context value", renames)
	o.checkContextRoles(&c.Context)
	if values := o.get("values"); values != nil && c.Context.Required && len(c.Context.Values) == 0 {
		o.wrong(codes.FieldValue, values, "add values, or remove required", "required is set, but there are no values")
	}
}

func (d *decoder) contextValue(n *yaml.Node, ids *idSet) (v taxonomy.ContextValue, color reference, from []reference) {
	f, ok := d.fields(n, objectName("Context value", n), "!id", "!label", "description", "color", "lead", "renamed_from")
	if !ok {
		return v, color, nil
	}
	v.ID = f.id(ident.IsID)
	if strings.EqualFold(v.ID, taxonomy.VariantDefault) || strings.EqualFold(v.ID, taxonomy.VariantDark) {
		// In any case: variants are files, and some file systems ignore case.
		f.wrong(codes.IDReserved, f.get("id"), "use another id, such as "+v.ID+"_value", "default and dark are reserved for the icon variants that every element has")
	}
	ids.addID(f, v.ID)
	v.Label = f.localized("label")
	v.Description = f.localized("description")
	v.Lead = f.bool("lead")
	from = f.renamedFrom()
	v.RenamedFrom = idsOf(from)
	if at := f.get("color"); at != nil && f.is(at, yaml.String, `write "#RRGGBB", in quotes`) {
		if parsed, ok := icons.ParseColor(at.Value); ok {
			v.Color = parsed.String()
			color = reference{v.Color, f.At(at)}
		} else {
			f.wrong(codes.ColorMalformed, at, colorHint(at.Value), "color must be #RRGGBB, not %s", wording.Quote(at.Value))
		}
	}
	return v, color, from
}

// colorHint returns the hint for an invalid colour.
func colorHint(written string) string {
	if color, ok := asColor(written); ok {
		return "write " + strconv.Quote(color)
	}
	return `write "#RRGGBB" in hexadecimal digits, such as "#1F6FEB"`
}

// asColor returns the colour that was meant.
func asColor(written string) (string, bool) {
	digits := strings.TrimPrefix(written, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	c, ok := icons.ParseColor("#" + digits)
	return c.String(), ok
}

// element is an element with the places that later checks report. There may be
// very many, so it keeps no nodes. Its Variables are only its own until the
// release is made.
type element struct {
	taxonomy.Element
	file     string
	index    int        // in the list of the file, or -1
	at       yaml.Place // of the id, if it has one
	category yaml.Place
	symbol   yaml.Place
	status   yaml.Place
	lead     yaml.Place
	appliers []applier
	// successors are the ids of ReplacedBy, and explained is set if the source has
	// that, even if it is invalid.
	successors []reference
	explained  bool
	mapped     []schemeReference
}

// path returns the path of a key of the element in its file.
func (e *element) path(key string) issue.Path {
	if e.index < 0 {
		return issue.Root.Key(key)
	}
	return issue.Root.Index(e.index).Key(key)
}

// String names the element at the start of a message.
func (e *element) String() string {
	switch {
	case e.ID != "":
		return "Element " + e.ID
	case e.index >= 0:
		return fmt.Sprintf("Element %d", e.index+1)
	}
	return "Element"
}

// elements reads a file of elements/, which is one element or a list of them.
// categories has those that could be read.
func (d *decoder) elements(root *yaml.Node, categories map[string]*category) []element {
	if root.Kind != yaml.List {
		e := d.element(root, categories)
		e.index = -1
		return []element{e}
	}
	all := make([]element, 0, min(len(root.Items), folder.MaxFindings))
	for i := range root.Items {
		if d.MoreErrors {
			d.Incomplete = true // no more errors are listed
			break
		}
		if e := d.element(&root.Items[i], categories); e.ID != "" || e.CategoryID != "" || e.SymbolID != "" {
			e.index = i
			all = append(all, e)
		}
	}
	return all
}

func (d *decoder) element(n *yaml.Node, categories map[string]*category) element {
	e := element{file: d.Name}
	f, ok := d.fields(n, objectName("Element", n), "!id", "!title", "!description", "!category_id", "!symbol_id",
		"lead", "variables", "keywords", "max_placements", "order", "authoring_guidance", "sources", "mappings",
		"status", "replaced_by", "examples")
	if !ok {
		d.Incomplete = true
		return e
	}
	e.ID = f.id(ident.IsElementID)
	e.Title = f.localized("title")
	e.Description = f.localized("description")
	e.CategoryID = f.string("category_id")
	e.SymbolID = f.string("symbol_id")
	e.Lead = f.bool("lead")
	e.Variables, e.appliers = f.variables()
	e.Keywords = f.localized("keywords")
	e.MaxPlacements = f.int("max_placements", 1)
	e.Order = f.int("order", -1_000_000_000)
	e.AuthoringGuidance = f.guidance("authoring_guidance")
	e.Sources = f.sources()
	e.Mappings, e.mapped = f.mappings()
	if e.Status = codes.StatusActive; f.get("status") != nil {
		e.Status = choice[taxonomy.ElementStatus](f, "status", codes.StatusActive, codes.StatusDeprecated)
	}
	e.ReplacedBy, e.successors = f.successors()
	e.explained = f.get("replaced_by") != nil
	e.Examples = f.examples()

	if own := categories[e.CategoryID]; own != nil { // else its variables are unknown
		f.checkOverrides(e.Variables, own.Variables)
		f.checkVariableRoles(e.Variables, own.Variables)
		f.checkPlaceholders("title", e.Title, own.Variables, e.Variables)
		f.checkPlaceholders("description", e.Description, own.Variables, e.Variables)
	}
	d.Incomplete = d.Incomplete || e.ID == "" || e.CategoryID == "" || e.SymbolID == ""
	e.at, e.category, e.symbol, e.status, e.lead = f.place("id"), f.place("category_id"), f.place("symbol_id"), f.place("status"), f.place("lead")
	return e
}

// sources reads a list of sources.
func (f fields) sources() []taxonomy.Source {
	var sources []taxonomy.Source
	for item := range f.list("sources", 0) {
		if s, ok := f.fields(item, f.what+": "+f.name(item), "!type", "!title", "url", "citation", "licence", "attribution"); ok {
			sources = append(sources, taxonomy.Source{
				Type: s.string("type"), Title: s.string("title"), URL: s.url("url"), Citation: s.string("citation"),
				Licence: s.credit("licence"), Attribution: s.credit("attribution"),
			})
		}
	}
	return sources
}

// url reads the URL of a web page, which readers will see as a link.
func (f fields) url(key string) string {
	s := f.string(key)
	if s == "" {
		return ""
	}
	if !ident.IsURL(s) {
		f.wrong(codes.FieldValue, f.get(key), "write a URL that starts with https://", "%s must be the URL of a web page, not %s", key, wording.Quote(s))
	}
	return s
}
