package profile_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register/profile"
)

// The yearly list of a council, of a profile of its own.
func Example() {
	p, issues := profile.Parse("council.yaml", []byte(`
id: lindenau-council
types: [ai]
locale: en
output: {format: json}
fields:
  - {name: name, title: System, max: 80, required: true, from: [{path: title}]}
  - {name: supplier, title: Supplier, from: [{element: accountable.supplier, text: "{role.name}"}]}
  - name: personal
    title: Personal data
    type: choice
    choices: {y: "yes", n: "no"}
    from: [{has: {role: data, context: [personal, sensitive]}, then: y, else: n}]
  - {name: officer, title: Seen by the data protection officer, type: date, required: {personal: [y]}}
`))
	if len(issues) > 0 {
		log.Fatal(issues)
	}
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	e, _ := documents.Find("benefits.json")
	_, shown, err := service.Present(context.Background(), e.Text)
	if err != nil {
		log.Fatal(err)
	}
	report := p.Report(shown, nil)
	if err := report.Write(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
	for _, f := range report.Findings {
		fmt.Printf("%s: %s: %s\n", f.Field, f.Kind, f.Message)
	}
	// Output:
	// {
	//   "name": "Checking requests for housing benefit",
	//   "supplier": "Fairdesk Cooperative",
	//   "personal": "yes"
	// }
	// officer: missing: write register.filings[].answers.officer
}
