package datachain_test

import (
	"context"
	"fmt"
	"log"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// codeFrenchMissing is the code of the rule. Codes are stable, so choose them
// carefully, with a prefix that keeps them apart from others.
const codeFrenchMissing issue.Code = "lindenau_french_missing"

// french is a rule: a value with a name, a description, its codes and a function.
// The function gets a well-formed document and reports what it finds. It cannot
// stop other rules.
var french = &validate.Rule{
	Name:  "french",
	Doc:   "Every text that people read is also in French.",
	Codes: []issue.Code{codeFrenchMissing},
	Run: func(_ context.Context, p *validate.Pass) error {
		inFrench(p, issue.Root.Key("title"), p.Instance.Title)
		inFrench(p, issue.Root.Key("description"), p.Instance.Description)
		for placed := range p.Placements() {
			for i, v := range placed.Variables {
				inFrench(p, placed.Path().Key("variables").Index(i).Key("value"), v.Text)
			}
		}
		return nil
	},
}

func inFrench(p *validate.Pass, at issue.Path, text taxonomy.Localized) {
	if len(text) == 0 {
		return // missing, or a list of options
	}
	if _, ok := text.Get("fr"); ok {
		return
	}
	p.Report(issue.Issue{
		Code: codeFrenchMissing, Severity: issue.SeverityWarning, Path: at,
		Message: fmt.Sprintf("%q is not translated into French.", text.Pick("en")),
		FixHint: `add {"locale": "fr", "value": "…"}`,
	})
}

// A rule of a program beside the built-in ones: every text that people read must also be in French.
func ExampleOptions() {
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	// A program without a service can set the rules in validate.Options.
	service, err := datachain.New(store, &datachain.Options{Rules: []*validate.Rule{french}})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"benefits.json", "air-station.json"} {
		e, _ := documents.Find(name)
		verdict, err := service.Validate(context.Background(), e.Text, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %d findings\n", e.Name, len(verdict.Issues))
		for _, i := range verdict.Issues {
			fmt.Println("  ", i)
		}
	}
	// Output:
	// benefits.json: 0 findings
	// air-station.json: 3 findings
	//    warning lindenau_french_missing at title: "Air on the market square" is not translated into French. (add {"locale": "fr", "value": "…"})
	//    warning lindenau_french_missing at elements[3].variables[0].value: "Town of Lindenau" is not translated into French. (add {"locale": "fr", "value": "…"})
	//    warning lindenau_french_missing at elements[3].variables[1].value: "environment@lindenau.example" is not translated into French. (add {"locale": "fr", "value": "…"})
}
