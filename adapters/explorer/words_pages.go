package explorer

import (
	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/taxonomy"
)

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
		"subchains": "Subchain", "icon_variants": "Icon variant", "role": "Role", "lead": "Meant first", "status": "Status", "replaced_by": "Successors", "renamed_from": "Former ids",
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
		"subchains": "Sous-chaîne", "icon_variants": "Variante d’icône", "role": "Rôle", "lead": "Visé en premier", "status": "Statut", "replaced_by": "Successeurs", "renamed_from": "Anciens identifiants",
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
		"subchains": "Subcadena", "icon_variants": "Variante de icono", "role": "Función", "lead": "El principal", "status": "Estado", "replaced_by": "Sucesores", "renamed_from": "Identificadores anteriores",
		"removed": "Elementos eliminados", "synonyms": "Sinónimos", "licence": "Licencia", "attribution": "Atribución", "note": "Nota", "since": "Desde",
	},
}

// elementWords are the words of the pages of elements and categories.
type elementWords struct {
	Path, Guidance, Prompt, ID, Category       string
	Keywords, RawJSON                          string
	AtMost                                     counted
	Try, TryLead, Context, NoContext, Preview  string
	Placement, Apply, CopyPlacement, Missing   string
	Icons, IconsLead, Default, Dark            string
	OnLight, OnDark, SVGFile, SVGSource        string
	Variables, NoVariables, Text, Select       string
	Inherited, Only                            string
	Subchains, SubchainsLead                   string
	Sources, Languages, History, HistoryLead   string
	First, Unchanged, Removed, Absent, Compare string
	Rules, RuleRequired, RuleOptional          string
	RuleMin, RuleMax                           counted
	RuleContext                                string
	Contexts, NoContexts, Color, Contrast, Tag string
	Elements, Deprecated, Instead, Examples    string
	Formerly, Licence, Notes                   string
	Shape, Circle, Hexagon, Octagon, Square    string
}

// shape names a shape.
func (w *elementWords) shape(s taxonomy.Shape) string {
	switch s {
	case taxonomy.Circle:
		return w.Circle
	case taxonomy.Hexagon:
		return w.Hexagon
	case taxonomy.Octagon:
		return w.Octagon
	}
	return w.Square
}

var elementEN = elementWords{
	Path: "You are here", Guidance: "For authors", Prompt: "The question it answers", ID: "Id", Category: "Category",
	Keywords: "Also found by", RawJSON: "Raw JSON", AtMost: counted{"At most %s time in a document", "At most %s times in a document"},
	Try: "Try it out", TryLead: "Fill in the blanks to see what readers would see. The address of this page keeps what you enter.",
	Context: "Context", NoContext: "None", Preview: "Preview", Placement: "Placement in a document", Apply: "Show", CopyPlacement: "Copy placement",
	Missing: "Examples to replace",
	Icons:   "Icon", IconsLead: "In every variant, large and small, on light and on dark ground.", Default: "Default", Dark: "Dark",
	OnLight: "On light ground", OnDark: "On dark ground", SVGFile: "SVG file", SVGSource: "SVG source",
	Variables: "Variables", NoVariables: "There is nothing to fill in.", Text: "text", Select: "selection",
	Inherited: "from the category", Only: "only for",
	Subchains: "Placed with", SubchainsLead: "Parts of a document that belong together.",
	Sources: "Sources", Languages: "In all languages", History: "Versions", HistoryLead: "In which versions it exists, and when it changed.",
	First: "First version", Unchanged: "Unchanged", Removed: "Removed", Absent: "Not there", Compare: "What changed",
	Rules: "Rules", RuleRequired: "A document must place an element of this category.", RuleOptional: "A document can leave this category out.",
	RuleMin: counted{"At least %s element must be placed.", "At least %s elements must be placed."}, RuleMax: counted{"At most %s element can be placed.", "At most %s elements can be placed."},
	RuleContext: "Each placement must choose a context.",
	Contexts:    "Contexts", NoContexts: "Elements of this category have no context.", Color: "Colour", Contrast: "Contrast of the symbol", Tag: "Tag without a colour",
	Deprecated: "This element is deprecated: new documents should not place it.", Instead: "Use instead", Examples: "Examples",
	Formerly: "formerly", Licence: "Licence", Notes: "What is new",
	Elements: "Elements", Shape: "Shape", Circle: "circle", Hexagon: "hexagon", Octagon: "octagon", Square: "rounded square",
}

