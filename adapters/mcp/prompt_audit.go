package mcp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/review"
	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func auditComprehension(r *taxonomy.Release, given map[string]string) (string, error) {
	language, err := languageOf(r, given["language"])
	if err != nil {
		return "", err
	}
	only, err := categoryOf(r, given["category_id"])
	if err != nil {
		return "", err
	}
	filter := ""
	if only != "" {
		filter = fmt.Sprintf(", category_id %q", only)
	}
	found := measured(r, &review.Options{Locales: []string{language}}, func(s *review.Subject) bool {
		return only == "" || belongsTo(r, s, only)
	})
	return fmt.Sprintf(`Find out how well people understand the taxonomy %[1]s in the language %[2]q. Its readers see these texts on signs and pages about systems that affect them, and know nothing about the subject.

Follow these steps:
1. Go through the signs below, which a program has measured. They are hints, not mistakes: read each element with get_element (version %[1]q), and decide whether a reader would stumble. Say with which signs you disagree, and why.
2. Page through list_elements with version %[1]q%[3]s, locales [%[2]q], fields ["id","title","description"], limit 50, following meta.next_cursor until it is null. Ask of each element: What is it? What does it mean for me? Note it if you can't answer, or if two answers are possible.
3. Look for what can't be measured: words that only experts use, titles that would fit another element as well, descriptions that begin with the technology instead of the reader, promises that a text can't keep, and judgement.
4. Rewrite the ten texts that need it most. For each: the id, the problem in a sentence, and title and description before and after, for every language of the version (%[4]s). Keep every {{variable}}. A title has at most %[5]g words, a sentence at most %[6]g, a description at most %[7]g.
5. Say which of your changes alter the meaning for documents that place the element ("datachain schema diff" calls them notable). Remind me to run "datachain schema review" again, and to have the new texts read by people who do not work with us.

`, r.Version(), language, filter, strings.Join(r.Locales(), ", "), limitOf("title-length"), limitOf("sentence-length"), limitOf("description-length")) +
		found + "\n" + describe(r, language), nil
}

func auditCategories(r *taxonomy.Release, given map[string]string) (string, error) {
	language, err := languageOf(r, given["language"])
	if err != nil {
		return "", err
	}
	signs := []string{"near-duplicate", "passive-question", "negated-question", "title-length", "description-short"}
	found := measured(r, &review.Options{Locales: []string{language}, Signs: signs}, func(s *review.Subject) bool {
		return s.Kind == review.KindCategory || s.Kind == review.KindElement && s.Findings[0].Sign == "near-duplicate"
	})
	return fmt.Sprintf(`Find out whether the categories of the taxonomy %[1]s divide its subject well. A category is a question that a datachain answers for the people whom a system affects; its elements are the answers.

Follow these steps:
1. For each category below, write down the question that its elements answer, before you look at its prompt. Compare: does the prompt ask the same, in the active voice and without a negation?
2. Find the elements that do not answer the question of their category, and those that would fit two categories. Read them with get_elements (version %[1]q) before you judge.
3. Compare the categories with one another: which two would an author mix up, and what distinguishes them? Which elements say nearly the same in two categories?
4. Ask what an affected person would want to know first, such as: Who is behind it? What does it know about me? Who decides? What can go wrong? What can I do? Which question has no category, and which category answers nobody's question?
5. Look at sizes: a category with more than about fifteen elements is hard to search by eye, one with a single element may belong to another. Look at what is required: can an honest author always answer it?
Answer with a table (category, its question, verdict), then at most five changes, the most useful first. For each, write the YAML that changes, with renamed_from for categories and successors (replaced_by, removed) for elements, so that documents can follow, and say what "datachain schema diff" would call breaking. If the categories are good, say so and propose nothing.

`, r.Version()) + found + "\n" + describe(r, language), nil
}

