package explorer

// Operation describes a tool or a prompt of the MCP server to people.
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