var elementFR = elementWords{
	Path: "Vous êtes ici", Guidance: "Pour les auteurs", Prompt: "La question à laquelle elle répond", ID: "Identifiant", Category: "Catégorie",
	Keywords: "Se trouve aussi avec", RawJSON: "JSON brut", AtMost: counted{"Au plus %s fois dans un document", "Au plus %s fois dans un document"},
	Try: "Essayer", TryLead: "Remplissez les blancs pour voir ce que verraient les lecteurs. L’adresse de cette page conserve ce que vous saisissez.",
	Context: "Contexte", NoContext: "Aucun", Preview: "Aperçu", Placement: "Placement dans un document", Apply: "Afficher", CopyPlacement: "Copier le placement",
	Missing: "Exemples à remplacer",
	Icons:   "Icône", IconsLead: "Dans chaque variante, grande et petite, sur fond clair et sur fond foncé.", Default: "Par défaut", Dark: "Foncée",
	OnLight: "Sur fond clair", OnDark: "Sur fond foncé", SVGFile: "Fichier SVG", SVGSource: "Source SVG",
	Variables: "Variables", NoVariables: "Il n’y a rien à remplir.", Text: "texte", Select: "sélection",
	Inherited: "de la catégorie", Only: "seulement pour",
	Subchains: "Placé avec", SubchainsLead: "Les parties d’un document qui vont ensemble.",
	Sources: "Sources", Languages: "Dans toutes les langues", History: "Versions", HistoryLead: "Dans quelles versions il existe, et quand il a changé.",
	First: "Première version", Unchanged: "Inchangé", Removed: "Supprimé", Absent: "Absent", Compare: "Ce qui a changé",
	Rules: "Règles", RuleRequired: "Un document doit placer un élément de cette catégorie.", RuleOptional: "Un document peut se passer de cette catégorie.",
	RuleMin: counted{"Au moins %s élément doit être placé.", "Au moins %s éléments doivent être placés."}, RuleMax: counted{"Au plus %s élément peut être placé.", "Au plus %s éléments peuvent être placés."},
	RuleContext: "Chaque placement doit choisir un contexte.",
	Contexts:    "Contextes", NoContexts: "Les éléments de cette catégorie n’ont pas de contexte.", Color: "Couleur", Contrast: "Contraste du symbole", Tag: "Étiquette sans couleur",
	Deprecated: "Cet élément est obsolète : les nouveaux documents ne devraient plus le placer.", Instead: "À la place", Examples: "Exemples",
	Formerly: "auparavant", Licence: "Licence", Notes: "Nouveautés",
	Elements: "Éléments", Shape: "Forme", Circle: "cercle", Hexagon: "hexagone", Octagon: "octogone", Square: "carré arrondi",
}

