package mcp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/review"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// maxListed is how many elements a prompt lists; tools find the others.
const maxListed = 200

// describeTaxonomy lists the categories and elements of a release for a model.
func describeTaxonomy(r *taxonomy.Release, language string) string {
	var b strings.Builder
	locales := append([]string{language}, r.Locales()...)
	pick := func(l taxonomy.Localized) string { return oneLine(l.Pick(locales...)) }
	fmt.Fprintf(&b, "The taxonomy %s, %s. Its categories and elements:\n", r.Version(), pick(r.Manifest().Title))
	left := maxListed
	for _, c := range r.Categories() {
		fmt.Fprintf(&b, "\n## %s: %s\n%s\n", c.ID, pick(c.Name), cmp.Or(pick(c.Prompt), pick(c.Description)))
		fmt.Fprintf(&b, "%s\n", placementLimits(c))
		if len(c.Context.Values) > 0 {
			var values []string
			for _, v := range c.Context.Values {
				values = append(values, v.ID+" ("+pick(v.Label)+")")
			}
			demand := "context_type_id"
			if c.Context.Required {
				demand += " (required)"
			}
			fmt.Fprintf(&b, "%s: %s\n", demand, strings.Join(values, ", "))
		}
		elements := r.ElementsOf(c.ID)
		for _, e := range elements[:min(left, len(elements))] {
			fmt.Fprintf(&b, "- %s: %s%s\n", e.ID, oneLine(e.FillIn(e.Title, nil, locales...)), variableList(e))
		}
		if left < len(elements) {
			fmt.Fprintf(&b, "- … and %d more: list_elements with category_id %q\n", len(elements)-left, c.ID)
		}
		left -= min(left, len(elements))
	}
	return b.String()
}

// placementLimits says how many placements a category requires and allows.
func placementLimits(c *taxonomy.Category) string {
	switch {
	case c.Cardinality.Min > 0 && c.Cardinality.Max > 0:
		return fmt.Sprintf("Place %d to %d.", c.Cardinality.Min, c.Cardinality.Max)
	case c.Cardinality.Min > 0:
		return fmt.Sprintf("Place %d or more.", c.Cardinality.Min)
	case c.Required && c.Cardinality.Max > 0:
		return fmt.Sprintf("Required, at most %d.", c.Cardinality.Max)
	case c.Required:
		return "Required."
	case c.Cardinality.Max > 0:
		return fmt.Sprintf("Optional, at most %d.", c.Cardinality.Max)
	}
	return "Optional."
}

// variableList lists the variables of an element.
func variableList(e *taxonomy.Element) string {
	var names []string
	for _, v := range e.Variables {
		if v.Required {
			names = append(names, v.ID+" (required)")
		} else {
			names = append(names, v.ID)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " [variables: " + strings.Join(names, ", ") + "]"
}

// oneLine returns a text without line breaks and hidden characters.
func oneLine(s string) string { return visible(strings.Join(strings.Fields(s), " ")) }

// languageOf returns the language to read a release in: one that it has. The hint begins with
// what to do with those.
func languageOf(r *taxonomy.Release, language, hint string) (string, error) {
	at := ident.IndexLocale(r.Locales(), language)
	if at < 0 {
		return "", badPrompt(codes.InvalidArguments, hint+wording.Or(r.Locales()), "The version %s has no texts in %s; it has %s.", r.Version(), visible(wording.Clip(language)), wording.And(r.Locales()))
	}
	return r.Locales()[at], nil
}

// categoryOf checks a category id, which may be empty.
func categoryOf(r *taxonomy.Release, id string) (string, error) {
	if _, ok := r.Category(id); ok || id == "" {
		return id, nil
	}
	ids := r.Type().Categories
	return "", badPrompt(codes.InvalidArguments, "use one of "+strings.Join(ids[:min(len(ids), 30)], ", "), "The version %s has no category %s.", r.Version(), quoteASCII(id))
}

// belongsTo reports whether a subject of a review is a category or one of its elements.
func belongsTo(r *taxonomy.Release, s *review.Subject, category string) bool {
	if s.Kind == review.KindCategory {
		return s.ID == category
	}
	e, ok := r.Element(s.ID)
	return ok && s.Kind == review.KindElement && e.CategoryID == category
}

// Limits of the reviews in prompts. The signs that compare elements with one another take
// long for large versions.
const (
	maxCompared = 300 // elements
	maxSigns    = 60  // that are listed
)

// measured lists the signs of a review for a model.
func measured(r *taxonomy.Release, o *review.Options, wanted func(*review.Subject) bool) string {
	left := ""
	if len(r.ElementIDs()) > maxCompared {
		slow := []string{"near-duplicate", "like-icon"}
		if len(o.Signs) == 0 {
			for _, s := range review.Signs() {
				o.Signs = append(o.Signs, s.ID)
			}
		}
		o.Signs = slices.DeleteFunc(o.Signs, func(id string) bool { return slices.Contains(slow, id) })
		left = fmt.Sprintf("The version is large, so elements were not compared with one another: run \"datachain schema review\" for %s.\n", wording.And(slow))
	}
	report, err := review.Release(r, o)
	if err != nil || len(o.Signs) == 0 && left != "" {
		return left
	}
	var lines []string
	for i := range report.Subjects {
		if s := &report.Subjects[i]; wanted(s) {
			for _, f := range s.Findings {
				lines = append(lines, fmt.Sprintf("- %s %s (%s): %s", s.Kind, s.ID, f.Sign, oneLine(f.Message)))
			}
		}
	}
	if len(lines) == 0 {
		return left + "A program has measured nothing that needs attention.\n"
	}
	if more := len(lines) - maxSigns; more > 0 {
		lines = append(lines[:maxSigns], fmt.Sprintf("- … and %d more: \"datachain schema review\" lists them", more))
	}
	return left + "What a program has measured, most important first:\n" + strings.Join(lines, "\n") + "\n"
}

// limitOf returns the default limit of a sign.
func limitOf(sign string) float64 { return review.Lookup(sign).Limit }
