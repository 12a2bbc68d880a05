package product

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// gapCodes are the findings about open categories that a body which uses the product resolves.
var gapCodes = []issue.Code{
	codes.RequiredCategoryMissing, codes.ElementRequired, codes.ContextTypeMissing, codes.InstanceRequiredVariableMissing,
}

// Check returns what is wrong with a product besides its gaps. It is given what validating the
// document found. A gap is an empty value and, in open categories, whatever is missing. The
// product can be used if nothing that Check returns is an error.
func Check(doc *document.Document, found issue.Issues) issue.Issues {
	p, _ := Of(doc)
	wrong := issue.Issues{}
	for _, i := range found {
		switch {
		case i.Code == codes.InstanceVariableValueEmpty:
			continue
		case slices.Contains(gapCodes, i.Code) && i.About.Category != "" && slices.Contains(p.Open, i.About.Category):
			continue
		case i.Code == codes.RegisterInvalid:
			i.Severity = issue.SeverityError
		}
		wrong = append(wrong, i)
	}
	report := func(v document.Value, hint, format string, args ...any) {
		wrong = append(wrong, issue.Issue{
			Code: codes.RegisterInvalid, Severity: issue.SeverityError, Path: v.Path(), Message: fmt.Sprintf(format, args...), FixHint: hint,
		})
	}
	root := doc.Root()
	for _, key := range []string{"schema_snapshot", "suggested_elements"} {
		if v, ok := root.Get(key); ok {
			report(v, "remove it, and pin a published version", "A product can't have %s: documents that are based on it can pin a newer version.", key)
		}
	}
	elements, _ := root.Get("elements")
	if elements.Kind() != '[' {
		return wrong
	}
	times := make(map[string]int)
	for v := range elements.All() {
		id, _ := v.Get("element_id")
		times[id.Text()]++
	}
	for v := range elements.All() {
		id, _ := v.Get("element_id")
		if named, _ := v.Get("element_instance_id"); times[id.Text()] > 1 && id.Text() != "" && named.Text() == "" {
			if len(wrong) > maxWrong {
				break
			}
			report(v, "add an element_instance_id, so that later editions can say which one they change",
				"The element %s is placed %d times, and this placement has no element_instance_id.", ident.Name(id.Text()), times[id.Text()])
		}
	}
	return wrong
}

// maxWrong is how many findings are enough.
const maxWrong = 1000
