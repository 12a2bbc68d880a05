package issue_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// A program reports findings as values. They are easy to count, to print and to
// send as JSON.
func Example() {
	at := issue.Root.Key("elements").Index(3).Key("element_id")
	found := issue.Issues{{
		Code:     "INSTANCE_ELEMENT_UNKNOWN",
		Severity: issue.SeverityError,
		Message:  `There is no element "purpose.saftey".`,
		FixHint:  "write purpose.safety",
		Path:     at,
		Fix:      &issue.Fix{Path: at, Value: []byte(`"purpose.safety"`)},
	}}
	fmt.Println(len(found.With(issue.SeverityError)), "error")
	fmt.Println(found[0])
	if info, ok := issue.LookupCode(found[0].Code); ok {
		fmt.Println(info.Meaning)
	}
	text, err := json.Marshal(found)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// Output:
	// 1 error
	// error INSTANCE_ELEMENT_UNKNOWN at elements[3].element_id: There is no element "purpose.saftey". (write purpose.safety)
	// A placement refers to an element that the schema version does not have.
	// [{"code":"INSTANCE_ELEMENT_UNKNOWN","message":"There is no element \"purpose.saftey\".","path":"elements[3].element_id","fix_hint":"write purpose.safety","severity":"error"}]
}

func ExamplePath() {
	path := issue.Root.Key("authoring_provenance").Key("element_provenance").Key("purpose.safety").Key("source_references").Index(0)
	fmt.Println(path)
	parsed, err := issue.ParsePath(path.String())
	fmt.Println(parsed.Equal(path), err)
	// Output:
	// authoring_provenance.element_provenance["purpose.safety"].source_references[0]
	// true <nil>
}