var elementES = elementWords{
	Path: "Está aquí", Guidance: "Para autores", Prompt: "La pregunta que responde", ID: "Identificador", Category: "Categoría",
	Keywords: "También se encuentra con", RawJSON: "JSON original", AtMost: counted{"Como máximo %s vez en un documento", "Como máximo %s veces en un documento"},
	Try: "Pruébelo", TryLead: "Rellene los espacios para ver lo que vería quien lee. La dirección de esta página conserva lo que escriba.",
	Context: "Contexto", NoContext: "Ninguno", Preview: "Vista previa", Placement: "Colocación en un documento", Apply: "Mostrar", CopyPlacement: "Copiar la colocación",
	Missing: "Ejemplos por sustituir",
	Icons:   "Icono", IconsLead: "En cada variante, grande y pequeño, sobre fondo claro y sobre fondo oscuro.", Default: "Predeterminado", Dark: "Oscuro",
	OnLight: "Sobre fondo claro", OnDark: "Sobre fondo oscuro", SVGFile: "Archivo SVG", SVGSource: "Código SVG",
	Variables: "Variables", NoVariables: "No hay nada que rellenar.", Text: "texto", Select: "selección",
	Inherited: "de la categoría", Only: "solo para",
	Subchains: "Se coloca con", SubchainsLead: "Partes de un documento que van juntas.",
	Sources: "Fuentes", Languages: "En todos los idiomas", History: "Versiones", HistoryLead: "En qué versiones existe y cuándo cambió.",
	First: "Primera versión", Unchanged: "Sin cambios", Removed: "Eliminado", Absent: "No está", Compare: "Qué cambió",
	Rules: "Reglas", RuleRequired: "Un documento debe colocar un elemento de esta categoría.", RuleOptional: "Un documento puede prescindir de esta categoría.",
	RuleMin: counted{"Debe colocarse al menos %s elemento.", "Deben colocarse al menos %s elementos."}, RuleMax: counted{"Puede colocarse como máximo %s elemento.", "Pueden colocarse como máximo %s elementos."},
	RuleContext: "Cada colocación debe elegir un contexto.",
	Contexts:    "Contextos", NoContexts: "Los elementos de esta categoría no tienen contexto.", Color: "Color", Contrast: "Contraste del símbolo", Tag: "Etiqueta sin color",
	Deprecated: "Este elemento está obsoleto: los documentos nuevos no deberían colocarlo.", Instead: "En su lugar", Examples: "Ejemplos",
	Formerly: "antes", Licence: "Licencia", Notes: "Novedades",
	Elements: "Elementos", Shape: "Forma", Circle: "círculo", Hexagon: "hexágono", Octagon: "octógono", Square: "cuadrado redondeado",
}

// playWords are the words of the playground.
type playWords struct {
	Title, Lead                              string
	Document, Check, Open, Save, Share, Link string
	Samples, New, Recent, RecentLead, Forget string
	Sent, Unsent, UnsentLocal, Live, Paused  string
	Failed, Dropped                          string
	LinkCopied, LinkLong, LinkBroken         string
	Valid, Invalid, Resolved                 string
	Errors, Warnings, Fixed, FixAll, More    counted
	Place, Excerpt, Hint, Fix                string
	Page, PageTab, PageLarge, Resolve        string
	// Editor are the words of the editor, by what they are in English.
	Editor map[string]string
}

var playEN = playWords{
	Title: "Check a document", Lead: "Paste a datachain, thin or resolved. You see every problem with its place, fix what can be fixed, and get the page that people will read.",
	Document: "Your datachain", Check: "Check", Open: "Open a file", Save: "Save as file", Share: "Copy a link", Link: "The document is in this link:",
	Samples: "Start from an example", New: "Start from scratch",
	Recent: "Recent documents", RecentLead: "Kept in this browser only; nobody else can see them.", Forget: "Forget all of them",
	Sent:        "The document is sent to this server to be checked. It is not stored.",
	Unsent:      "This document came with the link and has not been sent anywhere. Press Check to send it to this server, which does not store it.",
	UnsentLocal: "The document is checked in this browser and sent nowhere, unless you press a button.",
	Live:        "Checked while you type: the document is sent to this server, which does not store it.",
	Paused:      "Checking while you type is paused, because there were many checks. Press Check, or go on in a minute.",
	Failed:      "The document could not be checked. Try again in a moment.",
	Dropped:     "The file was opened.",
	LinkCopied:  "The link was copied. Whoever opens it sees the document; no server does.",
	LinkLong:    "The document is too large for a link. Save it as a file instead.", LinkBroken: "The document in the link can't be read. The link may be incomplete.",
	Valid: "The document is valid", Invalid: "The document has problems", Resolved: "Resolved",
	Errors: counted{"%s error", "%s errors"}, Warnings: counted{"%s warning", "%s warnings"},
	Fixed: counted{"%s finding fixed", "%s findings fixed"}, FixAll: counted{"Fix %s finding", "Fix %s findings"},
	More:  counted{"There is %s more finding. Fix these first.", "There are %s more findings. Fix these first."},
	Place: "Line %s, column %s", Excerpt: "Excerpt", Hint: "Hint", Fix: "Fix this",
	Page: "The page", PageTab: "Open in a new tab", PageLarge: "The page is too large to be shown here.", Resolve: "Save the resolved form",
	Editor: map[string]string{
		"Loading…": "Loading…", "Type or paste a document": "Type or paste a document",
		"No problems": "No problems", "error": "error", "errors": "errors",
		"warning": "warning", "warnings": "warnings", "Problems": "Problems", "Format": "Format",
		"Diagnostics": "Diagnostics", "No diagnostics": "No diagnostics", "Completions": "Completions", "close": "close",
		"Find": "Find", "Replace": "Replace", "next": "next", "previous": "previous",
		"all": "all", "match case": "match case", "regexp": "regexp", "by word": "by word",
		"replace": "replace", "replace all": "replace all", "Fold line": "Fold line", "Unfold line": "Unfold line",
		"Go to line": "Go to line", "go": "go",
	},
}

