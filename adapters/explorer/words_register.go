package explorer

import "github.com/datachain-go/datachain/documents"

// registerWords are the words of the register of documents and of what is around each of
// them.
type registerWords struct {
	Title, Lead, SearchLabel, SearchHint     string
	Sort, Relevance, Change, ByTitle         string
	Filters, Type, Status, Organisation      string
	Theme, Data, Risk, Element, Place        string
	Remove, Clear, Nothing                   string
	Documents, Places, Retired               counted
	Statuses                                 map[documents.Status]string
	Updated, Formats, Map                    string
	NearMe, NearNote, NearFailed, Kilometres string
	Nearest                                  string
	Overdue                                  counted
	Unsaid, UnsaidOf                         string
	Publisher, Contact, Licence              string
	Accessibility, Register                  string
	Authored, Resolved, Linked, Markdown     string
	Since, Until, ReviewBy, Mobile           string
	Withheld, Address                        string
	Band                                     map[documents.Status]string
	ReviewOverdue, Unpublished               string
	History, HistoryLead, EditionOf          string
	Current, First, Same, Changes, NoChanges string
	OldEdition, ToCurrent, LastEdition       string
	Withdrawn, Gone, Erased, Reason, NoText  string
	SignSame, SignChanged, SignUnknown       string
	Added, Removed, Changed                  string
	Fields                                   map[string]string
	Board, BoardLead, Sign                   string
}

var registerEN = registerWords{
	Title: "Register", Lead: "What is in use, what it is for, which data it needs and who answers for it.",
	SearchLabel: "Search the register", SearchHint: "Titles, places, organisations, words",
	Sort: "Sort by", Relevance: "Relevance", Change: "Last change", ByTitle: "Title",
	Filters: "Filters", Type: "Type", Status: "Status", Organisation: "Organisation",
	Theme: "Theme", Data: "Data", Risk: "Risk", Element: "Element", Place: "Place",
	Remove: "Remove the filter %s", Clear: "Remove all filters", Nothing: "No document matches. Use fewer words or filters.",
	Documents: counted{"%s document", "%s documents"}, Places: counted{"%s place on a map", "%s places on a map"},
	Retired: counted{"%s is retired.", "%s are retired."},
	Statuses: map[documents.Status]string{
		documents.Planned: "Planned", documents.Trial: "On trial", documents.InUse: "In use", documents.Paused: "Paused", documents.Retired: "Retired",
	},
	Updated: "Changed on %s", Formats: "This list as", Map: "Places",
	NearMe: "Near me", NearNote: "Your position stays in your browser.", NearFailed: "Your browser did not give a position.", Kilometres: "%s km",
	Nearest: "Nearest to you",
	Overdue: counted{"%s review is overdue", "%s reviews are overdue"},
	Unsaid:  "Left unsaid most often", UnsaidOf: "%s of %s documents",
	Publisher: "Publisher", Contact: "Contact", Licence: "Licence", Accessibility: "Accessibility", Register: "Register",
	Authored: "As authored (JSON)", Resolved: "Resolved (JSON)", Linked: "Linked data (JSON-LD)", Markdown: "Markdown",
	Since: "Since", Until: "Until", ReviewBy: "Review by", Mobile: "moves about", Withheld: "Not published", Address: "Address",
	Band: map[documents.Status]string{
		documents.Planned: "This system is planned. It is not in use yet.", documents.Trial: "This system is on trial.",
		documents.InUse: "This system is in use.", documents.Paused: "This system is paused.", documents.Retired: "This system is retired. It is not in use any more.",
	},
	ReviewOverdue: "A review was due by %s.", Unpublished: "The version of its taxonomy is not published any more. It is shown as it was then.",
	History: "History", HistoryLead: "All editions of this document, the newest first, and what changed in each.", EditionOf: "Edition of %s",
	Current: "Current", First: "First edition", Same: "Nothing that is shown has changed.", Changes: "Changes", NoChanges: "The changes can't be told, because the edition before was erased.",
	OldEdition: "This is an earlier edition, of %s.", ToCurrent: "Go to the current edition", LastEdition: "This is the last edition, of %s.",
	Withdrawn: "This document was withdrawn on %s.", Gone: "This document is not published any more.", Erased: "This edition was erased on %s.", Reason: "Reason", NoText: "Its content was deleted.",
	SignSame: "Nothing has changed since %s, the date of the sign.", SignChanged: "Changed since %s, the date of the sign",
	SignUnknown: "The sign is dated %s. What was published then can't be compared any more.",
	Added:       "Added", Removed: "Removed", Changed: "Changed",
	Fields: map[string]string{
		"title": "title", "description": "description", "schema_version": "version of the taxonomy", "sources": "sources",
		"subchain_instances": "flows", "linked_instance_ids": "related documents", "context_type_id": "context", "label": "name",
		"citation": "citation", "actions": "ways to act", "register.status": "status", "register.since": "start",
		"register.until": "end", "register.review_by": "review", "register.places": "places", "register.organisation": "organisation",
		"register.themes": "themes", "register.withheld": "what is not published", "register.slug": "address",
	},
	Board: "Compare documents", BoardLead: "Two to six documents side by side. Differences are in bold.",
	Sign: "Sign to print",
}

