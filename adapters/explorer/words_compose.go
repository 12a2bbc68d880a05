package explorer

import "github.com/datachain-go/datachain/taxonomy/issue"

// composeWords are the words of the form that writes a document.
type composeWords struct {
	Title, Lead, Ask, AskHint, Choose, OtherVersions string
	Found, Samples, Begin, Name, NameNote            string
	Change, Languages, LanguagesNote, FormLanguage   string
	Unsent                                           string
	Sent, Update, Save, OpenFile, Open, Share, Page  string
	PageTab, Sign, JSON, Form                        string
	About, DocumentTitle, DocumentAbout, DocumentID  string
	DocumentIDNote, UpdatedAt, InstanceVersion       string
	AllLanguages, NotText, Rejected                  string
	Progress, Complete, Valid, Questions             string
	Problems                                         counted
	OtherProblems                                    string
	MoreProblems                                     counted
	Add, AddOther, AddTo, Full, Close, SearchIn      string
	MoreElements, NoElements, Placed, Examples, Help string
	Up, Down, Remove, Unknown, UnknownVariable       string
	Others, OthersLead, NotChosen, Hidden            string
	More, Label, InstanceID, Citation, Priority      string
	InSubchain, Sources, SourceTitle, SourceType     string
	SourceURL, Actions, ActionType, ActionLabel      string
	ActionTarget, Subchains, Subchain, SubchainID    string
	Heads, Order, Linked, Suggested, Symbol, AddItem string
	Rest, Register, RegisterLead, Status, Since      string
	Until, ReviewBy, Organisation, Unit              string
	OrganisationID, Slug, SlugNote, Places           string
	PlaceName, Address, Position, Mobile, Themes     string
	Theme, Withheld, What, Reason                    string
	Upgrade, UpgradeDo, Upgraded, Left               string
	Resolved, ResolvedDo, Broken, BrokenLead, Kept   string
	Describe                                         string
	ActionTypes, Statuses                            map[string]string
	// Findings are what to say about common findings instead of their messages.
	Findings map[issue.Code]string
}