var playFR = playWords{
	Title: "Vérifier un document", Lead: "Collez une datachain, simple ou résolue. Vous voyez chaque problème à sa place, corrigez ce qui peut l’être et obtenez la page que les gens liront.",
	Document: "Votre datachain", Check: "Vérifier", Open: "Ouvrir un fichier", Save: "Enregistrer", Share: "Copier un lien", Link: "Le document est dans ce lien\u00A0:",
	Samples: "Partir d’un exemple", New: "Partir de zéro",
	Recent: "Documents récents", RecentLead: "Conservés dans ce navigateur seulement\u00A0; personne d’autre ne peut les voir.", Forget: "Tout oublier",
	Sent:        "Le document est envoyé à ce serveur pour être vérifié. Il n’est pas conservé.",
	Unsent:      "Ce document se trouvait dans le lien et n’a été envoyé nulle part. Appuyez sur Vérifier pour l’envoyer à ce serveur, qui ne le conserve pas.",
	UnsentLocal: "Le document est vérifié dans ce navigateur et n’est envoyé nulle part, sauf si vous appuyez sur un bouton.",
	Live:        "Vérifié pendant la saisie\u00A0: le document est envoyé à ce serveur, qui ne le conserve pas.",
	Paused:      "La vérification pendant la saisie est suspendue après de nombreuses vérifications. Appuyez sur Vérifier, ou continuez dans une minute.",
	Failed:      "Le document n’a pas pu être vérifié. Réessayez dans un instant.",
	Dropped:     "Le fichier a été ouvert.",
	LinkCopied:  "Le lien a été copié. Qui l’ouvre voit le document\u00A0; aucun serveur ne le voit.",
	LinkLong:    "Le document est trop volumineux pour un lien. Enregistrez-le plutôt dans un fichier.", LinkBroken: "Le document du lien est illisible. Le lien est peut-être incomplet.",
	Valid: "Le document est valide", Invalid: "Le document a des problèmes", Resolved: "Résolu",
	Errors: counted{"%s erreur", "%s erreurs"}, Warnings: counted{"%s avertissement", "%s avertissements"},
	Fixed: counted{"%s constat corrigé", "%s constats corrigés"}, FixAll: counted{"Corriger %s constat", "Corriger %s constats"},
	More:  counted{"Il reste %s constat. Corrigez d’abord ceux-ci.", "Il reste %s constats. Corrigez d’abord ceux-ci."},
	Place: "Ligne %s, colonne %s", Excerpt: "Extrait", Hint: "Conseil", Fix: "Corriger",
	Page: "La page", PageTab: "Ouvrir dans un nouvel onglet", PageLarge: "La page est trop volumineuse pour être montrée ici.", Resolve: "Enregistrer la forme résolue",
	Editor: map[string]string{
		"Loading…": "Chargement…", "Type or paste a document": "Saisissez ou collez un document",
		"No problems": "Aucun problème", "error": "erreur", "errors": "erreurs",
		"warning": "avertissement", "warnings": "avertissements", "Problems": "Problèmes", "Format": "Mettre en forme",
		"Diagnostics": "Constats", "No diagnostics": "Aucun constat", "Completions": "Propositions", "close": "fermer",
		"Find": "Rechercher", "Replace": "Remplacer", "next": "suivant", "previous": "précédent",
		"all": "tout", "match case": "respecter la casse", "regexp": "expression régulière", "by word": "mot entier",
		"replace": "remplacer", "replace all": "tout remplacer", "Fold line": "Replier", "Unfold line": "Déplier",
		"Go to line": "Aller à la ligne", "go": "aller",
	},
}

