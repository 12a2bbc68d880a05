package diff

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/taxonomy"
)

// localeRemoved: texts in the language are still accepted, with a warning.
func localeRemoved(pair, *Change) string {
	return "texts of a document in this language are no longer of an allowed locale"
}

// typeChanged: a document pins a version of its datachain type, so all of its
// references lead elsewhere.
func typeChanged(pair, *Change) string {
	return "documents are of another datachain type"
}

// subchainRemoved: subchain_instances name the subchain.
func subchainRemoved(pair, *Change) string {
	return "a document that runs through the subchain names one that is gone"
}

// categoryRemoved: documents name no category, only its elements.
func categoryRemoved(p pair, c *Change) string {
	if len(p.before.ElementsOf(c.ID)) == 0 {
		return ""
	}
	return "its elements are gone or belong to another category"
}

// minimumRaised: a required category wants one placement, whatever its
// cardinality says, so the two are judged together.
func minimumRaised(p pair, c *Change) string {
	least := func(r *taxonomy.Release) int {
		switch category, ok := r.Category(c.ID); {
		case !ok:
			return 0
		case category.Required:
			return max(category.Cardinality.Min, 1)
		default:
			return category.Cardinality.Min
		}
	}
	before, after := least(p.before), least(p.after)
	if after <= before {
		return ""
	}
	return fmt.Sprintf("a document must place at least %d of its elements (before: %d)", after, before)
}

// maximumLowered: no maximum is the highest.
func maximumLowered(p pair, c *Change) string {
	before, _ := p.before.Category(c.ID)
	after, _ := p.after.Category(c.ID)
	if !lowered(before.Cardinality.Max, after.Cardinality.Max) {
		return ""
	}
	return fmt.Sprintf("a document may place at most %d of its elements (before: %s)", after.Cardinality.Max, limit(before.Cardinality.Max))
}

// contextValueRemoved: placements name context values. Where the category had
// no elements, there are none.
func contextValueRemoved(p pair, c *Change) string {
	if len(p.before.ElementsOf(c.ID)) == 0 {
		return ""
	}
	return "a placement that chose the context value names one that is gone"
}

// contextRequired: placements could leave the choice open.
func contextRequired(p pair, c *Change) string {
	after, _ := p.after.Category(c.ID)
	if !after.Context.Required || len(p.before.ElementsOf(c.ID)) == 0 {
		return ""
	}
	return "a placement must now choose a context value"
}

// elementRemoved: placements name elements.
func elementRemoved(pair, *Change) string {
	return "a document that places the element names one that is gone"
}

// elementMoved: what a placement may hold and what its document must place both
// follow from the category.
func elementMoved(pair, *Change) string {
	return "a placement of the element falls under the rules of another category"
}

// placementsLowered: no maximum is the highest.
func placementsLowered(p pair, c *Change) string {
	before, _ := p.before.Element(c.ID)
	after, _ := p.after.Element(c.ID)
	if !lowered(before.MaxPlacements, after.MaxPlacements) {
		return ""
	}
	return fmt.Sprintf("a document may have at most %d of its placements (before: %s)", after.MaxPlacements, limit(before.MaxPlacements))
}

// iconVariantRemoved: the variant is part of addresses.
func iconVariantRemoved(pair, *Change) string {
	return "addresses of the icon in this variant lead nowhere"
}

// variableRemoved: placements fill in variables.
func variableRemoved(pair, *Change) string {
	return "a placement that fills in the variable names one that is gone"
}

// variableRequired holds for new variables and for those that were optional.
func variableRequired(p pair, c *Change) string {
	after, _ := p.after.Element(c.ID)
	if v, ok := after.Variable(c.Path[1].Name()); !ok || !v.Required {
		return ""
	}
	return "a placement must now fill in the variable"
}

// variableTypeChanged: the type says what a value looks like.
func variableTypeChanged(pair, *Change) string {
	return "a value of the variable has the wrong form"
}

// optionRemoved: values of select variables name options.
func optionRemoved(pair, *Change) string {
	return "a placement that chose the option names one that is gone"
}

// optionNarrowed judges each step by which a list of elements narrows: the
// element leaves the list, or the list that stood for every element gets its
// first entries, and the element is not among them.
func optionNarrowed(p pair, c *Change) string {
	before, after := appliesTo(p.before, c), appliesTo(p.after, c)
	if len(after) == 0 || slices.Contains(after, c.ID) {
		return ""
	}
	left := c.Kind == Removed && c.Path[5].Name() == c.ID
	if began := c.Kind == Added && len(before) == 0; !left && !began {
		return ""
	}
	return "a placement that chose the option may not do so any more"
}

// appliesTo returns the list that a path below an option of an element is about.
func appliesTo(r *taxonomy.Release, c *Change) []string {
	e, _ := r.Element(c.ID)
	v, _ := e.Variable(c.Path[1].Name())
	for _, o := range v.Options {
		if o.ID == c.Path[3].Name() {
			return o.AppliesTo
		}
	}
	return nil
}

// lowered compares maxima, of which 0 means any number.
func lowered(before, after int) bool {
	return after != 0 && (before == 0 || after < before)
}

func limit(n int) string {
	if n == 0 {
		return "any number"
	}
	return strconv.Itoa(n)
}
