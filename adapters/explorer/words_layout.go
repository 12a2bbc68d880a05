package explorer

// layoutWords are the words around every page.
type layoutWords struct {
	Site, Skip                              string
	Navigation, Taxonomies, Compare, Check  string
	Codes, Docs, Documents                  string
	Language, Version, Versions             string
	Search, SearchHint, Palette, Close      string
	PaletteKeys, NothingFound               string
	SearchLoading, SearchFailed             string
	Copy, Copied                            string
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
	Copy: "Copy", Copied: "Copied",
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
	Copy: "Copier", Copied: "Copié",
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
	Copy: "Copiar", Copied: "Copiado",
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
