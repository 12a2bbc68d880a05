package validate_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// diagnostic is what an editor shows.
type diagnostic struct {
	start, end position
	severity   issue.Severity
	message    string
	// fix has the edits of the quick fix, if there is one.
	fix []document.Edit
}

type position struct{ line, character int }

// An editor validates a document after each change: offline, with the ranges to underline in
// the units of the Language Server Protocol (lines from 0, columns in UTF-16 units from 0).
func ExampleMark() {
	release, err := openSample("sensor@latest")
	if err != nil {
		log.Fatal(err)
	}
	example, _ := documents.Find("air-station.json")
	text := string(example.Text)
	// The user edits the document.
	for _, change := range []struct{ what, old, new string }{
		{"opens the document", "", ""},
		{"misspells an element", `"device.station"`, `"device.staton"`},
		{"adds a leaf and a comma", `square"}]`, `square 🌿"},]`},
		{"removes the comma", `},]`, `}]`},
		{"writes Italian", `[{"locale": "en"`, `[{"locale": "it"`},
	} {
		text = strings.Replace(text, change.old, change.new, 1)
		fmt.Println("The user " + change.what + ".")
		for _, d := range diagnose(release, []byte(text)) {
			fmt.Printf("  %d:%d-%d:%d %s: %s\n", d.start.line, d.start.character, d.end.line, d.end.character, d.severity, d.message)
			if len(d.fix) > 0 {
				fixed, err := document.ApplyEdits([]byte(text), d.fix)
				if err != nil {
					log.Fatal(err)
				}
				text = string(fixed)
				fmt.Println("  The user applies the quick fix.")
				break
			}
		}
	}
	// Output:
	// The user opens the document.
	// The user misspells an element.
	//   7:19-7:34 error: There is no element "device.staton" in sensor@2026-11-15-stable.
	//   The user applies the quick fix.
	// The user adds a leaf and a comma.
	//   2:68-2:68 error: extra comma: remove it
	// The user removes the comma.
	// The user writes Italian.
	//   2:23-2:27 warning: The locale "it" is not one of the locales of sensor@2026-11-15-stable: en, fr, es, de, nl.
}

// openSample reads a release once. After that no store or network is needed.
func openSample(version string) (*taxonomy.Release, error) {
	store, err := published.Store()
	if err != nil {
		return nil, err
	}
	ref, err := taxonomy.ParseRef(version)
	if err != nil {
		return nil, err
	}
	return taxonomy.Open(context.Background(), store, ref)
}

// diagnose returns what to show for a text.
func diagnose(release *taxonomy.Release, text []byte) []diagnostic {
	doc, err := document.Parse(text)
	if syntax, ok := errors.AsType[*document.SyntaxError](err); ok {
		at := inUTF16(syntax.Point) // incomplete JSON
		return []diagnostic{{start: at, end: at, severity: issue.SeverityError, message: syntax.Reason}}
	}
	// Partial keeps findings while a field is being typed.
	result, err := validate.Instance(release, doc, &validate.Options{Strict: true, Partial: true})
	if err != nil {
		return nil // only Options.Interrupt can fail
	}
	var found []diagnostic
	for _, i := range result.Issues {
		span := validate.Mark(doc, i)
		edits, _ := validate.Edits(doc, issue.Issues{i})
		found = append(found, diagnostic{
			start: inUTF16(span.Start), end: inUTF16(span.End), severity: i.Severity, message: i.Message, fix: edits,
		})
	}
	return found
}

// inUTF16 converts a point to the units of the Language Server Protocol.
func inUTF16(p document.Point) position { return position{p.Line - 1, p.UTF16 - 1} }
