package explorer

import "github.com/datachain-go/datachain/evolution/diff"

// compareWords are the words of the page that compares two versions.
type compareWords struct {
	Title, Lead, Pair                            string
	Old, New, Compare                            string
	Breaking, BreakingLead                       string
	Notable, NotableLead                         string
	Compatible, CompatibleLead                   string
	BreakingCount, NotableCount, CompatibleCount counted
	Changes, Inherited                           counted
	Same, SameLead, Nothing                      string
	NoSeverity, NoCategory, NoMatch              string
	Version, Everything, ByCategory              string
	Rest, AsMarkdown                             string
	Before, After, Removed, Added                string
	ReplacedBy                                   string
	Kinds                                        map[diff.Kind]string
	Subjects                                     map[diff.Subject]string
	// Fields are the names of fields.
	Fields map[string]string
}

func (w *compareWords) title(s diff.Severity) string {
	return bySeverity(s, w.Breaking, w.Notable, w.Compatible)
}

func (w *compareWords) lead(s diff.Severity) string {
	return bySeverity(s, w.BreakingLead, w.NotableLead, w.CompatibleLead)
}

func (w *compareWords) count(s diff.Severity) counted {
	return bySeverity(s, w.BreakingCount, w.NotableCount, w.CompatibleCount)
}

func bySeverity[T any](s diff.Severity, breaking, notable, compatible T) T {
	switch s {
	case diff.Breaking:
		return breaking
	case diff.Notable:
		return notable
	default:
		return compatible
	}
}

func (w *compareWords) kind(k diff.Kind) string       { return w.Kinds[k] }
func (w *compareWords) subject(s diff.Subject) string { return w.Subjects[s] }

var compareEN = compareWords{
	Title: "Compare versions", Lead: "See what changed between two versions of a taxonomy, and what it means for documents that move to the newer one.", Pair: "%s compared with %s",
	Old: "Older version", New: "Newer version", Compare: "Compare",
	Breaking: "Breaking changes", BreakingLead: "Some valid documents become invalid when they move to the newer version.",
	Notable: "Notable changes", NotableLead: "Documents stay valid, but say something else, or those of older versions can no longer follow.",
	Compatible: "Compatible changes", CompatibleLead: "Documents stay valid and mean the same.",
	BreakingCount: counted{"%s breaking", "%s breaking"}, NotableCount: counted{"%s notable", "%s notable"}, CompatibleCount: counted{"%s compatible", "%s compatible"},
	Changes: counted{"%s change", "%s changes"}, Inherited: counted{"Inherited by %s element", "Inherited by %s elements"},
	Same: "No changes", SameLead: "The two versions have the same content.", Nothing: "There are no two versions to compare yet.",
	NoSeverity: "There is no severity “%s”. These are the changes of all severities.", NoCategory: "Neither version has a category “%s”. These are the changes of all categories.",
	NoMatch: "No changes match this filter.",
	Version: "The version itself", Everything: "Show all changes", ByCategory: "By category",
	Rest: "Show the changes of all %s parts", AsMarkdown: "As Markdown, for release notes",
	Before: "Before", After: "After", Removed: "removed", Added: "added", ReplacedBy: "Replaced by",
	Kinds:    map[diff.Kind]string{diff.Added: "Added", diff.Removed: "Removed", diff.Changed: "Changed", diff.Renamed: "Renamed", diff.Reordered: "Reordered"},
	Subjects: map[diff.Subject]string{diff.Manifest: "Manifest", diff.DatachainType: "Datachain type", diff.Category: "Category", diff.Element: "Element", diff.Symbol: "Symbol"},
	Fields: map[string]string{
		"title": "Title", "name": "Name", "description": "Description", "label": "Label", "keywords": "Keywords", "prompt": "Question",
		"authoring_guidance": "Guidance for authors", "examples": "Examples", "notes": "Notes", "category_id": "Category", "symbol_id": "Symbol",
		"variables": "Variable", "options": "Option", "applies_to": "Applies to", "required": "Required", "type": "Type", "context": "Context",
		"values": "Value", "color": "Colour", "shape": "Shape", "cardinality": "Number of placements", "min": "Minimum", "max": "Maximum",
		"max_placements": "Most placements", "order": "Order", "sources": "Sources", "locales": "Languages", "categories": "Categories",
		"subchains": "Subchain", "icon_variants": "Icon variant", "status": "Status", "replaced_by": "Successors", "renamed_from": "Former ids",
		"removed": "Removed elements", "synonyms": "Synonyms", "licence": "Licence", "attribution": "Attribution", "note": "Note", "since": "Since",
	},
}