var playES = playWords{
	Title: "Comprobar un documento", Lead: "Pegue una datachain, simple o resuelta. Verá cada problema en su lugar, podrá corregir lo corregible y obtendrá la página que la gente leerá.",
	Document: "Su datachain", Check: "Comprobar", Open: "Abrir un archivo", Save: "Guardar como archivo", Share: "Copiar un enlace", Link: "El documento está en este enlace:",
	Samples: "Empezar con un ejemplo", New: "Empezar desde cero",
	Recent: "Documentos recientes", RecentLead: "Se guardan solo en este navegador; nadie más puede verlos.", Forget: "Olvidarlos todos",
	Sent:        "El documento se envía a este servidor para comprobarlo. No se guarda.",
	Unsent:      "Este documento venía en el enlace y no se ha enviado a ninguna parte. Pulse Comprobar para enviarlo a este servidor, que no lo guarda.",
	UnsentLocal: "El documento se comprueba en este navegador y no se envía a ninguna parte, salvo que pulse un botón.",
	Live:        "Se comprueba mientras escribe: el documento se envía a este servidor, que no lo guarda.",
	Paused:      "La comprobación mientras escribe está en pausa, porque hubo muchas. Pulse Comprobar, o siga dentro de un minuto.",
	Failed:      "No se pudo comprobar el documento. Inténtelo de nuevo en un momento.",
	Dropped:     "Se abrió el archivo.",
	LinkCopied:  "Se copió el enlace. Quien lo abra verá el documento; ningún servidor lo ve.",
	LinkLong:    "El documento es demasiado grande para un enlace. Guárdelo como archivo.", LinkBroken: "No se puede leer el documento del enlace. Quizá el enlace esté incompleto.",
	Valid: "El documento es válido", Invalid: "El documento tiene problemas", Resolved: "Resuelto",
	Errors: counted{"%s error", "%s errores"}, Warnings: counted{"%s advertencia", "%s advertencias"},
	Fixed: counted{"%s hallazgo corregido", "%s hallazgos corregidos"}, FixAll: counted{"Corregir %s hallazgo", "Corregir %s hallazgos"},
	More:  counted{"Hay %s hallazgo más. Corrija primero estos.", "Hay %s hallazgos más. Corrija primero estos."},
	Place: "Línea %s, columna %s", Excerpt: "Extracto", Hint: "Consejo", Fix: "Corregir",
	Page: "La página", PageTab: "Abrir en una pestaña nueva", PageLarge: "La página es demasiado grande para mostrarla aquí.", Resolve: "Guardar la forma resuelta",
	Editor: map[string]string{
		"Loading…": "Cargando…", "Type or paste a document": "Escriba o pegue un documento",
		"No problems": "Sin problemas", "error": "error", "errors": "errores",
		"warning": "advertencia", "warnings": "advertencias", "Problems": "Problemas", "Format": "Dar formato",
		"Diagnostics": "Hallazgos", "No diagnostics": "Sin hallazgos", "Completions": "Sugerencias", "close": "cerrar",
		"Find": "Buscar", "Replace": "Reemplazar", "next": "siguiente", "previous": "anterior",
		"all": "todo", "match case": "distinguir mayúsculas", "regexp": "expresión regular", "by word": "palabra completa",
		"replace": "reemplazar", "replace all": "reemplazar todo", "Fold line": "Plegar", "Unfold line": "Desplegar",
		"Go to line": "Ir a la línea", "go": "ir",
	},
}
