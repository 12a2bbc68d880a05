package explorer

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