var compareFR = compareWords{
	Title: "Comparer des versions", Lead: "Voyez ce qui a changé entre deux versions d’une taxonomie, et ce que cela signifie pour les documents qui passent à la plus récente.", Pair: "%s comparée à %s",
	Old: "Version antérieure", New: "Version ultérieure", Compare: "Comparer",
	Breaking: "Changements incompatibles", BreakingLead: "Certains documents valides deviennent invalides en passant à la version ultérieure.",
	Notable: "Changements notables", NotableLead: "Les documents restent valides, mais disent autre chose, ou ceux de versions plus anciennes ne peuvent plus suivre.",
	Compatible: "Changements compatibles", CompatibleLead: "Les documents restent valides et gardent leur sens.",
	BreakingCount: counted{"%s incompatible", "%s incompatibles"}, NotableCount: counted{"%s notable", "%s notables"}, CompatibleCount: counted{"%s compatible", "%s compatibles"},
	Changes: counted{"%s changement", "%s changements"}, Inherited: counted{"Hérité par %s élément", "Hérité par %s éléments"},
	Same: "Aucun changement", SameLead: "Les deux versions ont le même contenu.", Nothing: "Il n’y a pas encore deux versions à comparer.",
	NoSeverity: "Le niveau «\u00A0%s\u00A0» n’existe pas. Voici les changements de tous les niveaux.", NoCategory: "Aucune des deux versions n’a de catégorie «\u00A0%s\u00A0». Voici les changements de toutes les catégories.",
	NoMatch: "Aucun changement ne correspond à ce filtre.",
	Version: "La version elle-même", Everything: "Voir tous les changements", ByCategory: "Par catégorie",
	Rest: "Voir les changements des %s parties", AsMarkdown: "En Markdown, pour les notes de version",
	Before: "Avant", After: "Après", Removed: "supprimé", Added: "ajouté", ReplacedBy: "Remplacé par",
	Kinds:    map[diff.Kind]string{diff.Added: "Ajouté", diff.Removed: "Supprimé", diff.Changed: "Modifié", diff.Renamed: "Renommé", diff.Reordered: "Réordonné"},
	Subjects: map[diff.Subject]string{diff.Manifest: "Manifeste", diff.DatachainType: "Type de datachain", diff.Category: "Catégorie", diff.Element: "Élément", diff.Symbol: "Symbole"},
	Fields: map[string]string{
		"title": "Titre", "name": "Nom", "description": "Description", "label": "Libellé", "keywords": "Mots-clés", "prompt": "Question",
		"authoring_guidance": "Conseils aux auteurs", "examples": "Exemples", "notes": "Notes", "category_id": "Catégorie", "symbol_id": "Symbole",
		"variables": "Variable", "options": "Option", "applies_to": "S’applique à", "required": "Obligatoire", "type": "Type", "context": "Contexte",
		"values": "Valeur", "color": "Couleur", "shape": "Forme", "cardinality": "Nombre de placements", "min": "Minimum", "max": "Maximum",
		"max_placements": "Placements au plus", "order": "Ordre", "sources": "Sources", "locales": "Langues", "categories": "Catégories",
		"subchains": "Sous-chaîne", "icon_variants": "Variante d’icône", "status": "Statut", "replaced_by": "Successeurs", "renamed_from": "Anciens identifiants",
		"removed": "Éléments supprimés", "synonyms": "Synonymes", "licence": "Licence", "attribution": "Attribution", "note": "Note", "since": "Depuis",
	},
}

var compareES = compareWords{
	Title: "Comparar versiones", Lead: "Vea qué cambió entre dos versiones de una taxonomía y qué significa para los documentos que pasan a la más reciente.", Pair: "%s comparada con %s",
	Old: "Versión anterior", New: "Versión posterior", Compare: "Comparar",
	Breaking: "Cambios incompatibles", BreakingLead: "Algunos documentos válidos dejan de serlo al pasar a la versión posterior.",
	Notable: "Cambios notables", NotableLead: "Los documentos siguen siendo válidos, pero dicen otra cosa, o los de versiones anteriores ya no pueden seguir.",
	Compatible: "Cambios compatibles", CompatibleLead: "Los documentos siguen siendo válidos y significan lo mismo.",
	BreakingCount: counted{"%s incompatible", "%s incompatibles"}, NotableCount: counted{"%s notable", "%s notables"}, CompatibleCount: counted{"%s compatible", "%s compatibles"},
	Changes: counted{"%s cambio", "%s cambios"}, Inherited: counted{"Lo hereda %s elemento", "Lo heredan %s elementos"},
	Same: "Sin cambios", SameLead: "Las dos versiones tienen el mismo contenido.", Nothing: "Aún no hay dos versiones que comparar.",
	NoSeverity: "No existe el nivel «%s». Estos son los cambios de todos los niveles.", NoCategory: "Ninguna de las dos versiones tiene una categoría «%s». Estos son los cambios de todas las categorías.",
	NoMatch: "Ningún cambio coincide con este filtro.",
	Version: "La versión misma", Everything: "Ver todos los cambios", ByCategory: "Por categoría",
	Rest: "Ver los cambios de las %s partes", AsMarkdown: "En Markdown, para las notas de la versión",
	Before: "Antes", After: "Después", Removed: "eliminado", Added: "añadido", ReplacedBy: "Sustituido por",
	Kinds:    map[diff.Kind]string{diff.Added: "Añadido", diff.Removed: "Eliminado", diff.Changed: "Cambiado", diff.Renamed: "Renombrado", diff.Reordered: "Reordenado"},
	Subjects: map[diff.Subject]string{diff.Manifest: "Manifiesto", diff.DatachainType: "Tipo de datachain", diff.Category: "Categoría", diff.Element: "Elemento", diff.Symbol: "Símbolo"},
	Fields: map[string]string{
		"title": "Título", "name": "Nombre", "description": "Descripción", "label": "Etiqueta", "keywords": "Palabras clave", "prompt": "Pregunta",
		"authoring_guidance": "Guía para autores", "examples": "Ejemplos", "notes": "Notas", "category_id": "Categoría", "symbol_id": "Símbolo",
		"variables": "Variable", "options": "Opción", "applies_to": "Se aplica a", "required": "Obligatorio", "type": "Tipo", "context": "Contexto",
		"values": "Valor", "color": "Color", "shape": "Forma", "cardinality": "Número de colocaciones", "min": "Mínimo", "max": "Máximo",
		"max_placements": "Colocaciones como máximo", "order": "Orden", "sources": "Fuentes", "locales": "Idiomas", "categories": "Categorías",
		"subchains": "Subcadena", "icon_variants": "Variante de icono", "status": "Estado", "replaced_by": "Sucesores", "renamed_from": "Identificadores anteriores",
		"removed": "Elementos eliminados", "synonyms": "Sinónimos", "licence": "Licencia", "attribution": "Atribución", "note": "Nota", "since": "Desde",
	},
}
