// Command words is a server with a subject of its own: words that the style guide of a town asks
// authors to avoid. It adds a route, a tool and a rule to those of the service.
//
//	go run ./examples/words
//	curl localhost:8081/api/v2/schemas/ai@latest/words
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

func main() {
	store, err := published.Store() // or fsstore.OpenDir("published", nil)
	if err != nil {
		log.Fatal(err)
	}
	handler, err := newHandler(store)
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Addr: "localhost:8081", Handler: handler, ConnContext: httpapi.ConnContext}
	log.Print("Serving at http://", server.Addr, "/api/v2 and /mcp")
	log.Fatal(server.ListenAndServe())
}

// newHandler returns the API and the MCP server, both with the subject.
func newHandler(store taxonomy.Store) (http.Handler, error) {
	service, err := datachain.New(store, &datachain.Options{Rules: []*validate.Rule{plainWords}})
	if err != nil {
		return nil, err
	}
	tools, err := mcp.New(service, &mcp.Options{Tools: []mcp.Tool{findWords}})
	if err != nil {
		return nil, err
	}
	return httpapi.New(service, &httpapi.Options{
		Routes: []httpapi.Route{wordsRoute},
		Mounts: []httpapi.Mount{{Path: "/mcp", Handler: tools.Handler(), Refuse: tools.Refuse}},
	})
}

// A word is one to avoid.
type word struct {
	Word    string `json:"word"`
	Instead string `json:"instead"`
}

var avoided = []word{{"entitled to", "can get"}, {"prior to", "before"}, {"third party", "another organisation"}, {"utilise", "use"}}

// find returns the words to avoid in an English text.
func find(text string) []word {
	found := []word{}
	text = strings.ToLower(text)
	for _, w := range avoided {
		if strings.Contains(text, w.Word) {
			found = append(found, w)
		}
	}
	return found
}

// plainWords is the rule: every validation reports what it finds, after the rules of the contract.
var plainWords = &validate.Rule{
	Name:  "plain_words",
	Doc:   "English texts use plain words.",
	Codes: []issue.Code{codeWord},
	Run: func(_ context.Context, p *validate.Pass) error {
		report(p, issue.Root.Key("title"), p.Instance.Title)
		report(p, issue.Root.Key("description"), p.Instance.Description)
		for placed := range p.Placements() {
			for i, v := range placed.Variables {
				report(p, placed.Path().Key("variables").Index(i).Key("value"), v.Text)
			}
		}
		return nil
	},
}

// codeWord is the code of the rule. Codes are stable, and a prefix keeps them apart from others.
const codeWord issue.Code = "lindenau_word"

func report(p *validate.Pass, at issue.Path, text taxonomy.Localized) {
	for i, t := range text {
		if t.Locale != "en" {
			continue
		}
		for _, w := range find(t.Value) {
			p.Report(issue.Issue{
				Code: codeWord, Severity: issue.SeverityWarning, Path: at.Index(i).Key("value"),
				Message: fmt.Sprintf("The text has the word %q.", w.Word), FixHint: "write " + w.Instead,
			})
		}
	}
}

// findWords is the tool: a model checks what it writes before it validates a datachain.
var findWords = mcp.Tool{
	Name: "find_words", Title: "Find words to avoid", ReadOnly: true,
	Description: "Returns the words of an English text that the style guide of Lindenau asks to avoid, and what to write instead.",
	Takes:       []mcp.Argument{{Name: "text", Kind: mcp.Text("a text", 1), Required: true, Example: `"You are entitled to help."`, Description: "The text."}},
	Returns:     "words: each with word and instead.",
	Call: func(_ context.Context, c *mcp.ToolCall) (*mcp.Answer, error) {
		return &mcp.Answer{Data: map[string]any{"words": find(c.Text("text"))}}, nil
	},
}

// wordsRoute is the route: the elements of a version whose English texts have words to avoid.
var wordsRoute = httpapi.Route{
	Pattern: "/api/v2/schemas/{version}/words",
	Read: func(_ context.Context, r *httpapi.Request) (*httpapi.Resource, error) {
		return &httpapi.Resource{Make: func(context.Context) (*httpapi.Body, error) {
			type element struct {
				ID    string `json:"id"`
				Words []word `json:"words"`
			}
			answer := struct {
				OK       bool      `json:"ok"`
				Elements []element `json:"elements"`
			}{true, []element{}}
			for _, e := range r.Schema.Release().Elements() {
				title, _ := e.Title.Get("en")
				description, _ := e.Description.Get("en")
				if words := find(title + " " + description); len(words) > 0 {
					answer.Elements = append(answer.Elements, element{e.ID, words})
				}
			}
			text, err := json.Marshal(answer)
			return &httpapi.Body{Bytes: text}, err
		}}, nil
	},
	OpenAPI: []byte(`{
  "paths": {
    "/api/v2/schemas/{version}/words": {
      "parameters": [{"$ref": "#/components/parameters/Version"}],
      "get": {
        "operationId": "listWords",
        "tags": ["Words"],
        "summary": "List elements with words to avoid",
        "responses": {
          "200": {
            "description": "The elements whose English texts have words to avoid.",
            "content": {"application/json": {"schema": {"type": "object", "required": ["ok", "elements"], "properties": {
              "ok": {"const": true},
              "elements": {"type": "array", "items": {"type": "object", "required": ["id", "words"], "properties": {
                "id": {"type": "string"},
                "words": {"type": "array", "items": {"$ref": "#/components/schemas/Word"}}
              }}}
            }}}}
          },
          "404": {"$ref": "#/components/responses/NotFound"}
        }
      }
    }
  },
  "components": {
    "schemas": {
      "Word": {"type": "object", "required": ["word", "instead"], "properties": {"word": {"type": "string"}, "instead": {"type": "string"}}}
    }
  },
  "tags": [{"name": "Words", "description": "Words to avoid."}]
}`),
}
