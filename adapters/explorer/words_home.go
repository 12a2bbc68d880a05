package explorer

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
	Lead:        "Browse the elements that describe systems to the people they affect: what they mean, how they look and how to use them.",
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
	Lead:        "Parcourez les éléments qui décrivent des systèmes aux personnes concernées : leur sens, leur aspect et leur emploi.",
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
	Lead:        "Explore los elementos que describen sistemas a las personas afectadas: qué significan, cómo se ven y cómo se usan.",
	SearchLabel: "Buscar en todas las taxonomías", SearchHint: "Por ejemplo: cámara, decisiones, cuánto tiempo",
	Published: "Taxonomías publicadas", Released: "Publicada el %s", Other: "Otras versiones",
	AllResults: "Los %s resultados",
	Check:      "Comprobar un documento", CheckLead: "Pegue una datachain para ver qué falta, corregirla y previsualizar la página que la gente leerá.",
	Programs: "Para programas", ProgramsLead: "Todo lo que muestran estas páginas existe en JSON y SVG, y para asistentes de IA.",
	Nothing: "Aún no hay nada publicado", NothingLead: "Este servidor funciona, pero no tiene ninguna taxonomía que mostrar. Publique una de estas maneras y vuelva a cargar la página.",
	NothingSource: "Empiece una taxonomía y sírvala mientras la edita", NothingStore: "Publique una versión en un almacén y sírvalo",
	Unreadable: "Esta versión no se puede leer en este momento.",
}
