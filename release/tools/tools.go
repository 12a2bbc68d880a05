// Package tools serves what is derived from releases to language models: a tool for package mcp that
// lists mappings.
//
//	server, err := mcp.New(service, &mcp.Options{Tools: tools.New()})
//
// # Experimental
//
// Other packages of the product use this one. Its API may change in any version.
package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/release/crosswalk"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

// New returns the tools.
func New() []mcp.Tool {
	return []mcp.Tool{{
		Name: "list_mappings", Title: "List what corresponds to a law",
		Description: "Lists the categories and elements of a taxonomy version that correspond to the entries of a scheme, such as the articles of a law, in the order of the entries. The relation says how close they are. Use it to find what a datachain says about an article, or which elements cover it.",
		Takes: []mcp.Argument{mcp.VersionArgument(), {
			Name: "scheme", Kind: mcp.Text("the id of a scheme", 0), Example: `"gdpr"`,
			Description: "The id of one of manifest.schemes, as get_schema returns them. The default is all.",
		}, mcp.LocalesArgument()},
		Returns:  "version, mappings: a list of {scheme, id, relation, note?, category_id or element_id, title}.",
		ReadOnly: true, Call: listMappings,
	}}
}

func listMappings(_ context.Context, c *mcp.ToolCall) (*mcp.Answer, error) {
	r, scheme := c.Schema.Release(), c.Text("scheme")
	a := new(mcp.Answer)
	found, err := crosswalk.Mappings(r, scheme, "")
	if err != nil { // there is no such scheme, and so nothing that is mapped to it
		a.Warnings = issue.Issues{unknownScheme(r, scheme)}
	}
	show := lists.Projection{Locales: c.List("locales")}
	b, err := crosswalk.AppendMappings(fmt.Appendf(nil, `{"version":%q,"mappings":`, r.Version()), found, show.Append)
	a.Data = json.RawMessage(append(b, '}'))
	return a, err
}

// unknownScheme warns of a scheme that the version does not have.
func unknownScheme(r *taxonomy.Release, scheme string) issue.Issue {
	var ids []string
	for _, s := range r.Manifest().Schemes {
		ids = append(ids, s.ID)
	}
	hint := "omit it: the version has no schemes"
	if len(ids) > 0 {
		hint = "use " + strings.Join(ids, " or ")
	}
	return issue.Issue{
		Code: "invalid_arguments", Severity: issue.SeverityWarning, Path: issue.Root.Key("scheme"),
		Message: fmt.Sprintf("There is no scheme %s in %s.", strconv.QuoteToGraphic(fmt.Sprintf("%.80s", scheme)), r.Version()), FixHint: hint,
	}
}