var composeEN = composeWords{
	Unsent: "A document came with the link. It has not been sent anywhere yet. Press Open to send it to this server, which does not store it.",
	Title:  "Describe a system", Lead: "Answer questions about a system, and get its datachain, the page that people will read and a sign. You need not know JSON.",
	Ask: "What do you want to describe?", AskHint: "For example: camera, chat assistant, air quality", Choose: "Choose a taxonomy", OtherVersions: "Versions",
	Found: "It has, for example", Samples: "Start from an example", Begin: "Begin", Name: "What is it called?", NameNote: "As the people who meet it would say. You can change it later.",
	Change: "Choose another taxonomy", Languages: "Languages of the document", LanguagesNote: "Every text has a field for each of them.", FormLanguage: "Language of this form",
	Sent: "Each button sends the document to this server, which does not store it. Save it as a file when you are done.", Update: "Check", Save: "Save as file", OpenFile: "Open a file", Open: "Open",
	Share: "Copy a link", Page: "The page", PageTab: "Open the page", Sign: "Open the sign", JSON: "Edit as JSON", Form: "Edit in a form",
	About: "About the document", DocumentTitle: "Title", DocumentAbout: "Description", DocumentID: "Id", DocumentIDNote: "Letters, digits, - and _. It stays the same for the life of the document.",
	UpdatedAt: "Last change (date and time)", InstanceVersion: "Version of the document",
	AllLanguages: "The same in all languages.", NotText: "The document has something here that the form can't show. Edit it as JSON.", Rejected: "This value can't be used. It was not saved.",
	Progress: "%s of %s required questions answered", Complete: "All required questions are answered.", Valid: "The document is valid.", Questions: "Questions",
	Problems: counted{"%s thing to look at", "%s things to look at"}, OtherProblems: "About the whole document", MoreProblems: counted{"There is %s more. Look at these first.", "There are %s more. Look at these first."},
	Add: "Add an answer", AddOther: "Add another answer", AddTo: "Add", Full: "There is no room for another answer.", Close: "Close the list", SearchIn: "Search in this question",
	MoreElements: "These are %s of %s. Search for others.", NoElements: "Nothing found. Try another word.", Placed: "Already added", Examples: "Examples", Help: "How to answer",
	Up: "Move up", Down: "Move down", Remove: "Remove", Unknown: "Unknown element", UnknownVariable: "The element has no field for this value",
	Others: "Answers to unknown questions", OthersLead: "This version does not have these elements.", NotChosen: "Not chosen", Hidden: "%s more placements are not shown, because there are too many. They are kept as they are.",
	More: "More about this answer", Label: "Name on the page", InstanceID: "Id of this answer", Citation: "Citation", Priority: "Order on the page (0 is first)",
	InSubchain: "Part of the run", Sources: "Sources", SourceTitle: "Title of the source", SourceType: "Kind of source, such as law", SourceURL: "Web address",
	Actions: "What readers can do", ActionType: "Way", ActionLabel: "Text of the link", ActionTarget: "Address, number or link",
	Subchains: "Runs through parts of the taxonomy", Subchain: "Part", SubchainID: "Id of this run", Heads: "Begins with", Order: "Order", Linked: "Related documents", Suggested: "Suggested elements", Symbol: "Symbol", AddItem: "Add",
	Rest: "Sources and connections", Register: "For the public register", RegisterLead: "A register shows these beside the document.", Status: "State of the system", Since: "Since", Until: "Until", ReviewBy: "To be reviewed by",
	Organisation: "Organisation", Unit: "Unit", OrganisationID: "Address that identifies the organisation", Slug: "Name in web addresses", SlugNote: "Lower-case letters, digits, - and _. By default it is made of the id.",
	Places: "Places", PlaceName: "Name of the place", Address: "Address", Position: "Latitude, longitude", Mobile: "It moves around", Themes: "Themes", Theme: "Theme",
	Withheld: "What is withheld", What: "What", Reason: "Why",
	Upgrade: "The document is for an older version of the taxonomy. The newest stable one is", UpgradeDo: "Move the document to it", Upgraded: "The document was moved to another version.", Left: "This is left to do:",
	Resolved: "This document carries a copy of its part of the taxonomy. To add other elements, remove the copy first; nothing else is lost.", ResolvedDo: "Remove the copy",
	Broken: "The form can't show this document", BrokenLead: "Correct what is wrong, or open another file. The text stays as it is.", Kept: "The text of the document",
	Describe:    "Describe a system with this taxonomy",
	ActionTypes: map[string]string{"email": "Email", "url": "Web page", "phone": "Telephone", "form": "Form", "postal": "Letter"},
	Statuses:    map[string]string{"planned": "Planned", "trial": "On trial", "in_use": "In use", "paused": "Paused", "retired": "Retired"},
	Findings: map[issue.Code]string{
		issue.CodeRequiredCategoryMissing: "Answer this question.", issue.CodeElementRequired: "This question needs more answers.", issue.CodeInstanceRequiredVariableMissing: "Fill this in.",
		issue.CodeInstanceVariableValueEmpty: "Fill this in.", issue.CodeContextTypeMissing: "Choose one.",
	},
}

