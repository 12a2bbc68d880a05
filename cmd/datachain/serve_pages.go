package main

import (
	"os"

	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// explorerOptions returns the options of the pages for people.
func (p *program) explorerOptions(s *settings) *explorer.Options {
	o := &explorer.Options{
		BaseURL: s.HTTP.BaseURL, Timeout: s.HTTP.WorkTimeout, CacheBytes: s.HTTP.CacheBytes - s.HTTP.CacheBytes/2,
		MaxBody: s.HTTP.MaxBody, MaxWork: s.HTTP.MaxWork, Samples: playSamples(),
	}
	if s.mcp {
		o.MCP = "/mcp"
	}
	if s.assets != "" {
		o.Assets = os.DirFS(p.path(s.assets))
	}
	return o
}

// playSamples are the example documents: valid ones to start from, and one for each code
// that a document can have.
func playSamples() []explorer.Sample {
	var list []explorer.Sample
	for _, e := range documents.Valid() {
		if !e.Resolved() {
			list = append(list, explorer.Sample{Name: e.Name, Text: e.Text})
		}
	}
	for _, info := range issue.Codes() {
		// Those that another version has to be named for can't be reproduced there.
		if e, ok := documents.Invalid(info.Code); ok && e.Version == "" {
			list = append(list, explorer.Sample{Name: e.Name, Text: e.Text, Code: info.Code})
		}
	}
	return list
}
