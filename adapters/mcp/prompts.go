package mcp

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// prompt is a task that a person gives to a model, in our words.
type prompt struct {
	name, title, description string
	arguments                []promptArgument
	write                    func(*Server, context.Context, map[string]string) (string, error)
}

type promptArgument struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Required    bool   `json:"required,omitzero"`
}

var prompts = []prompt{
	{
		name: "describe_system", title: "Describe a system as a datachain",
		description: "Write a datachain for a system from a description in your own words.",
		arguments: []promptArgument{
			{"type", "The type of datachain: the part before the @ in the id of a schema version.", true},
			{"description", "What the system does, for whom, with which data, and who is accountable. Notes are fine.", true},
			{"language", "The language to write in, such as en or fr. The default is English, or the first language of a taxonomy without English.", false},
		},
		write: (*Server).describeSystem,
	},
	{
		name: "review_datachain", title: "Review a datachain",
		description: "Find what is wrong, missing, vague or misleading in a datachain before it is published.",
		arguments: []promptArgument{
			{"datachain", "The datachain as JSON.", true},
			{"version", "The schema version to review it against: an id, or an alias such as <type>@latest.", true},
		},
		write: (*Server).reviewDatachain,
	},
	{
		name: "explain_datachain", title: "Explain a datachain to a citizen",
		description: "Explain a datachain in plain words, in the language of the reader.",
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
			{"version", "The schema version that lacks the element: an id, or an alias such as <type>@latest.", true},
			{"idea", "What the new element should say.", true},
		},
		write: (*Server).addElement,
	},
	{
		name: "translate_taxonomy", title: "Translate a taxonomy",
		description: "Translate the texts of a taxonomy into another language.",
		arguments: []promptArgument{
			{"version", "The schema version to translate: an id, or an alias such as <type>@latest.", true},
			{"from", "The language to translate from, which must be one of the version.", true},
			{"to", "The language to translate into, such as de.", true},
		},
		write: (*Server).translateTaxonomy,
	},
}