func designSymbol(r *taxonomy.Release, given map[string]string) (string, error) {
	e, ok := r.Element(given["element_id"])
	if !ok {
		return "", badPrompt(issue.CodeInvalidArguments, "use "+cmp.Or(nearest.One(given["element_id"], slices.Values(r.ElementIDs())), "an id that list_elements returns"),
			"The version %s has no element %s.", r.Version(), quote(given["element_id"]))
	}
	c, _ := r.Category(e.CategoryID)
	locales := append([]string{usualLanguage(r)}, r.Locales()...)
	found := measured(r, &review.Options{Signs: []string{"same-icon", "like-icon"}}, func(s *review.Subject) bool {
		return slices.ContainsFunc(s.Findings, func(f review.Finding) bool { return slices.Contains(f.Others, e.ID) })
	})
	var around []string
	for _, other := range r.ElementsOf(c.ID) {
		if other != e && len(around) < maxListed {
			around = append(around, fmt.Sprintf("- %s: %s, symbol %s", other.ID, oneLine(other.FillIn(other.Title, nil, locales...)), other.SymbolID))
		}
	}
	symbol, _ := r.Symbol(e.SymbolID)
	return fmt.Sprintf(`Design a symbol for the element %[2]s of the taxonomy %[1]s: %[3]s. Its icon is the symbol on the shape %[4]q, which it shares with all elements of the category %[5]s.

Follow these steps:
1. Say in one sentence what a reader should think of when seeing the icon without its title. Find three different things to draw that say it, each known in many countries, none of them a brand, a gesture or a stereotype.
2. Compare them with the other elements of the category below, and look at some of their icons (get_icon_url with version %[1]q). Choose the one that nobody would take for another element, at a size of 24 pixels.
3. Draw it as SVG: <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">. Keep the drawing between 9 and 27 in both directions, with gaps of at least 2. Use path, rect, circle, ellipse, line, polyline, polygon and g, with currentColor as the only colour; to cut a shape out of another one, paint it with var(--icon-fill, #fff). No text, style sheets, images, filters or scripts.
4. Check it: it must be clear in black on white and in white on black, and at 24 pixels. Remove every detail that is lost there.
5. Answer with the SVG, the reason for your choice, and what you rejected. Remind me to save it as symbols/<symbol_id>.svg, to set symbol_id of the element, and to run "datachain schema lint", "datachain icons sheet" and "datachain schema review --only same-icon,like-icon".

`, r.Version(), e.ID, oneLine(e.FillIn(e.Title, nil, locales...)), c.Shape, c.ID) + found +
		"\nThe element says: " + oneLine(e.FillIn(e.Description, nil, locales...)) + "\n\n" +
		fenced("its symbol today, "+e.SymbolID, prose.Cut(symbol, maxSymbolShown)) +
		"\nThe other elements of the category:\n" + strings.Join(around, "\n") + "\n", nil
}

// maxSymbolShown is how much of the text of a symbol a prompt shows.
const maxSymbolShown = 4000

// languageOf returns the language to read a release in: one that it has.
func languageOf(r *taxonomy.Release, language string) (string, error) {
	language = cmp.Or(language, usualLanguage(r))
	at := slices.IndexFunc(r.Locales(), func(l string) bool { return strings.EqualFold(l, language) })
	if at < 0 {
		return "", badPrompt(issue.CodeInvalidArguments, "use "+prose.Or(r.Locales()), "The version %s has no texts in %s; it has %s.", r.Version(), plain(prose.Clip(language)), prose.And(r.Locales()))
	}
	return r.Locales()[at], nil
}

// categoryOf checks a category id, which may be empty.
func categoryOf(r *taxonomy.Release, id string) (string, error) {
	if _, ok := r.Category(id); ok || id == "" {
		return id, nil
	}
	var ids []string
	for _, c := range r.Categories() {
		ids = append(ids, c.ID)
	}
	return "", badPrompt(issue.CodeInvalidArguments, "use one of "+strings.Join(ids[:min(len(ids), 30)], ", "), "The version %s has no category %s.", r.Version(), quote(id))
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
		left = fmt.Sprintf("The version is large, so elements were not compared with one another: run \"datachain schema review\" for %s.\n", prose.And(slow))
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
