package explorer

// catalogWords are the words of a catalog.
type catalogWords struct {
	Contents, SearchLabel, SearchHint string
	Category, AllCategories, Clear    string
	Since, Compare, Beta, BetaStable  string
	All                               string
	Contexts                          counted
	KindElement, KindCategory         string
	KindCode, KindPage, Cite          string
}

var catalogEN = catalogWords{
	Contents: "Categories", SearchLabel: "Search the elements", SearchHint: "A word, a question or an id",
	Category: "Category", AllCategories: "All categories", Clear: "Show all categories",
	Since: "Since the stable version of %s: %s new, %s changed, %s removed.", Compare: "Compare the two versions",
	Beta: "This is a beta version. It can change at any time, so do not rely on it for published documents.", BetaStable: "The newest stable version is",
	All: "All %s elements of “%s”", Contexts: counted{"%s context", "%s contexts"},
	KindElement: "Elements", KindCategory: "Categories", KindCode: "Codes", KindPage: "Pages", Cite: "Cite this version",
}

var catalogFR = catalogWords{
	Contents: "Catégories", SearchLabel: "Rechercher dans les éléments", SearchHint: "Un mot, une question ou un identifiant",
	Category: "Catégorie", AllCategories: "Toutes les catégories", Clear: "Afficher toutes les catégories",
	Since: "Depuis la version stable du %s : %s nouveaux, %s modifiés, %s supprimés.", Compare: "Comparer les deux versions",
	Beta: "Ceci est une version bêta. Elle peut changer à tout moment : ne l’utilisez pas pour des documents publiés.", BetaStable: "La version stable la plus récente est",
	All: "Les %s éléments de « %s »", Contexts: counted{"%s contexte", "%s contextes"},
	KindElement: "Éléments", KindCategory: "Catégories", KindCode: "Codes", KindPage: "Pages", Cite: "Citer cette version",
}

var catalogES = catalogWords{
	Contents: "Categorías", SearchLabel: "Buscar en los elementos", SearchHint: "Una palabra, una pregunta o un identificador",
	Category: "Categoría", AllCategories: "Todas las categorías", Clear: "Mostrar todas las categorías",
	Since: "Desde la versión estable del %s: %s nuevos, %s modificados, %s eliminados.", Compare: "Comparar las dos versiones",
	Beta: "Esta es una versión beta. Puede cambiar en cualquier momento: no la use para documentos publicados.", BetaStable: "La versión estable más reciente es",
	All: "Los %s elementos de «%s»", Contexts: counted{"%s contexto", "%s contextos"},
	KindElement: "Elementos", KindCategory: "Categorías", KindCode: "Códigos", KindPage: "Páginas", Cite: "Citar esta versión",
}