// promptDefinitions describe the prompts to clients, sorted by name.
func promptDefinitions() any {
	type definition struct {
		Arguments   []promptArgument `json:"arguments"`
		Description string           `json:"description"`
		Name        string           `json:"name"`
		Title       string           `json:"title"`
	}
	var all []definition
	for _, p := range prompts {
		all = append(all, definition{p.arguments, p.description, p.name, p.title})
	}
	slices.SortFunc(all, func(a, b definition) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// getPrompt answers with the text of a prompt.
func (s *Server) getPrompt(ctx context.Context, r *request) ([]byte, *problem) {
	var names []string
	for _, p := range prompts {
		names = append(names, p.name)
	}
	at := slices.Index(names, r.params.text("name"))
	if at < 0 {
		return nil, unknown("prompt", r.params.text("name"), names).withStatus(http.StatusOK)
	}
	given, wrong := promptArguments(r.params["arguments"])
	if wrong != nil {
		return nil, wrong.withStatus(http.StatusOK)
	}
	p := &prompts[at]
	text, err := p.text(s, ctx, given)
	if err != nil {
		return nil, s.promptProblem(ctx, p, err)
	}
	b := appendJSON([]byte(`"description":`), p.description)
	b = appendJSON(append(b, `,"messages":[{"content":{"type":"text","text":`...), text)
	return s.contents(r, nil, append(b, `},"role":"user"}]`...)), nil
}

// promptArguments reads the arguments of a prompt, which are strings.
func promptArguments(raw jsontext.Value) (map[string]string, *problem) {
	var values object
	decode(raw, &values)
	given := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch kind := values[name].Kind(); kind {
		case '"':
			given[name] = values.text(name)
		case '{', '[':
			return nil, badParams(issue.CodeInvalidArguments, "use a string that holds the JSON", "The argument %s of a prompt must be a string, but is %s.", quote(name), kindName(kind))
		default:
			return nil, badParams(issue.CodeInvalidArguments, "use a string", "The argument %s of a prompt must be a string, but is %s.", quote(name), kindName(kind))
		}
	}
	return given, nil
}

// text checks the arguments and writes the text.
func (p *prompt) text(s *Server, ctx context.Context, given map[string]string) (string, error) {
	var names []string
	for _, a := range p.arguments {
		names = append(names, a.Name)
		if a.Required && strings.TrimSpace(given[a.Name]) == "" {
			return "", badPrompt(issue.CodeInvalidArguments, "add "+a.Name+": "+strings.TrimSuffix(a.Description, "."), "The argument %s of %s is missing.", a.Name, p.name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			return "", badPrompt(issue.CodeInvalidArguments, "omit it: "+p.name+" takes "+enumerate(names), "There is no argument %s of %s.", quote(name), p.name)
		}
	}
	// A model knows the names of languages better than this program, so any
	// language tag will do.
	for _, name := range []string{"language", "to"} {
		if language := given[name]; language != "" && datachain.CheckLocale(language) != nil {
			return "", badPrompt(issue.CodeInvalidArguments, "use a language tag such as en or fr-CA", "The argument %s of %s is %s, which is not a language tag (BCP 47).", name, p.name, quote(language))
		}
	}
	return p.write(s, ctx, given)
}

// promptProblem turns the failure of a prompt into an error of JSON-RPC.
func (s *Server) promptProblem(ctx context.Context, p *prompt, err error) *problem {
	if wrong, ok := errors.AsType[*problem](err); ok {
		return wrong
	}
	known, ok := errors.AsType[*datachain.Error](err)
	if ok && (known.Issue.Code == issue.CodeBadRequest || known.Issue.Code == issue.CodeNotFound) {
		return badPrompt(known.Issue.Code, known.Issue.FixHint, "%s", known.Issue.Message)
	}
	s.report(ctx, p.name, err)
	if !ok {
		return internal(0)
	}
	return unavailable(0, known.Issue)
}

// badPrompt is the problem with an argument of a prompt. Clients show people the
// message alone, so it includes the hint.
func badPrompt(code issue.Code, hint, format string, args ...any) *problem {
	p := badParams(code, hint, format, args...)
	p.message = p.issue.Message + " Next step: " + hint + "."
	return p
}

// maxCompletions is the most values that the protocol allows.
const maxCompletions = 100

// complete offers values for the arguments of prompts.
func (s *Server) complete(ctx context.Context, r *request) ([]byte, *problem) {
	var ref struct {
		Type string `json:"type"`
		Name string `json:"name"`
		URI  string `json:"uri"`
	}
	var argument struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	var around struct {
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
	case !decode(r.params["context"], &around):
		return nil, badTypes(r, "context")
	case argument.Name == "":
		return nil, badParams(issue.CodeBadRequest, `add "name": "type"`, "The param argument of %s has no name.", r.method)
	}
	all, err := s.candidates(ctx, argument.Name, around.Arguments["version"])
	if err != nil {
		s.report(ctx, "completion", err)
		return nil, unavailable(0, issue.Issue{Code: issue.CodeUpstreamError, Message: "The schema versions can't be read.", FixHint: "try again in a moment"})
	}
	typed := strings.ToLower(argument.Value)
	found := []string{}
	for _, candidate := range all {
		if strings.HasPrefix(strings.ToLower(candidate), typed) && !slices.Contains(found, candidate) {
			found = append(found, candidate)
		}
	}
	return append(appendJSON(append(s.begin(r), `"completion":`...), struct {
		HasMore bool     `json:"hasMore,omitzero"`
		Total   int      `json:"total,omitzero"`
		Values  []string `json:"values"`
	}{len(found) > maxCompletions, len(found), found[:min(len(found), maxCompletions)]}), '}'), nil
}

// candidates are the values that an argument can have. The languages are those of
// one version, or of all if it is "".
func (s *Server) candidates(ctx context.Context, argument, version string) ([]string, error) {
	index, err := s.service.Versions(ctx)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, e := range index.Entries() {
		switch argument {
		case "version":
			all = append(append(all, e.Aliases...), e.ID.String())
		case "type":
			all = append(all, e.ID.Type())
		case "language", "from":
			if version != "" && version != e.ID.String() && !slices.Contains(e.Aliases, version) {
				continue
			}
			if schema, err := s.service.Open(ctx, e.ID.String()); err == nil {
				all = append(all, schema.Release().Locales()...)
			}
		}
	}
	return all, nil
}
