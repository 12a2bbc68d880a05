package explorer

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
