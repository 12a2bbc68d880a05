package mcp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// prompt is something that a person asks a model for, with words of ours.
type prompt struct {
	name, title, description string
	arguments                []promptArgument
	write                    func(*Server, context.Context, map[string]string) (string, error)
}

type promptArgument struct {
	name, description string
	required          bool
}

var prompts = []prompt{
	{
		name: "describe_system", title: "Describe a system as a datachain",
		description: "Write a datachain for a system from what you know about it, in your own words.",
		arguments: []promptArgument{
			{"type", "The kind of datachain, which is what stands before the @ in the id of a schema version.", true},
			{"description", "What the system does, for whom, with which data, and who is accountable. Notes are fine.", true},
			{"language", "The language to write in, such as en or fr. If left out, English or the first language of the taxonomy.", false},
		},
		write: (*Server).describeSystem,
	},
	{
		name: "review_datachain", title: "Review a datachain",
		description: "Find what is wrong, missing, vague or misleading in a datachain before it is published.",
		arguments: []promptArgument{
			{"datachain", "The datachain as JSON.", true},
			{"version", "The schema version to review it by, an id or an alias such as <type>@latest.", true},
		},
		write: (*Server).reviewDatachain,
	},
	{
		name: "explain_datachain", title: "Explain a datachain to a citizen",
		description: "Tell a person without any knowledge of the matter what a datachain says, in their language.",
		arguments: []promptArgument{
			{"datachain", "The datachain as JSON.", true},
			{"language", "The language of the reader, such as en or fr.", true},
		},
		write: (*Server).explainDatachain,
	},
	{
		name: "add_element", title: "Add an element to a taxonomy",
		description: "Turn an idea for a new element into authoring source, unless the taxonomy has it already.",
		arguments: []promptArgument{
			{"version", "The schema version that lacks the element, an id or an alias such as <type>@latest.", true},
			{"idea", "What the new element should say.", true},
		},
		write: (*Server).addElement,
	},
	{
		name: "translate_taxonomy", title: "Translate a taxonomy",
		description: "Translate the texts of a taxonomy into another language.",
		arguments: []promptArgument{
			{"version", "The schema version to translate, an id or an alias such as <type>@latest.", true},
			{"from", "The language to translate from, which the version must have.", true},
			{"to", "The language to translate into, such as de.", true},
		},
		write: (*Server).translateTaxonomy,
	},
}

// addPrompts offers the prompts to clients.
func (s *Server) addPrompts() {
	for i := range prompts {
		p := &prompts[i]
		definition := &sdk.Prompt{Name: p.name, Title: p.title, Description: p.description}
		for _, a := range p.arguments {
			definition.Arguments = append(definition.Arguments, &sdk.PromptArgument{Name: a.name, Description: a.description, Required: a.required})
		}
		s.sdk.AddPrompt(definition, func(ctx context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			text, err := s.prompt(ctx, p, req.Params.Arguments)
			if err != nil {
				return nil, err
			}
			return &sdk.GetPromptResult{
				Description: p.description,
				Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}},
			}, nil
		})
	}
}

// prompt checks the arguments and writes the text.
func (s *Server) prompt(ctx context.Context, p *prompt, given map[string]string) (string, error) {
	var names []string
	for _, a := range p.arguments {
		names = append(names, a.name)
		if a.required && strings.TrimSpace(given[a.name]) == "" {
			return "", badPrompt(issue.CodeInvalidArguments, "add "+a.name+": "+strings.TrimSuffix(a.description, "."), "The argument %s of %s is missing.", a.name, p.name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			return "", badPrompt(issue.CodeInvalidArguments, "leave it out: "+p.name+" takes "+enumerate(names), "There is no argument %s of %s.", quote(name), p.name)
		}
	}
	for _, name := range names {
		if problem := checkLanguage(p, name, given[name]); problem != nil {
			return "", problem
		}
	}
	text, err := p.write(s, ctx, given)
	if known, ok := errors.AsType[*datachain.Error](err); ok {
		switch known.Issue.Code {
		case issue.CodeBadRequest, issue.CodeNotFound:
			return "", badPrompt(known.Issue.Code, known.Issue.FixHint, "%s", known.Issue.Message)
		}
		s.report(ctx, p.name, err)
		return "", rpcError(serverError, known.Issue.Message, known.Issue)
	}
	return text, err
}

// checkLanguage refuses a language to write in that can't be one. What it is
// called, a model knows better than we do.
func checkLanguage(p *prompt, argument, given string) error {
	if given == "" || argument != "language" && argument != "to" {
		return nil
	}
	if datachain.CheckLocale(given) == nil {
		return nil
	}
	return badPrompt(issue.CodeInvalidArguments, "use a language tag such as en or fr-CA", "The argument %s of %s is %s, which is no language (BCP 47).", argument, p.name, quote(given))
}

// badPrompt is an argument of a prompt that can't be used. A person sees the
// message alone, so it says what to do, too.
func badPrompt(code issue.Code, hint, format string, args ...any) error {
	issue := issue.Issue{Code: code, Message: fmt.Sprintf(format, args...), FixHint: hint}
	return rpcError(jsonrpc.CodeInvalidParams, issue.Message+" Next step: "+hint+".", issue)
}

// maxCompletions is how many values are offered; the protocol allows no more.
const maxCompletions = 100

// complete offers values for the arguments of prompts.
func (s *Server) complete(ctx context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	all, err := s.candidates(ctx, req.Params.Argument.Name, req.Params.Context)
	if err != nil {
		s.report(ctx, "completion", err)
		issue := issue.Issue{Code: issue.CodeUpstreamError, Message: "The schema versions can't be read.", FixHint: "try again in a moment"}
		return nil, rpcError(serverError, issue.Message, issue)
	}
	typed := strings.ToLower(req.Params.Argument.Value)
	found := []string{}
	for _, candidate := range all {
		if strings.HasPrefix(strings.ToLower(candidate), typed) && !slices.Contains(found, candidate) {
			found = append(found, candidate)
		}
	}
	total := len(found)
	found = found[:min(total, maxCompletions)]
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: found, Total: total, HasMore: total > len(found)}}, nil
}

// candidates are the values that an argument could have.
func (s *Server) candidates(ctx context.Context, argument string, around *sdk.CompleteContext) ([]string, error) {
	index, err := s.service.Versions(ctx)
	if err != nil {
		return nil, err
	}
	var all []string
	switch argument {
	case "version":
		for _, e := range index.Entries() {
			all = append(append(all, e.Aliases...), e.ID.String())
		}
	case "type":
		for _, e := range index.Entries() {
			all = append(all, e.ID.Type())
		}
	case "language", "from":
		chosen := ""
		if around != nil {
			chosen = around.Arguments["version"]
		}
		for _, e := range index.Entries() {
			if chosen != "" && chosen != e.ID.String() && !slices.Contains(e.Aliases, chosen) {
				continue
			}
			if schema, err := s.service.Open(ctx, e.ID.String()); err == nil {
				all = append(all, schema.Release().Locales()...)
			}
		}
	}
	return all, nil
}
