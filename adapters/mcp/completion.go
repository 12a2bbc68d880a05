package mcp

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxCompletions is the most values that the protocol allows.
const maxCompletions = 100

// complete offers values for the arguments of prompts.
func (s *Server) complete(ctx context.Context, r *request, b []byte) ([]byte, *problem) {
	var ref struct {
		Type string `json:"type"`
		Name string `json:"name"`
		URI  string `json:"uri"`
	}
	var argument struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	var arguments struct {
		Arguments map[string]string `json:"arguments"`
	}
	prompt, resource := false, false
	if decode(r.params["ref"], &ref) {
		prompt, resource = ref.Type == "ref/prompt" && ref.URI == "", ref.Type == "ref/resource" && ref.Name == ""
	}
	switch {
	case !prompt && !resource:
		return nil, badTypes(r, "ref")
	case !decode(r.params["argument"], &argument):
		return nil, badTypes(r, "argument")
	case !decode(r.params["context"], &arguments):
		return nil, badTypes(r, "context")
	case argument.Name == "":
		return nil, badParams(issue.CodeBadRequest, `add "name": "type"`, "The param argument of %s has no name.", r.method)
	}
	all, err := s.candidates(ctx, argument.Name, arguments.Arguments["version"])
	if err != nil {
		s.report(ctx, "completion", err)
		if known, ok := errors.AsType[*datachain.Error](err); ok {
			return nil, unavailable(0, known.Issue)
		}
		return nil, timeout("try again in a moment", "The call took too long.").withStatus(0)
	}
	typed := strings.ToLower(argument.Value)
	found, seen := []string{}, make(map[string]bool)
	for _, candidate := range all {
		if !seen[candidate] && strings.HasPrefix(strings.ToLower(candidate), typed) {
			found = append(found, candidate)
			seen[candidate] = true
		}
	}
	return append(appendJSON(append(s.begin(b, r), `"completion":`...), struct {
		HasMore bool     `json:"hasMore,omitzero"`
		Total   int      `json:"total,omitzero"`
		Values  []string `json:"values"`
	}{len(found) > maxCompletions, len(found), found[:min(len(found), maxCompletions)]}), '}'), nil
}

// candidates are the values that an argument can have. The languages are those of one
// version, or of all if it is "", which are read in a place for work.
func (s *Server) candidates(ctx context.Context, argument, version string) ([]string, error) {
	index, err := s.service.Versions(ctx)
	if err != nil {
		return nil, err
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	var all []string
	for _, e := range index.Entries() {
		switch argument {
		case "version":
			all = append(append(all, e.Aliases...), e.ID.String())
		case "type":
			all = append(all, e.ID.Type())
		case "language":
			if version != "" && version != e.ID.String() && !slices.Contains(e.Aliases, version) {
				continue
			}
			schema, err := s.service.Open(ctx, e.ID.String())
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err == nil { // what can't be read is left out
				all = append(all, schema.Release().Locales()...)
			}
		}
	}
	return all, nil
}
