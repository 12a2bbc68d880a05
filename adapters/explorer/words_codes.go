package explorer

import "github.com/datachain-go/datachain/taxonomy/issue"

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
