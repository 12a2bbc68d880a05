package source

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// schemaFile is what schema.yaml says.
type schemaFile struct {
	title, description taxonomy.Localized
	locales            []string
	aliases            []reference
	typ                taxonomy.Type
	// listed are the categories of datachain_type with the places where they
	// are named; known only when the category files have been read.
	listed    []reference
	subchains []reference
}

// aliasIDs returns the declared aliases.
func (s *schemaFile) aliasIDs() []string {
	var ids []string
	for _, a := range s.aliases {
		ids = append(ids, a.id)
	}
	return ids
}

// schema reads schema.yaml.
func (d *decoder) schema(root *node, v taxonomy.Version) schemaFile {
	var s schemaFile
	f, ok := d.fields(root, "the schema", "!title", "!description", "!locales", "aliases", "!datachain_type")
	if !ok {
		return s
	}
	s.locales = f.localeCodes()
	d.locales = s.locales
	s.title = f.localized("title")
	s.description = f.localized("description")
	s.aliases = f.aliases(v)
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
		d.error(issue.CodeDatachainTypeMismatch, f.get("id"), fmt.Sprintf("datachain_type.id is %s, but the folder of the type is %s", s.typ.ID, v.Type()), "write "+v.Type()+", or rename the folder")
	}
	s.typ.Name = f.localized("name")
	s.typ.Description = f.localized("description")
	s.listed = f.references("categories", "category")
	if n := f.get("categories"); n != nil && n.kind == list && len(n.items) == 0 {
		d.error(issue.CodeFieldValue, n, "datachain_type.categories is empty", "list the ids of the categories, in the order in which people see them")
	}
	for _, ref := range s.listed {
		s.typ.Categories = append(s.typ.Categories, ref.id)
	}
	subchains := newIDSet("subchain")
	for item := range f.list("subchains", 0) {
		d.subchain(item, s, subchains)
	}
}

func (d *decoder) subchain(n *node, s *schemaFile, ids *idSet) {
	f, ok := d.fields(n, thing("subchain", n), "!id", "!name", "!categories")
	if !ok {
		return
	}
	sub := taxonomy.Subchain{ID: f.id(taxonomy.ValidID), Name: f.localized("name")}
	ids.addNode(d, sub.ID, f.get("id"))
	for _, ref := range f.references("categories", "category") {
		sub.Categories = append(sub.Categories, ref.id)
		s.subchains = append(s.subchains, ref)
	}
	s.typ.Subchains = append(s.typ.Subchains, sub)
}

// aliases reads the declared aliases, whole (ai@v1) or by name (v1).
func (f fields) aliases(v taxonomy.Version) []reference {
	var aliases []reference
	seen := newIDSet("alias")
	for n := range f.list("aliases", 0) {
		if !f.isText(n) {
			continue
		}
		alias, full := n.value, n.value
		if !strings.Contains(alias, "@") {
			full = v.Type() + "@" + alias
		}
		ref, err := taxonomy.ParseRef(full)
		_, canonical := ref.Version()
		switch {
		case err != nil || canonical || ref.Type() != v.Type():
			f.d.error(issue.CodeAliasMalformed, n, fmt.Sprintf("%q can't be an alias of %s", prose.Clip(alias), v), "write a name such as v1; it becomes "+v.Type()+"@v1")
		case full == v.Type()+"@"+taxonomy.AliasLatest || full == v.Type()+"@"+taxonomy.AliasLatestBeta:
			f.d.error(issue.CodeAliasConflict, n, fmt.Sprintf("the alias %s is assigned by date and status", full), "remove it")
		case seen.addNode(f.d, full, n):
			aliases = append(aliases, f.d.reference(full, n))
		}
	}
	return aliases
}
