// Package tools serves what became of ids to language models: a tool for package mcp that moves
// datachains to other versions.
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

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// New returns the tools.
func New() []mcp.Tool {
	// It is not named version, since models took that for the version that the datachain pins.
	to := mcp.VersionArgument()
	to.Name, to.Former = "to", to.Name
	to.Description = "The schema version to move the datachain to: an id or an alias that list_schema_versions returns, such as <type>@latest."
	return []mcp.Tool{{
		Name: "upgrade_datachain", Title: "Move a datachain to another version",
		Description: "Moves a datachain, thin or resolved, to a taxonomy version of its type, usually a newer one: pins it, replaces removed elements with their successors, follows renamed variables, options and context values, and adds variables that are now required with an empty value. Nothing else changes, and no content is invented. The report lists what was done, what to review, what needs a decision and what can't be done, each with its path in the new datachain. ok is false while something is left to do: ask the user about it, do not guess.",
		Takes: []mcp.Argument{to, mcp.DatachainArgument(), {
			Name: "from", Kind: mcp.Text("the id or an alias of a schema version", 0), Example: `"taxonomy@latest"`,
			Description: "The version for which the datachain was written. The default is the one that it pins, which need not be published.",
		}, {
			Name: "drop", Kind: mcp.Boolean().Default("false"), Example: "true",
			Description: "true drops what the version no longer has and for which there is no successor. The report quotes it. Ask the user first.",
		}, {
			Name: "older", Kind: mcp.Boolean().Default("false"), Example: "true",
			Description: "true allows a version that is older than that of the datachain.",
		}},
		Returns:  "document: the new datachain; report: {from, to, changed, form, counts, entries: a list of {kind, class, path, old_path, position, message, fix_hint, code}}.",
		Work:     true,
		ReadOnly: true, Quotes: true, Call: upgradeDatachain,
	}}
}

// upgradeDatachain answers with the new document and the report, also if something is left to do.
func upgradeDatachain(ctx context.Context, c *mcp.ToolCall) (*mcp.Answer, error) {
	result, err := upgrade.Run(ctx, c.Schema, c.JSON("datachain"), &upgrade.RunOptions{From: c.Text("from"), Drop: c.Boolean("drop"), Older: c.Boolean("older")})
	if err != nil {
		return nil, err
	}
	report, err := jsonv2.Marshal(&result.Report)
	if err != nil {
		return nil, err
	}
	a := &mcp.Answer{
		Data:     json.RawMessage(fmt.Appendf(nil, `{"document":%s,"report":%s}`, result.Document.Root().Raw(), report)),
		Warnings: result.Issues.With(issue.SeverityWarning),
	}
	if !result.OK() {
		a.Errors = result.Errors()
	}
	return a, nil
}