var registerFR = registerWords{
	Title: "Registre", Lead: "Ce qui est utilisé, à quoi cela sert, quelles données il faut et qui en répond.",
	SearchLabel: "Rechercher dans le registre", SearchHint: "Titres, lieux, organismes, mots",
	Sort: "Trier par", Relevance: "Pertinence", Change: "Dernière modification", ByTitle: "Titre",
	Filters: "Filtres", Type: "Type", Status: "État", Organisation: "Organisme",
	Theme: "Thème", Data: "Données", Risk: "Risque", Element: "Élément", Place: "Lieu",
	Remove: "Retirer le filtre %s", Clear: "Retirer tous les filtres", Nothing: "Aucun document ne correspond. Utilisez moins de mots ou de filtres.",
	Documents: counted{"%s document", "%s documents"}, Places: counted{"%s lieu sur une carte", "%s lieux sur une carte"},
	Retired: counted{"%s n’est plus en service.", "%s ne sont plus en service."},
	Statuses: map[documents.Status]string{
		documents.Planned: "Prévu", documents.Trial: "À l’essai", documents.InUse: "En service", documents.Paused: "Suspendu", documents.Retired: "Hors service",
	},
	Updated: "Modifié le %s", Formats: "Cette liste en", Map: "Lieux",
	NearMe: "Près de moi", NearNote: "Votre position reste dans votre navigateur.", NearFailed: "Votre navigateur n’a pas donné de position.", Kilometres: "%s\u00A0km",
	Nearest: "Les plus proches",
	Overdue: counted{"%s révision est en retard", "%s révisions sont en retard"},
	Unsaid:  "Le plus souvent passé sous silence", UnsaidOf: "%s documents sur %s",
	Publisher: "Éditeur", Contact: "Contact", Licence: "Licence", Accessibility: "Accessibilité", Register: "Registre",
	Authored: "Original (JSON)", Resolved: "Résolu (JSON)", Linked: "Données liées (JSON-LD)", Markdown: "Markdown",
	Since: "Depuis", Until: "Jusqu’au", ReviewBy: "À réviser avant le", Mobile: "mobile", Withheld: "Non publié", Address: "Adresse",
	Band: map[documents.Status]string{
		documents.Planned: "Ce système est prévu. Il n’est pas encore en service.", documents.Trial: "Ce système est à l’essai.",
		documents.InUse: "Ce système est en service.", documents.Paused: "Ce système est suspendu.", documents.Retired: "Ce système est hors service.",
	},
	ReviewOverdue: "Une révision était prévue avant le %s.", Unpublished: "La version de sa taxonomie n’est plus publiée. Il est montré tel qu’il était alors.",
	History: "Historique", HistoryLead: "Toutes les éditions de ce document, la plus récente d’abord, et ce qui a changé dans chacune.", EditionOf: "Édition du %s",
	Current: "Actuelle", First: "Première édition", Same: "Rien de ce qui est montré n’a changé.", Changes: "Modifications", NoChanges: "Les modifications ne peuvent pas être indiquées, car l’édition précédente a été effacée.",
	OldEdition: "Ceci est une édition antérieure, du %s.", ToCurrent: "Aller à l’édition actuelle", LastEdition: "Ceci est la dernière édition, du %s.",
	Withdrawn: "Ce document a été retiré le %s.", Gone: "Ce document n’est plus publié.", Erased: "Cette édition a été effacée le %s.", Reason: "Motif", NoText: "Son contenu a été supprimé.",
	SignSame: "Rien n’a changé depuis le %s, date du panneau.", SignChanged: "Modifié depuis le %s, date du panneau",
	SignUnknown: "Le panneau date du %s. Ce qui était publié alors ne peut plus être comparé.",
	Added:       "Ajouté", Removed: "Retiré", Changed: "Modifié",
	Fields: map[string]string{
		"title": "titre", "description": "description", "schema_version": "version de la taxonomie", "sources": "sources",
		"subchain_instances": "flux", "linked_instance_ids": "documents liés", "context_type_id": "contexte", "label": "nom",
		"citation": "citation", "actions": "moyens d’agir", "register.status": "état", "register.since": "début",
		"register.until": "fin", "register.review_by": "révision", "register.places": "lieux", "register.organisation": "organisme",
		"register.themes": "thèmes", "register.withheld": "ce qui n’est pas publié", "register.slug": "adresse",
	},
	Board: "Comparer des documents", BoardLead: "De deux à six documents côte à côte. Les différences sont en gras.",
	Sign: "Panneau à imprimer",
}