var composeFR = composeWords{
	Unsent: "Un document se trouvait dans le lien. Il n’a encore été envoyé nulle part. Appuyez sur Ouvrir pour l’envoyer à ce serveur, qui ne le conserve pas.",
	Title:  "Décrire un système", Lead: "Répondez à des questions sur un système et obtenez sa datachain, la page que les gens liront et un panneau. Pas besoin de connaître JSON.",
	Ask: "Que voulez-vous décrire ?", AskHint: "Par exemple : caméra, assistant de conversation, qualité de l’air", Choose: "Choisissez une taxonomie", OtherVersions: "Versions",
	Found: "Elle contient par exemple", Samples: "Partir d’un exemple", Begin: "Commencer", Name: "Comment s’appelle-t-il ?", NameNote: "Comme le diraient les personnes qui le rencontrent. Vous pourrez le changer.",
	Change: "Choisir une autre taxonomie", Languages: "Langues du document", LanguagesNote: "Chaque texte a un champ pour chacune d’elles.", FormLanguage: "Langue de ce formulaire",
	Sent: "Chaque bouton envoie le document à ce serveur, qui ne le conserve pas. Enregistrez-le dans un fichier quand vous avez fini.", Update: "Vérifier", Save: "Enregistrer", OpenFile: "Ouvrir un fichier", Open: "Ouvrir",
	Share: "Copier un lien", Page: "La page", PageTab: "Ouvrir la page", Sign: "Ouvrir le panneau", JSON: "Modifier en JSON", Form: "Modifier dans un formulaire",
	About: "À propos du document", DocumentTitle: "Titre", DocumentAbout: "Description", DocumentID: "Identifiant", DocumentIDNote: "Lettres, chiffres, - et _. Il reste le même toute la vie du document.",
	UpdatedAt: "Dernière modification (date et heure)", InstanceVersion: "Version du document",
	AllLanguages: "Le même dans toutes les langues.", NotText: "Le document contient ici quelque chose que le formulaire ne peut pas montrer. Modifiez-le en JSON.", Rejected: "Cette valeur ne convient pas. Elle n’a pas été retenue.",
	Progress: "%s questions obligatoires sur %s ont une réponse", Complete: "Toutes les questions obligatoires ont une réponse.", Valid: "Le document est valide.", Questions: "Questions",
	Problems: counted{"%s point à revoir", "%s points à revoir"}, OtherProblems: "Sur l’ensemble du document", MoreProblems: counted{"Il en reste %s. Voyez d’abord ceux-ci.", "Il en reste %s. Voyez d’abord ceux-ci."},
	Add: "Ajouter une réponse", AddOther: "Ajouter une autre réponse", AddTo: "Ajouter", Full: "Il n’y a pas de place pour une autre réponse.", Close: "Fermer la liste", SearchIn: "Rechercher dans cette question",
	MoreElements: "En voici %s sur %s. Recherchez les autres.", NoElements: "Aucun résultat. Essayez un autre mot.", Placed: "Déjà ajouté", Examples: "Exemples", Help: "Comment répondre",
	Up: "Monter", Down: "Descendre", Remove: "Retirer", Unknown: "Élément inconnu", UnknownVariable: "L’élément n’a pas de champ pour cette valeur",
	Others: "Réponses à des questions inconnues", OthersLead: "Cette version n’a pas ces éléments.", NotChosen: "Non choisi", Hidden: "%s autres placements ne sont pas montrés, car il y en a trop. Ils restent tels quels.",
	More: "Plus sur cette réponse", Label: "Nom sur la page", InstanceID: "Identifiant de cette réponse", Citation: "Citation", Priority: "Ordre sur la page (0 est le premier)",
	InSubchain: "Fait partie du parcours", Sources: "Sources", SourceTitle: "Titre de la source", SourceType: "Type de source, par exemple law", SourceURL: "Adresse web",
	Actions: "Ce que les lecteurs peuvent faire", ActionType: "Moyen", ActionLabel: "Texte du lien", ActionTarget: "Adresse, numéro ou lien",
	Subchains: "Parcours de parties de la taxonomie", Subchain: "Partie", SubchainID: "Identifiant de ce parcours", Heads: "Commence par", Order: "Ordre", Linked: "Documents liés", Suggested: "Éléments proposés", Symbol: "Symbole", AddItem: "Ajouter",
	Rest: "Sources et liens", Register: "Pour le registre public", RegisterLead: "Un registre les montre à côté du document.", Status: "État du système", Since: "Depuis", Until: "Jusqu’au", ReviewBy: "À revoir avant le",
	Organisation: "Organisation", Unit: "Service", OrganisationID: "Adresse qui identifie l’organisation", Slug: "Nom dans les adresses web", SlugNote: "Minuscules, chiffres, - et _. Par défaut, il est tiré de l’identifiant.",
	Places: "Lieux", PlaceName: "Nom du lieu", Address: "Adresse", Position: "Latitude, longitude", Mobile: "Il se déplace", Themes: "Thèmes", Theme: "Thème",
	Withheld: "Ce qui n’est pas publié", What: "Quoi", Reason: "Pourquoi",
	Upgrade: "Le document est écrit pour une version plus ancienne de la taxonomie. La version stable la plus récente est", UpgradeDo: "Y faire passer le document", Upgraded: "Le document est passé à une autre version.", Left: "Il reste à faire :",
	Resolved: "Ce document contient une copie de sa partie de la taxonomie. Pour ajouter d’autres éléments, retirez d’abord la copie ; rien d’autre n’est perdu.", ResolvedDo: "Retirer la copie",
	Broken: "Le formulaire ne peut pas montrer ce document", BrokenLead: "Corrigez ce qui ne va pas, ou ouvrez un autre fichier. Le texte reste tel quel.", Kept: "Le texte du document",
	Describe:    "Décrire un système avec cette taxonomie",
	ActionTypes: map[string]string{"email": "Courriel", "url": "Page web", "phone": "Téléphone", "form": "Formulaire", "postal": "Courrier"},
	Statuses:    map[string]string{"planned": "Prévu", "trial": "À l’essai", "in_use": "En service", "paused": "Suspendu", "retired": "Retiré"},
	Findings: map[issue.Code]string{
		issue.CodeRequiredCategoryMissing: "Répondez à cette question.", issue.CodeElementRequired: "Cette question demande plus de réponses.", issue.CodeInstanceRequiredVariableMissing: "Remplissez ce champ.",
		issue.CodeInstanceVariableValueEmpty: "Remplissez ce champ.", issue.CodeContextTypeMissing: "Choisissez une valeur.",
	},
}

