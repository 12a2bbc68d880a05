package validate_test

import (
	"fmt"
	"log"
	"strings"
	"testing/fstest"

	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/source"
	"github.com/datachain-go/datachain/validate"
)

// kiosk is a small schema version. A program would take it from a store.
func kiosk() *taxonomy.Release {
	v := taxonomy.MustVersion("kiosk@2026-04-01-stable")
	files := fstest.MapFS{}
	for name, data := range source.Starter(v) {
		files["kiosk/2026-04-01-stable/"+name] = &fstest.MapFile{Data: data}
	}
	compiled, err := source.Compile(files, v, nil)
	if err != nil {
		log.Fatal(err)
	}
	return compiled.Release
}

// A document is judged against the release that it is written for. Every
// problem comes with its place and what to do.
func ExampleInstance() {
	doc, err := document.Parse([]byte(`{
		"id": "ticket-kiosk",
		"schema_version": "kiosk@2026-04-01-stable",
		"created_at": "2026-06-01T10:00Z",
		"elements": [
			{"element_id": "purpose.servise"},
			{"element_id": "contact.office"}
		]
	}`))
	if err != nil {
		log.Fatal(err)
	}
	result, err := validate.Instance(kiosk(), doc, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ok:", result.OK())
	for _, issue := range result.Issues {
		fmt.Printf("line %d: %s\n  %s\n  %s\n", doc.Locate(issue.Path).Value.Start.Line, issue.Code, issue.Message, issue.FixHint)
	}
	// Output:
	// ok: false
	// line 6: INSTANCE_ELEMENT_UNKNOWN
	//   There is no element "purpose.servise" in kiosk@2026-04-01-stable.
	//   write purpose.service
	// line 5: REQUIRED_CATEGORY_MISSING
	//   The category purpose is required, but no placement has an element of it.
	//   place one of purpose.service
	// line 7: INSTANCE_REQUIRED_VARIABLE_MISSING
	//   The element contact.office needs the variable address (E-mail or telephone).
	//   add {"id": "address", "value": [{"locale": "en", "value": "…"}]} to variables
}

// A resolved document carries its own slice of the schema. It can be judged
// without any store; with the release at hand, tampering shows.
func ExampleResolved() {
	release := kiosk()
	thin, err := document.Parse([]byte(`{
		"id": "ticket-kiosk",
		"schema_version": "kiosk@2026-04-01-stable",
		"created_at": "2026-06-01T10:00Z",
		"elements": [{"element_id": "purpose.service"}]
	}`))
	if err != nil {
		log.Fatal(err)
	}
	bundle, err := resolve.Resolve(release, thin, nil)
	if err != nil {
		log.Fatal(err)
	}
	text := string(bundle.AppendJSON(nil))
	forged := strings.Replace(text, "Providing a service", "Watching you", 1)
	for _, text := range []string{text, forged} {
		doc, err := document.Parse([]byte(text))
		if err != nil {
			log.Fatal(err)
		}
		for _, live := range []*taxonomy.Release{nil, release} {
			result, err := validate.Resolved(live, doc, nil)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(result.OK(), result.Issues)
		}
	}
	// Output:
	// true []
	// true []
	// true []
	// false [error snapshot_drift at schema_snapshot.elements[0]: The element purpose.service differs from that of kiosk@2026-04-01-stable. (resolve the document again)]
}

// A program adds rules of its own. They see what the others see, and report
// under codes that are theirs.
func ExampleRule() {
	signature := &validate.Rule{
		Name:  "signature",
		Doc:   "Whoever is named as a contact has signed the document.",
		Codes: []issue.Code{"ACME_SIGNATURE_MISSING"},
		Run: func(p *validate.Pass) {
			for placed := range p.Placements() {
				if placed.Category == nil || placed.Category.ID != "contact" {
					continue
				}
				if _, signed := placed.Extra["x_signature"]; !signed {
					p.Report(issue.Issue{
						Code: "ACME_SIGNATURE_MISSING", Path: placed.Path().Key("x_signature"), Severity: issue.SeverityWarning,
						Message: fmt.Sprintf("The contact %s has not signed.", placed.ElementID), FixHint: "ask the contact to sign",
					})
				}
			}
		},
	}
	doc, err := document.Parse([]byte(`{
		"id": "ticket-kiosk",
		"schema_version": "kiosk@2026-04-01-stable",
		"created_at": "2026-06-01T10:00Z",
		"elements": [
			{"element_id": "purpose.service"},
			{"element_id": "contact.office", "variables": [{"id": "address", "value": [{"locale": "en", "value": "Station"}]}]}
		]
	}`))
	if err != nil {
		log.Fatal(err)
	}
	result, err := validate.Instance(kiosk(), doc, &validate.Options{Rules: []*validate.Rule{signature}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.OK(), result.Issues)
	// Output:
	// true [warning ACME_SIGNATURE_MISSING at elements[1].x_signature: The contact contact.office has not signed. (ask the contact to sign)]
}
