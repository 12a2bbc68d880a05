package mcp

// Definition describes a tool or a prompt to people.
type Definition struct {
	Name, Title, Description string
	Arguments                []DefinitionArgument
}

// DefinitionArgument is an argument of a tool or a prompt.
type DefinitionArgument struct {
	Name, Description string
	Required          bool
}

// Tools returns the tools, in the order in which a model would use them.
func Tools() []Definition {
	list := make([]Definition, len(tools))
	for i, t := range tools {
		list[i] = Definition{Name: t.name, Title: t.title, Description: t.description}
		for _, a := range t.arguments {
			list[i].Arguments = append(list[i].Arguments, DefinitionArgument{a.name, a.description, a.required})
		}
	}
	return list
}

// Prompts returns the prompts.
func Prompts() []Definition {
	list := make([]Definition, len(prompts))
	for i, p := range prompts {
		list[i] = Definition{Name: p.name, Title: p.title, Description: p.description}
		for _, a := range p.arguments {
			list[i].Arguments = append(list[i].Arguments, DefinitionArgument(a))
		}
	}
	return list
}