var composeES = composeWords{
	Unsent: "Un documento venía en el enlace. Aún no se ha enviado a ninguna parte. Pulse Abrir para enviarlo a este servidor, que no lo guarda.",
	Title:  "Describir un sistema", Lead: "Responda a preguntas sobre un sistema y obtenga su datachain, la página que la gente leerá y un cartel. No hace falta saber JSON.",
	Ask: "¿Qué quiere describir?", AskHint: "Por ejemplo: cámara, asistente de chat, calidad del aire", Choose: "Elija una taxonomía", OtherVersions: "Versiones",
	Found: "Tiene, por ejemplo", Samples: "Empezar con un ejemplo", Begin: "Empezar", Name: "¿Cómo se llama?", NameNote: "Como lo dirían quienes lo encuentran. Podrá cambiarlo después.",
	Change: "Elegir otra taxonomía", Languages: "Idiomas del documento", LanguagesNote: "Cada texto tiene un campo para cada uno.", FormLanguage: "Idioma de este formulario",
	Sent: "Cada botón envía el documento a este servidor, que no lo guarda. Guárdelo como archivo cuando termine.", Update: "Comprobar", Save: "Guardar como archivo", OpenFile: "Abrir un archivo", Open: "Abrir",
	Share: "Copiar un enlace", Page: "La página", PageTab: "Abrir la página", Sign: "Abrir el cartel", JSON: "Editar como JSON", Form: "Editar en un formulario",
	About: "Sobre el documento", DocumentTitle: "Título", DocumentAbout: "Descripción", DocumentID: "Identificador", DocumentIDNote: "Letras, cifras, - y _. No cambia durante la vida del documento.",
	UpdatedAt: "Último cambio (fecha y hora)", InstanceVersion: "Versión del documento",
	AllLanguages: "Igual en todos los idiomas.", NotText: "El documento tiene aquí algo que el formulario no puede mostrar. Edítelo como JSON.", Rejected: "Este valor no se puede usar. No se ha guardado.",
	Progress: "%s de %s preguntas obligatorias respondidas", Complete: "Todas las preguntas obligatorias están respondidas.", Valid: "El documento es válido.", Questions: "Preguntas",
	Problems: counted{"%s cosa por revisar", "%s cosas por revisar"}, OtherProblems: "Sobre todo el documento", MoreProblems: counted{"Hay %s más. Revise primero estas.", "Hay %s más. Revise primero estas."},
	Add: "Añadir una respuesta", AddOther: "Añadir otra respuesta", AddTo: "Añadir", Full: "No cabe otra respuesta.", Close: "Cerrar la lista", SearchIn: "Buscar en esta pregunta",
	MoreElements: "Estos son %s de %s. Busque los demás.", NoElements: "No hay resultados. Pruebe con otra palabra.", Placed: "Ya añadido", Examples: "Ejemplos", Help: "Cómo responder",
	Up: "Subir", Down: "Bajar", Remove: "Quitar", Unknown: "Elemento desconocido", UnknownVariable: "El elemento no tiene un campo para este valor",
	Others: "Respuestas a preguntas desconocidas", OthersLead: "Esta versión no tiene estos elementos.", NotChosen: "Sin elegir", Hidden: "No se muestran %s colocaciones más, porque son demasiadas. Quedan como están.",
	More: "Más sobre esta respuesta", Label: "Nombre en la página", InstanceID: "Identificador de esta respuesta", Citation: "Cita", Priority: "Orden en la página (0 es el primero)",
	InSubchain: "Parte del recorrido", Sources: "Fuentes", SourceTitle: "Título de la fuente", SourceType: "Tipo de fuente, por ejemplo law", SourceURL: "Dirección web",
	Actions: "Qué pueden hacer los lectores", ActionType: "Medio", ActionLabel: "Texto del enlace", ActionTarget: "Dirección, número o enlace",
	Subchains: "Recorridos por partes de la taxonomía", Subchain: "Parte", SubchainID: "Identificador de este recorrido", Heads: "Empieza por", Order: "Orden", Linked: "Documentos relacionados", Suggested: "Elementos propuestos", Symbol: "Símbolo", AddItem: "Añadir",
	Rest: "Fuentes y conexiones", Register: "Para el registro público", RegisterLead: "Un registro los muestra junto al documento.", Status: "Estado del sistema", Since: "Desde", Until: "Hasta", ReviewBy: "Debe revisarse antes de",
	Organisation: "Entidad", Unit: "Unidad", OrganisationID: "Dirección que identifica a la entidad", Slug: "Nombre en las direcciones web", SlugNote: "Minúsculas, cifras, - y _. Por defecto se forma con el identificador.",
	Places: "Lugares", PlaceName: "Nombre del lugar", Address: "Dirección", Position: "Latitud, longitud", Mobile: "Se desplaza", Themes: "Temas", Theme: "Tema",
	Withheld: "Lo que no se publica", What: "Qué", Reason: "Por qué",
	Upgrade: "El documento es de una versión anterior de la taxonomía. La versión estable más reciente es", UpgradeDo: "Pasar el documento a ella", Upgraded: "El documento pasó a otra versión.", Left: "Queda por hacer:",
	Resolved: "Este documento lleva una copia de su parte de la taxonomía. Para añadir otros elementos, quite primero la copia; no se pierde nada más.", ResolvedDo: "Quitar la copia",
	Broken: "El formulario no puede mostrar este documento", BrokenLead: "Corrija lo que está mal o abra otro archivo. El texto queda como está.", Kept: "El texto del documento",
	Describe:    "Describir un sistema con esta taxonomía",
	ActionTypes: map[string]string{"email": "Correo electrónico", "url": "Página web", "phone": "Teléfono", "form": "Formulario", "postal": "Carta"},
	Statuses:    map[string]string{"planned": "Previsto", "trial": "En prueba", "in_use": "En uso", "paused": "En pausa", "retired": "Retirado"},
	Findings: map[issue.Code]string{
		issue.CodeRequiredCategoryMissing: "Responda a esta pregunta.", issue.CodeElementRequired: "Esta pregunta necesita más respuestas.", issue.CodeInstanceRequiredVariableMissing: "Rellene este campo.",
		issue.CodeInstanceVariableValueEmpty: "Rellene este campo.", issue.CodeContextTypeMissing: "Elija un valor.",
	},
}
