package explorer

import "github.com/datachain-go/datachain/taxonomy"

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
	Missing: "To copy it, first fill in",
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
	Missing: "Pour le copier, remplissez d’abord",
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
	Missing: "Para copiarla, rellene primero",
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
