package source

import (
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
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
}

// schema reads schema.yaml.
func (d *decoder) schema(root *node, v taxonomy.Version) (s schemaFile) {
	f, ok := d.fields(root, "Schema", "!title", "!description", "!locales", "aliases", "!datachain_type",
		"notes", "released", "licence", "attribution", "removed", "synonyms")
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
	if n := f.get("datachain_type"); n != nil {
		d.datachainType(n, v, &s)
	}
	return s
}

func (d *decoder) datachainType(n *node, v taxonomy.Version, s *schemaFile) {
	f, ok := d.fields(n, "datachain_type", "!id", "!name", "description", "!categories", "subchains")
	if !ok {
		return
	}
	s.typ.ID = f.id(taxonomy.ValidID)
	if s.typ.ID != "" && s.typ.ID != v.Type() {
		f.wrong(issue.CodeDatachainTypeMismatch, f.get("id"), "write "+v.Type()+", or rename the directory", "id is %s, but the directory of the type is %s", s.typ.ID, v.Type())
	}
	s.typ.Name = f.localized("name")
	s.typ.Description = f.localized("description")
	s.categories = f.references("categories")
	s.typ.Categories = idsOf(s.categories)
	if n := f.get("categories"); n != nil && n.kind == list && len(n.items) == 0 {
		f.wrong(issue.CodeFieldValue, n, "list the category ids in the order in which readers should see them", "categories is empty")
	}
	ids := newIDSet("subchain id")
	for item := range f.list("subchains", 0) {
		o, ok := d.fields(item, named("Subchain", item), "!id", "!name", "!categories")
		if !ok {
			continue
		}
		sub := taxonomy.Subchain{ID: o.id(taxonomy.ValidID), Name: o.localized("name")}
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
		alias := n.value
		if !strings.Contains(alias, "@") {
			alias = v.Type() + "@" + alias
		}
		ref, err := taxonomy.ParseRef(alias)
		_, canonical := ref.Version()
		switch {
		case err != nil || canonical || ref.Type() != v.Type():
			f.wrong(issue.CodeAliasMalformed, n, "write a name such as v1, which becomes "+v.Type()+"@v1", "%s is not a valid alias for %s", prose.Quote(n.value), v)
		case alias == v.Type()+"@"+taxonomy.AliasLatest || alias == v.Type()+"@"+taxonomy.AliasLatestBeta:
			f.wrong(issue.CodeAliasConflict, n, "remove it", "the alias %s is assigned automatically", alias)
		case seen.add(&f.findings, alias, f.position(n.place), n.path):
			aliases = append(aliases, reference{alias, f.spot(n)})
		}
	}
	return aliases
}
