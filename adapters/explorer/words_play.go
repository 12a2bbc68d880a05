package explorer

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
