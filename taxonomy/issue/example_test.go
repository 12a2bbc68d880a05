package issue_test

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

func ExamplePath() {
	path := issue.Root.Key("authoring_provenance").Key("element_provenance").Key("purpose.safety").Key("source_references").Index(0)
	fmt.Println(path)
	parsed, err := issue.ParsePath(path.String())
	fmt.Println(parsed.Equal(path), err)
	// Output:
	// authoring_provenance.element_provenance["purpose.safety"].source_references[0]
	// true <nil>
}
