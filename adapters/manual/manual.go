// Package manual describes to people what the MCP server offers: package mcp lists it, and
// package pages shows it on a page.
package manual

// Operation describes a tool or a prompt of the server.
type Operation struct {
	Name, Title, Description string
	Arguments                []Argument
	// Listed reports whether it exists now; nil means always.
	Listed func() bool
}

// Argument is an argument of an [Operation].
type Argument struct {
	Name, Description string
	Required          bool
}