var registerES = registerWords{
	Title: "Registro", Lead: "Qué se usa, para qué sirve, qué datos necesita y quién responde.",
	SearchLabel: "Buscar en el registro", SearchHint: "Títulos, lugares, organismos, palabras",
	Sort: "Ordenar por", Relevance: "Relevancia", Change: "Último cambio", ByTitle: "Título",
	Filters: "Filtros", Type: "Tipo", Status: "Estado", Organisation: "Organismo",
	Theme: "Tema", Data: "Datos", Risk: "Riesgo", Element: "Elemento", Place: "Lugar",
	Remove: "Quitar el filtro %s", Clear: "Quitar todos los filtros", Nothing: "Ningún documento coincide. Use menos palabras o filtros.",
	Documents: counted{"%s documento", "%s documentos"}, Places: counted{"%s lugar en un mapa", "%s lugares en un mapa"},
	Retired: counted{"%s está retirado.", "%s están retirados."},
	Statuses: map[documents.Status]string{
		documents.Planned: "Previsto", documents.Trial: "En prueba", documents.InUse: "En uso", documents.Paused: "En pausa", documents.Retired: "Retirado",
	},
	Updated: "Cambiado el %s", Formats: "Esta lista en", Map: "Lugares",
	NearMe: "Cerca de mí", NearNote: "Su posición no sale de su navegador.", NearFailed: "Su navegador no dio una posición.", Kilometres: "%s\u00A0km",
	Nearest: "Lo más cercano",
	Overdue: counted{"%s revisión está atrasada", "%s revisiones están atrasadas"},
	Unsaid:  "Lo que más a menudo no se dice", UnsaidOf: "%s de %s documentos",
	Publisher: "Editor", Contact: "Contacto", Licence: "Licencia", Accessibility: "Accesibilidad", Register: "Registro",
	Authored: "Original (JSON)", Resolved: "Resuelto (JSON)", Linked: "Datos enlazados (JSON-LD)", Markdown: "Markdown",
	Since: "Desde", Until: "Hasta", ReviewBy: "Revisión antes del", Mobile: "móvil", Withheld: "No publicado", Address: "Dirección",
	Band: map[documents.Status]string{
		documents.Planned: "Este sistema está previsto. Todavía no se usa.", documents.Trial: "Este sistema está en prueba.",
		documents.InUse: "Este sistema está en uso.", documents.Paused: "Este sistema está en pausa.", documents.Retired: "Este sistema está retirado. Ya no se usa.",
	},
	ReviewOverdue: "Había que revisarlo antes del %s.", Unpublished: "La versión de su taxonomía ya no está publicada. Se muestra como era entonces.",
	History: "Historial", HistoryLead: "Todas las ediciones de este documento, la más reciente primero, y qué cambió en cada una.", EditionOf: "Edición del %s",
	Current: "Actual", First: "Primera edición", Same: "Nada de lo que se muestra ha cambiado.", Changes: "Cambios", NoChanges: "No se pueden indicar los cambios, porque la edición anterior fue borrada.",
	OldEdition: "Esta es una edición anterior, del %s.", ToCurrent: "Ir a la edición actual", LastEdition: "Esta es la última edición, del %s.",
	Withdrawn: "Este documento fue retirado el %s.", Gone: "Este documento ya no está publicado.", Erased: "Esta edición fue borrada el %s.", Reason: "Motivo", NoText: "Su contenido fue eliminado.",
	SignSame: "Nada ha cambiado desde el %s, fecha del cartel.", SignChanged: "Cambiado desde el %s, fecha del cartel",
	SignUnknown: "El cartel es del %s. Lo que se publicó entonces ya no se puede comparar.",
	Added:       "Añadido", Removed: "Eliminado", Changed: "Cambiado",
	Fields: map[string]string{
		"title": "título", "description": "descripción", "schema_version": "versión de la taxonomía", "sources": "fuentes",
		"subchain_instances": "flujos", "linked_instance_ids": "documentos relacionados", "context_type_id": "contexto", "label": "nombre",
		"citation": "cita", "actions": "formas de actuar", "register.status": "estado", "register.since": "inicio",
		"register.until": "fin", "register.review_by": "revisión", "register.places": "lugares", "register.organisation": "organismo",
		"register.themes": "temas", "register.withheld": "lo que no se publica", "register.slug": "dirección",
	},
	Board: "Comparar documentos", BoardLead: "De dos a seis documentos lado a lado. Las diferencias están en negrita.",
	Sign: "Cartel para imprimir",
}
