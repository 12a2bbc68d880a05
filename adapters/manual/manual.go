// Package manual describes to people what the MCP server offers: package mcp lists it, and the
// documentation of package explorer shows it.
package manual

// Operation describes a tool or a prompt of the server.
type Operation struct {
	Name, Title, Description string
	Arguments                []Argument
	// Documents means that it exists only while there are documents.
	Documents bool
}

// Argument is an argument of an [Operation].
type Argument struct {
	Name, Description string
	Required          bool
}
