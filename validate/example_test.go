package validate_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// A resolved document has its own part of the schema and is validated without a
// store. Compared with the release, changes to that part show.
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
	// true [warning SNAPSHOT_NOT_COMPARED at schema_version: The snapshot was not compared with kiosk@2026-04-01-stable, because that version is not published. (check schema_version, or upgrade to a published version)]
	// true []
	// true [warning SNAPSHOT_NOT_COMPARED at schema_version: The snapshot was not compared with kiosk@2026-04-01-stable, because that version is not published. (check schema_version, or upgrade to a published version)]
	// false [error snapshot_drift at schema_snapshot.elements[0]: The element purpose.service differs from the one in kiosk@2026-04-01-stable. (resolve the document again)]
}

// An editor keeps its findings while a field is being typed: the first placement has
// no element_id yet, and the second is still unknown.
func ExampleInstance_partial() {
	doc, err := document.Parse([]byte(`{
		"id": "ticket-kiosk",
		"schema_version": "kiosk@2026-04-01-stable",
		"created_at": "2026-06-01T10:00Z",
		"elements": [{"element_id": ""}, {"element_id": "purpose.servce"}]
	}`))
	if err != nil {
		log.Fatal(err)
	}
	result, err := validate.Instance(kiosk(), doc, &validate.Options{Partial: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range result.Issues {
		fmt.Println(i.Code, i.Path)
	}
	// Output:
	// parse_error elements[0].element_id
	// INSTANCE_ELEMENT_UNKNOWN elements[1].element_id
}

// A program adds its own rules, with its own codes.
func ExampleRule() {
	signature := &validate.Rule{
		Name:  "signature",
		Doc:   "A contact has signed the document.",
		Codes: []issue.Code{"ACME_SIGNATURE_MISSING"},
		Run: func(_ context.Context, p *validate.Pass) error {
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
			return nil
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
