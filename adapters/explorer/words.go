package explorer

import (
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// words are the fixed texts of the pages in one language. Each page has its own part, in
// a file of its own.
type words struct {
	Lang  string // the language
	Colon string // between a name and its value

	toolWords

	Layout   layoutWords
	Errors   errorWords
	Home     homeWords
	Catalog  catalogWords
	Print    printWords
	Element  elementWords
	Register registerWords
}

// dictionary has the words in all languages, English first.
var dictionary = []words{
	{
		Lang: "en", Colon: ":", toolWords: toolsEN,
		Layout: layoutEN, Errors: errorsEN, Home: homeEN, Catalog: catalogEN, Element: elementEN, Print: printEN, Register: registerEN,
	},
	{
		Lang: "fr", Colon: "\u00A0:", toolWords: toolsFR,
		Layout: layoutFR, Errors: errorsFR, Home: homeFR, Catalog: catalogFR, Element: elementFR, Print: printFR, Register: registerFR,
	},
	{
		Lang: "es", Colon: ":", toolWords: toolsES,
		Layout: layoutES, Errors: errorsES, Home: homeES, Catalog: catalogES, Element: elementES, Print: printES, Register: registerES,
	},
}

// ownLocales are the languages of the words.
func ownLocales() []string {
	list := make([]string, len(dictionary))
	for i := range dictionary {
		list[i] = dictionary[i].Lang
	}
	return list
}

// wordsFor returns the words for a page in a language, which are English if they are not
// translated.
func wordsFor(locale string) *words {
	for i := range dictionary {
		if texts.Same(dictionary[i].Lang, locale) {
			return &dictionary[i]
		}
	}
	return &dictionary[0]
}

// counted is a noun with its number: the singular and the plural, with %s for the number.
type counted struct{ One, Other string }

// Count writes a number of things.
func (w *words) Count(c counted, n int) string {
	form := c.Other
	if n == 1 || n == 0 && w.Lang == "fr" {
		form = c.One
	}
	return strings.Replace(form, "%s", w.Number(n), 1)
}

// Number writes a number with separators.
func (w *words) Number(n int) string {
	s := strconv.Itoa(n)
	separator := ","
	switch {
	case w.Lang == "fr":
		separator = "\u202F"
	case w.Lang == "es":
		separator = "\u00A0"
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + separator + s[i:]
	}
	return s
}

// Size writes a number of bytes.
func (w *words) Size(n int64) string {
	switch {
	case n%(1<<20) == 0:
		return w.Count(w.Layout.Mebibytes, int(n>>20))
	case n%(1<<10) == 0:
		return w.Count(w.Layout.Kibibytes, int(n>>10))
	}
	return w.Count(w.Layout.Bytes, int(n))
}

// Day writes a date, or returns it as it is if it is not valid.
func (w *words) Day(date string) string {
	if day, ok := texts.Day(w.Lang, date); ok {
		return day
	}
	return date
}

// FillHTML puts texts in place of each %s of a sentence.
func (w *words) FillHTML(sentence string, values ...template.HTML) template.HTML {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return template.HTML(w.Fill(template.HTMLEscapeString(sentence), list...)) //nolint:gosec // escaped
}

// Fill puts values in place of each %s of a sentence.
func (w *words) Fill(sentence string, values ...string) string {
	var b strings.Builder
	for _, v := range values {
		before, after, ok := strings.Cut(sentence, "%s")
		if !ok {
			break
		}
		b.WriteString(before + v)
		sentence = after
	}
	return b.String() + sentence
}

// layoutWords are the words around every page.
type layoutWords struct {
	Site, Skip                              string
	Navigation, Taxonomies, Compare, Check  string
	Codes, Docs, Documents                  string
	Language, Version, Versions             string
	Search, SearchHint, Palette, Close      string
	PaletteKeys, NothingFound               string
	SearchLoading, SearchFailed             string
	Copy, Copied, CopyPNG, CopySVG          string
	AsJSON, API, MCP, Download              string
	About, AboutSite                        string
	Stable, Beta, Deprecated                string
	Latest                                  string
	Previous, Next, Pages, NoPage           string
	Elements, Categories, Languages, Found  counted
	New, Changed, Required, Optional, Colon string
	OpensElsewhere                          string
	Bytes, Kibibytes, Mebibytes             counted
}

var layoutEN = layoutWords{
	Site: "Datachain explorer", Skip: "Skip to content",
	Navigation: "Main", Taxonomies: "Taxonomies", Compare: "Compare", Check: "Check a document",
	Codes: "Codes", Docs: "Documentation", Documents: "Documents",
	Language: "Language", Version: "Version", Versions: "Versions",
	Search: "Search", SearchHint: "Search elements", Palette: "Find anything", Close: "Close",
	PaletteKeys: "Use the arrow keys to choose and Enter to open.", NothingFound: "Nothing found. Try another word, or fewer.",
	SearchLoading: "Loading the search…", SearchFailed: "The search could not be loaded. Try again in a moment.",
	Copy: "Copy", Copied: "Copied", CopyPNG: "Copy as PNG", CopySVG: "Copy as SVG",
	AsJSON: "This page as JSON", API: "REST API", MCP: "MCP", Download: "Download as JSON", About: "This page is part of the datachain server.",
	AboutSite: "This page is part of a site made with datachain.",
	Stable:    "Stable", Beta: "Beta", Deprecated: "Deprecated", Latest: "latest",
	Previous: "Previous", Next: "Next", Pages: "Pages", NoPage: "There is no page “%s”. This is page %s of %s.",
	Elements: counted{"%s element", "%s elements"}, Categories: counted{"%s category", "%s categories"},
	Languages: counted{"%s language", "%s languages"}, Found: counted{"%s result", "%s results"},
	New: "New", Changed: "Changed", Required: "Required", Optional: "Optional", Colon: ":",
	OpensElsewhere: "leads to another site",
	Bytes:          counted{"%s byte", "%s bytes"}, Kibibytes: counted{"%s KiB", "%s KiB"}, Mebibytes: counted{"%s MiB", "%s MiB"},
}

var layoutFR = layoutWords{
	Site: "Explorateur Datachain", Skip: "Aller au contenu",
	Navigation: "Principale", Taxonomies: "Taxonomies", Compare: "Comparer", Check: "Vérifier un document",
	Codes: "Codes", Docs: "Documentation", Documents: "Documents",
	Language: "Langue", Version: "Version", Versions: "Versions",
	Search: "Rechercher", SearchHint: "Rechercher des éléments", Palette: "Tout rechercher", Close: "Fermer",
	PaletteKeys: "Choisissez avec les flèches, ouvrez avec Entrée.", NothingFound: "Aucun résultat. Essayez un autre mot, ou moins de mots.",
	SearchLoading: "Chargement de la recherche…", SearchFailed: "La recherche n’a pas pu être chargée. Réessayez dans un instant.",
	Copy: "Copier", Copied: "Copié", CopyPNG: "Copier en PNG", CopySVG: "Copier en SVG",
	AsJSON: "Cette page en JSON", API: "API REST", MCP: "MCP", Download: "Télécharger en JSON", About: "Cette page fait partie du serveur datachain.",
	AboutSite: "Cette page fait partie d’un site fait avec datachain.",
	Stable:    "Stable", Beta: "Bêta", Deprecated: "Obsolète", Latest: "dernière",
	Previous: "Précédent", Next: "Suivant", Pages: "Pages", NoPage: "La page «\u00A0%s\u00A0» n’existe pas. Voici la page %s sur %s.",
	Elements: counted{"%s élément", "%s éléments"}, Categories: counted{"%s catégorie", "%s catégories"},
	Languages: counted{"%s langue", "%s langues"}, Found: counted{"%s résultat", "%s résultats"},
	New: "Nouveau", Changed: "Modifié", Required: "Obligatoire", Optional: "Facultatif", Colon: "\u00A0:",
	OpensElsewhere: "mène à un autre site",
	Bytes:          counted{"%s octet", "%s octets"}, Kibibytes: counted{"%s\u00A0Kio", "%s\u00A0Kio"}, Mebibytes: counted{"%s\u00A0Mio", "%s\u00A0Mio"},
}

var layoutES = layoutWords{
	Site: "Explorador Datachain", Skip: "Ir al contenido",
	Navigation: "Principal", Taxonomies: "Taxonomías", Compare: "Comparar", Check: "Comprobar un documento",
	Codes: "Códigos", Docs: "Documentación", Documents: "Documentos",
	Language: "Idioma", Version: "Versión", Versions: "Versiones",
	Search: "Buscar", SearchHint: "Buscar elementos", Palette: "Buscar en todo", Close: "Cerrar",
	PaletteKeys: "Elija con las flechas y abra con Intro.", NothingFound: "No hay resultados. Pruebe con otra palabra, o con menos.",
	SearchLoading: "Cargando la búsqueda…", SearchFailed: "No se pudo cargar la búsqueda. Inténtelo de nuevo en un momento.",
	Copy: "Copiar", Copied: "Copiado", CopyPNG: "Copiar como PNG", CopySVG: "Copiar como SVG",
	AsJSON: "Esta página en JSON", API: "API REST", MCP: "MCP", Download: "Descargar en JSON", About: "Esta página forma parte del servidor datachain.",
	AboutSite: "Esta página forma parte de un sitio hecho con datachain.",
	Stable:    "Estable", Beta: "Beta", Deprecated: "Obsoleto", Latest: "última",
	Previous: "Anterior", Next: "Siguiente", Pages: "Páginas", NoPage: "No existe la página «%s». Esta es la página %s de %s.",
	Elements: counted{"%s elemento", "%s elementos"}, Categories: counted{"%s categoría", "%s categorías"},
	Languages: counted{"%s idioma", "%s idiomas"}, Found: counted{"%s resultado", "%s resultados"},
	New: "Nuevo", Changed: "Modificado", Required: "Obligatorio", Optional: "Opcional", Colon: ":",
	OpensElsewhere: "lleva a otro sitio",
	Bytes:          counted{"%s byte", "%s bytes"}, Kibibytes: counted{"%s\u00A0KiB", "%s\u00A0KiB"}, Mebibytes: counted{"%s\u00A0MiB", "%s\u00A0MiB"},
}

// homeWords are the words of the start page.
type homeWords struct {
	Title, Lead                 string
	SearchLabel, SearchHint     string
	Published, Released, Other  string
	AllResults                  string
	Check, CheckLead            string
	Programs, ProgramsLead      string
	Nothing, NothingLead        string
	NothingSource, NothingStore string
	Unreadable                  string
}

var homeEN = homeWords{
	Title:       "Taxonomies for transparent systems",
	Lead:        "A datachain explains a system, such as an AI service or a street camera, to the people it affects: what it is for, which data it uses, who answers for it and what they can do. It is made of elements of a taxonomy, each with an icon, so that all systems are explained alike.",
	SearchLabel: "Search all taxonomies", SearchHint: "For example: camera, decisions, how long",
	Published: "Published taxonomies", Released: "Released %s", Other: "Other versions",
	AllResults: "All %s results",
	Check:      "Check a document", CheckLead: "Paste a datachain to see what is missing, fix it and preview the page that people will read.",
	Programs: "For programs", ProgramsLead: "Everything on these pages is available as JSON and SVG, and to AI assistants.",
	Nothing: "Nothing is published yet", NothingLead: "This server works, but has no taxonomy to show. Publish one in one of these ways, then load this page again.",
	NothingSource: "Begin a taxonomy, and serve it while you edit it", NothingStore: "Publish a version into a store, and serve that",
	Unreadable: "This version can't be read at the moment.",
}

var homeFR = homeWords{
	Title:       "Des taxonomies pour des systèmes transparents",
	Lead:        "Une datachain explique un système, comme un service d’IA ou une caméra de rue, aux personnes concernées : à quoi il sert, quelles données il utilise, qui en répond et ce qu’elles peuvent faire. Elle se compose d’éléments d’une taxonomie, chacun avec une icône, pour que tous les systèmes soient expliqués de la même façon.",
	SearchLabel: "Rechercher dans toutes les taxonomies", SearchHint: "Par exemple : caméra, décisions, durée",
	Published: "Taxonomies publiées", Released: "Publiée le %s", Other: "Autres versions",
	AllResults: "Les %s résultats",
	Check:      "Vérifier un document", CheckLead: "Collez une datachain pour voir ce qui manque, la corriger et prévisualiser la page que les gens liront.",
	Programs: "Pour les programmes", ProgramsLead: "Tout ce que montrent ces pages existe en JSON et en SVG, et pour les assistants d’IA.",
	Nothing: "Rien n’est encore publié", NothingLead: "Ce serveur fonctionne, mais n’a aucune taxonomie à montrer. Publiez-en une de l’une de ces façons, puis rechargez la page.",
	NothingSource: "Commencez une taxonomie et servez-la pendant que vous l’écrivez", NothingStore: "Publiez une version dans un dépôt et servez celui-ci",
	Unreadable: "Cette version est illisible pour le moment.",
}

var homeES = homeWords{
	Title:       "Taxonomías para sistemas transparentes",
	Lead:        "Una datachain explica un sistema, como un servicio de IA o una cámara en la calle, a las personas afectadas: para qué sirve, qué datos usa, quién responde de él y qué pueden hacer. Se compone de elementos de una taxonomía, cada uno con un icono, para que todos los sistemas se expliquen igual.",
	SearchLabel: "Buscar en todas las taxonomías", SearchHint: "Por ejemplo: cámara, decisiones, cuánto tiempo",
	Published: "Taxonomías publicadas", Released: "Publicada el %s", Other: "Otras versiones",
	AllResults: "Los %s resultados",
	Check:      "Comprobar un documento", CheckLead: "Pegue una datachain para ver qué falta, corregirla y previsualizar la página que la gente leerá.",
	Programs: "Para programas", ProgramsLead: "Todo lo que muestran estas páginas existe en JSON y SVG, y para asistentes de IA.",
	Nothing: "Aún no hay nada publicado", NothingLead: "Este servidor funciona, pero no tiene ninguna taxonomía que mostrar. Publique una de estas maneras y vuelva a cargar la página.",
	NothingSource: "Empiece una taxonomía y sírvala mientras la edita", NothingStore: "Publique una versión en un almacén y sírvalo",
	Unreadable: "Esta versión no se puede leer en este momento.",
}

// catalogWords are the words of a catalog.
type catalogWords struct {
	Contents, SearchLabel, SearchHint string
	Category, AllCategories, Clear    string
	Since, Compare, Beta, BetaStable  string
	All                               string
	Contexts                          counted
	KindElement, KindCategory         string
	KindCode, KindPage, Cite          string
	AsIcons                           string
}

var catalogEN = catalogWords{
	AsIcons:  "Icons only",
	Contents: "Categories", SearchLabel: "Search the elements", SearchHint: "A word, a question or an id",
	Category: "Category", AllCategories: "All categories", Clear: "Show all categories",
	Since: "Since the stable version of %s: %s new, %s changed, %s removed.", Compare: "Compare the two versions",
	Beta: "This is a beta version. It can change at any time, so do not rely on it for published documents.", BetaStable: "The newest stable version is",
	All: "All %s elements of “%s”", Contexts: counted{"%s context", "%s contexts"},
	KindElement: "Elements", KindCategory: "Categories", KindCode: "Codes", KindPage: "Pages", Cite: "Cite this version",
}

var catalogFR = catalogWords{
	AsIcons:  "Icônes seules",
	Contents: "Catégories", SearchLabel: "Rechercher dans les éléments", SearchHint: "Un mot, une question ou un identifiant",
	Category: "Catégorie", AllCategories: "Toutes les catégories", Clear: "Afficher toutes les catégories",
	Since: "Depuis la version stable du %s : %s nouveaux, %s modifiés, %s supprimés.", Compare: "Comparer les deux versions",
	Beta: "Ceci est une version bêta. Elle peut changer à tout moment : ne l’utilisez pas pour des documents publiés.", BetaStable: "La version stable la plus récente est",
	All: "Les %s éléments de « %s »", Contexts: counted{"%s contexte", "%s contextes"},
	KindElement: "Éléments", KindCategory: "Catégories", KindCode: "Codes", KindPage: "Pages", Cite: "Citer cette version",
}

var catalogES = catalogWords{
	AsIcons:  "Solo iconos",
	Contents: "Categorías", SearchLabel: "Buscar en los elementos", SearchHint: "Una palabra, una pregunta o un identificador",
	Category: "Categoría", AllCategories: "Todas las categorías", Clear: "Mostrar todas las categorías",
	Since: "Desde la versión estable del %s: %s nuevos, %s modificados, %s eliminados.", Compare: "Comparar las dos versiones",
	Beta: "Esta es una versión beta. Puede cambiar en cualquier momento: no la use para documentos publicados.", BetaStable: "La versión estable más reciente es",
	All: "Los %s elementos de «%s»", Contexts: counted{"%s contexto", "%s contextos"},
	KindElement: "Elementos", KindCategory: "Categorías", KindCode: "Códigos", KindPage: "Páginas", Cite: "Citar esta versión",
}

// errorWords are the words of pages that say what went wrong.
type errorWords struct {
	NotFound, NotFoundAdvice string
	Wrong, WrongAdvice       string
	Limit, LimitAdvice       string
	Failed, FailedAdvice     string
	Unread, UnreadAdvice     string
	TooLarge, TooLargeAdvice string
	Meant, Details, Start    string
	Gone, Instead            string
}

// of returns the title and the advice for a failure. A balancer that tries another server
// does so by the status, so the code says more about the cause.
func (w *errorWords) of(status int, code issue.Code) (title, advice string) {
	switch {
	case code == issue.CodeRateLimited || code == issue.CodeOverloaded:
		return w.Limit, w.LimitAdvice
	case code == issue.CodeUpstreamError || status == http.StatusServiceUnavailable:
		return w.Unread, w.UnreadAdvice
	case code == issue.CodePayloadTooLarge:
		return w.TooLarge, w.TooLargeAdvice
	case status == http.StatusNotFound:
		return w.NotFound, w.NotFoundAdvice
	case status < http.StatusInternalServerError:
		return w.Wrong, w.WrongAdvice
	}
	return w.Failed, w.FailedAdvice
}

// tooLarge says that a document is too large, in one line.
func (w *words) tooLarge(limit int64) string {
	return w.Errors.TooLarge + ". " + w.Fill(w.Errors.TooLargeAdvice, w.Size(limit))
}

var errorsEN = errorWords{
	NotFound: "Page not found", NotFoundAdvice: "Check the address, or start from what is published.",
	Wrong: "The address or the request is not valid", WrongAdvice: "Check the address, or start from what is published.",
	Limit: "Too many requests", LimitAdvice: "Wait a moment, then load the page again.",
	Failed: "The page could not be made", FailedAdvice: "Try again in a moment. If it keeps failing, tell the operator of this server.",
	Unread: "The taxonomy can't be read at the moment", UnreadAdvice: "Try again later. If it keeps failing, tell the operator of this server.",
	TooLarge: "The document is too large", TooLargeAdvice: "The limit is %s. Place fewer elements, or split it into several documents.",
	Meant: "Did you mean", Details: "Details", Start: "See what is published",
	Gone: "The element %s was removed in %s.", Instead: "Use instead",
}

var errorsFR = errorWords{
	NotFound: "Page introuvable", NotFoundAdvice: "Vérifiez l’adresse, ou partez de ce qui est publié.",
	Wrong: "L’adresse ou la requête n’est pas valide", WrongAdvice: "Vérifiez l’adresse, ou partez de ce qui est publié.",
	Limit: "Trop de requêtes", LimitAdvice: "Attendez un instant, puis rechargez la page.",
	Failed: "La page n’a pas pu être préparée", FailedAdvice: "Réessayez dans un instant. Si l’erreur persiste, prévenez l’exploitant de ce serveur.",
	Unread: "La taxonomie est illisible pour le moment", UnreadAdvice: "Réessayez plus tard. Si l’erreur persiste, prévenez l’exploitant de ce serveur.",
	TooLarge: "Le document est trop volumineux", TooLargeAdvice: "La limite est de %s. Placez moins d’éléments, ou répartissez-les sur plusieurs documents.",
	Meant: "Vouliez-vous dire", Details: "Détails", Start: "Voir ce qui est publié",
	Gone: "L’élément %s a été supprimé dans %s.", Instead: "À la place",
}

var errorsES = errorWords{
	NotFound: "Página no encontrada", NotFoundAdvice: "Compruebe la dirección, o empiece por lo que está publicado.",
	Wrong: "La dirección o la petición no es válida", WrongAdvice: "Compruebe la dirección, o empiece por lo que está publicado.",
	Limit: "Demasiadas peticiones", LimitAdvice: "Espere un momento y vuelva a cargar la página.",
	Failed: "No se pudo preparar la página", FailedAdvice: "Inténtelo de nuevo en un momento. Si sigue fallando, avise a quien administra este servidor.",
	Unread: "La taxonomía no se puede leer en este momento", UnreadAdvice: "Inténtelo más tarde. Si sigue fallando, avise a quien administra este servidor.",
	TooLarge: "El documento es demasiado grande", TooLargeAdvice: "El límite es de %s. Coloque menos elementos, o repártalos en varios documentos.",
	Meant: "Quizá quiso decir", Details: "Detalles", Start: "Ver lo que está publicado",
	Gone: "El elemento %s se eliminó en %s.", Instead: "En su lugar",
}

// codesWords are the words of the pages about codes, and of findings elsewhere.
type codesWords struct {
	Title, Lead                  string
	Filter, FilterHint           string
	Total                        counted
	Code, Meaning                string
	Severity, Error, Warning     string
	RaisedBy, HowTo              string
	Reported, Fixed, Nothing     string
	Sample, SampleLead, Terminal string
	All                          string
	// Groups are the names of what reports codes, as the registry has it.
	Groups map[string]string
}

// severity names a severity.
func (w *codesWords) severity(s issue.Severity) string {
	if s == issue.SeverityWarning {
		return w.Warning
	}
	return w.Error
}

// by names what reports a code.
func (w *codesWords) by(raisedBy string) string {
	if name := w.Groups[raisedBy]; name != "" {
		return name
	}
	return raisedBy
}

var codesEN = codesWords{
	Title: "Codes of findings", Lead: "Every finding has a code, which never changes its meaning. Here is what each one means and how to fix it.",
	Filter: "Filter", FilterHint: "For example: variable, locale", Total: counted{"%s code", "%s codes"},
	Code: "Code", Meaning: "Meaning", Severity: "Severity", Error: "Error", Warning: "Warning",
	RaisedBy: "Reported by", HowTo: "How to fix it", Reported: "Reported", Fixed: "Fixed",
	Nothing: "No code matches. Try another word.",
	Sample:  "Open a document with this finding", SampleLead: "Fix it yourself:", Terminal: "On the command line", All: "All codes",
	Groups: map[string]string{
		"schema lint": "Schema lint", "schema lint and validate": "Schema lint and validation", "live store": "Live schema source",
		"validate": "Validation of documents", "validate_resolved": "Validation of resolved documents", "validate in strict mode": "Strict validation",
		"service": "Requests to the service", "MCP tools": "MCP tools",
	},
}

var codesFR = codesWords{
	Title: "Codes des constats", Lead: "Chaque constat a un code, dont le sens ne change jamais. Voici, en anglais, ce que chacun signifie et comment le corriger.",
	Filter: "Filtrer", FilterHint: "Par exemple : variable, locale", Total: counted{"%s code", "%s codes"},
	Code: "Code", Meaning: "Signification", Severity: "Gravité", Error: "Erreur", Warning: "Avertissement",
	RaisedBy: "Signalé par", HowTo: "Comment corriger", Reported: "Signalé", Fixed: "Corrigé",
	Nothing: "Aucun code ne correspond. Essayez un autre mot.",
	Sample:  "Ouvrir un document avec ce constat", SampleLead: "Corrigez-le vous-même :", Terminal: "En ligne de commande", All: "Tous les codes",
	Groups: map[string]string{
		"schema lint": "Contrôle du schéma", "schema lint and validate": "Contrôle du schéma et validation", "live store": "Source de schéma en cours d’édition",
		"validate": "Validation des documents", "validate_resolved": "Validation des documents résolus", "validate in strict mode": "Validation stricte",
		"service": "Requêtes au service", "MCP tools": "Outils MCP",
	},
}

var codesES = codesWords{
	Title: "Códigos de los hallazgos", Lead: "Cada hallazgo tiene un código, cuyo significado nunca cambia. Aquí se explica, en inglés, qué significa cada uno y cómo corregirlo.",
	Filter: "Filtrar", FilterHint: "Por ejemplo: variable, locale", Total: counted{"%s código", "%s códigos"},
	Code: "Código", Meaning: "Significado", Severity: "Gravedad", Error: "Error", Warning: "Advertencia",
	RaisedBy: "Lo señala", HowTo: "Cómo corregirlo", Reported: "Señalado", Fixed: "Corregido",
	Nothing: "Ningún código coincide. Pruebe con otra palabra.",
	Sample:  "Abrir un documento con este hallazgo", SampleLead: "Corríjalo usted:", Terminal: "En la línea de órdenes", All: "Todos los códigos",
	Groups: map[string]string{
		"schema lint": "Revisión del esquema", "schema lint and validate": "Revisión del esquema y validación", "live store": "Fuente de esquema en edición",
		"validate": "Validación de documentos", "validate_resolved": "Validación de documentos resueltos", "validate in strict mode": "Validación estricta",
		"service": "Peticiones al servicio", "MCP tools": "Herramientas MCP",
	},
}

// docsWords are the words of the documentation.
type docsWords struct {
	Title, Lead                                 string
	REST, MCP, Codes                            string
	InEnglish, Specification                    string
	Parameters, Path, Query, Headers            string
	Body, Answers, Example                      string
	Try, Send, Answer, Sending, Failed          string
	AnswerHeaders                               string
	MCPLead, Connect, Tools, Prompts, Arguments string
	NoMCP, On                                   string
}

var docsEN = docsWords{
	Title: "Documentation", Lead: "Use the taxonomies from your own programs, and connect AI assistants.",
	REST: "REST API", MCP: "MCP: AI assistants", Codes: "Codes of findings",
	InEnglish: "Descriptions are in English.", Specification: "OpenAPI 3.1 description",
	Parameters: "Parameters", Path: "path", Query: "query", Headers: "Headers of every request",
	Body: "Request body", Answers: "Responses", Example: "Example of a response",
	AnswerHeaders: "Response headers",
	Try:           "Try it", Send: "Send", Answer: "Response", Sending: "Sending…", Failed: "The request failed.",
	MCPLead: "A language model can read the taxonomies, write a datachain, validate it and show it, over the Model Context Protocol.",
	Connect: "Connect", Tools: "Tools", Prompts: "Prompts", Arguments: "Arguments",
	NoMCP: "This server does not offer MCP.", On: "Goes into %s",
}

var docsFR = docsWords{
	Title: "Documentation", Lead: "Utilisez les taxonomies dans vos programmes et connectez des assistants d’IA.",
	REST: "API REST", MCP: "MCP\u00A0: assistants d’IA", Codes: "Codes des constats",
	InEnglish: "Les descriptions sont en anglais.", Specification: "Description OpenAPI 3.1",
	Parameters: "Paramètres", Path: "chemin", Query: "requête", Headers: "En-têtes de toute requête",
	Body: "Corps de la requête", Answers: "Réponses", Example: "Exemple de réponse",
	AnswerHeaders: "En-têtes de la réponse",
	Try:           "Essayer", Send: "Envoyer", Answer: "Réponse", Sending: "Envoi…", Failed: "La requête a échoué.",
	MCPLead: "Un modèle de langage peut lire les taxonomies, écrire une datachain, la valider et l’afficher, par le Model Context Protocol.",
	Connect: "Connecter", Tools: "Outils", Prompts: "Invites", Arguments: "Arguments",
	NoMCP: "Ce serveur n’offre pas MCP.", On: "À mettre dans %s",
}

var docsES = docsWords{
	Title: "Documentación", Lead: "Use las taxonomías en sus programas y conecte asistentes de IA.",
	REST: "API REST", MCP: "MCP: asistentes de IA", Codes: "Códigos de los hallazgos",
	InEnglish: "Las descripciones están en inglés.", Specification: "Descripción OpenAPI 3.1",
	Parameters: "Parámetros", Path: "ruta", Query: "consulta", Headers: "Cabeceras de toda petición",
	Body: "Cuerpo de la petición", Answers: "Respuestas", Example: "Ejemplo de respuesta",
	AnswerHeaders: "Cabeceras de la respuesta",
	Try:           "Probar", Send: "Enviar", Answer: "Respuesta", Sending: "Enviando…", Failed: "La petición falló.",
	MCPLead: "Un modelo de lenguaje puede leer las taxonomías, escribir una datachain, validarla y mostrarla, mediante el Model Context Protocol.",
	Connect: "Conectar", Tools: "Herramientas", Prompts: "Instrucciones", Arguments: "Argumentos",
	NoMCP: "Este servidor no ofrece MCP.", On: "Va en %s",
}

// printWords are the words of a taxonomy on paper.
type printWords struct {
	Title, Print, Hint, Paper   string
	Contents, Back              string
	Status, Date, Hash, Address string
	Languages                   string
	Context, ContextOptional    string
	RequiredValue               string
	TooLarge                    string
}

var printEN = printWords{
	Title: "%s, for print", Print: "Print", Hint: "Print this page, or save it as PDF, with your browser.", Paper: "Paper",
	Contents: "Contents", Back: "Back to the catalog",
	Status: "Status", Date: "Date", Hash: "Content hash", Address: "Address", Languages: "Languages",
	Context: "Context", ContextOptional: "optional",
	RequiredValue: "required",
	TooLarge:      "This taxonomy is too large to be printed at once. Print one category at a time:",
}

var printFR = printWords{
	Title: "%s, à imprimer", Print: "Imprimer", Hint: "Imprimez cette page, ou enregistrez-la en PDF, avec votre navigateur.", Paper: "Papier",
	Contents: "Sommaire", Back: "Retour au catalogue",
	Status: "Statut", Date: "Date", Hash: "Empreinte du contenu", Address: "Adresse", Languages: "Langues",
	Context: "Contexte", ContextOptional: "facultatif",
	RequiredValue: "obligatoire",
	TooLarge:      "Cette taxonomie est trop grande pour être imprimée en une fois. Imprimez une catégorie à la fois :",
}

var printES = printWords{
	Title: "%s, para imprimir", Print: "Imprimir", Hint: "Imprima esta página, o guárdela como PDF, con su navegador.", Paper: "Papel",
	Contents: "Índice", Back: "Volver al catálogo",
	Status: "Estado", Date: "Fecha", Hash: "Huella del contenido", Address: "Dirección", Languages: "Idiomas",
	Context: "Contexto", ContextOptional: "opcional",
	RequiredValue: "obligatoria",
	TooLarge:      "Esta taxonomía es demasiado grande para imprimirla de una vez. Imprima una categoría cada vez:",
}
