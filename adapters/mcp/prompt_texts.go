package mcp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/review"
	"github.com/datachain-go/datachain/export/lists"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

func describeSystem(r *taxonomy.Release, given map[string]string) (string, error) {
	language := cmp.Or(given["language"], defaultLanguage(r))
	return fmt.Sprintf(`Write a datachain for the system that is described below: a JSON document that tells the people whom the system affects how it works, by placing elements of the taxonomy %[1]s. Write texts in the language %[2]s%[3]s.

Follow these steps:
1. Go through the categories below one by one. For each, say what the description answers to its question. If it answers nothing and the category is required, ask me; do not invent facts.
2. Find the elements that say it: the lists below have some; list_elements with version %[1]q and a query or a category_id finds all. Use only ids that you have seen.
3. Read what they need with get_elements (required variables, options).
4. Write the datachain: id, schema_version %[1]q, created_at, title, description, and elements with element_id, context_type_id if the category has context values, and variables, in the form that the argument datachain of validate_datachain shows. Since you wrote it, add authoring_provenance: {"kind": "ai_generated", "element_provenance": {element_id: {"rationale": "…", "confidence": "high|medium|low"}}}.
5. Call validate_datachain with version %[1]q and fix what it reports, until ok is true. Then call render_datachain with the same version and locale %[2]q, and tell me in a few sentences what you assumed and what I should check.

`, r.Version(), language, withoutLanguage(r, language)) + fenced("what I wrote about the system", given["description"]) + "\n" + describeTaxonomy(r, language), nil
}

// withoutLanguage says what happens with a language that the taxonomy does not have.
func withoutLanguage(r *taxonomy.Release, language string) string {
	if ident.IndexLocale(r.Locales(), language) >= 0 {
		return ""
	}
	return ", although the taxonomy has only " + wording.And(r.Locales()) + ": validate_datachain warns about that, which is fine"
}

// defaultLanguage is the language to write in by default.
func defaultLanguage(r *taxonomy.Release) string {
	if all := r.Locales(); len(all) > 0 && !slices.Contains(all, lists.DefaultLocale) {
		return all[0]
	}
	return lists.DefaultLocale
}

func reviewDatachain(r *taxonomy.Release, given map[string]string) (string, error) {
	return fmt.Sprintf(`Review the datachain below before it is published. It is a JSON document that tells people how a system works, by placing elements of the taxonomy %[1]s.

Follow these steps:
1. Call validate_datachain with version %[1]q (validate_resolved if the document has schema_snapshot). Report each error with its fix_hint, and each warning.
2. Call get_elements for the ids that it places, and compare: does each element say what the title and description of the datachain say? Is there a more precise one (list_elements)?
3. Go through the categories below: which questions does the datachain leave open that an affected person would ask first? What is vague, hard to understand or misleading?
4. Look at the texts: plain words, the same content in each language, working contact details, no personal data that should not be there.
Answer with a list, the most important first: where (path), what, and what to write instead. Say clearly if it can be published as it is. Do not change facts that you can't know.

`, r.Version()) + fenced("the datachain", given["datachain"]) + "\n" + describeTaxonomy(r, lists.DefaultLocale), nil
}

func explainDatachain(r *taxonomy.Release, given map[string]string) (string, error) {
	version := "the version that its schema_version names"
	if r != nil {
		version = r.Version().String()
	}
	return fmt.Sprintf(`Explain the datachain below to a person whom the system affects and who knows nothing about the subject. Write in the language %[1]q, in short sentences and everyday words.

Follow these steps:
1. Call get_elements with %[2]s for the element ids that it places, with locales [%[1]q] or the nearest that there is: their titles and descriptions say what each placement means. If the datachain has schema_snapshot, they are in there already.
2. Say in two sentences what the system is for and who is accountable for it.
3. Then answer, as far as the datachain does: What does it know about me? Who sees that, and for how long? Does a machine or a person decide? What can I do if I disagree, and whom do I ask?
4. Say what the datachain leaves open. Add nothing that it does not say, and do not judge.
5. Call render_datachain with %[2]s and locale %[1]q, so that I see it.

`, given["language"], version) + fenced("the datachain", given["datachain"]), nil
}

func addElement(r *taxonomy.Release, given map[string]string) (string, error) {
	example := "purpose.safety"
	if ids := r.ElementIDs(); len(ids) > 0 {
		example = ids[0]
	}
	return fmt.Sprintf(`I maintain a taxonomy and think that it lacks an element. Help me add it to the authoring source of the next version of %[1]s, or show me that it exists already.

Follow these steps:
1. Search with list_elements (version %[1]q, several queries in different words, fields ["id","title","description"]) for elements that say the same or nearly the same. If one says the same, tell me which, and stop: two elements for one thing confuse readers. If one says nearly the same, propose to change its text instead.
2. Choose the category; its elements answer one question. Read two of its elements with get_element, for their style and length.
3. Write the element as YAML for elements/<id>.yaml: id (category and a word, such as %[2]s), category_id, title and description as maps by language for every language of the version (%[3]s), symbol_id (one that is used already, or describe a new one of 36 x 36), and variables only if readers need a fact: {id, label, required, type: text or select with options}. A {{variable}} in a description must be in every language.
4. Titles are statements that a citizen understands in two seconds. No brand names, no jargon, no judgement.
5. Say which datachains would now need it, and remind me to run "datachain schema lint" and to publish it in a new beta version: stable versions never change.

`, r.Version(), example, strings.Join(r.Locales(), ", ")) + fenced("my idea", given["idea"]) + "\n" + describeTaxonomy(r, lists.DefaultLocale), nil
}

func translateTaxonomy(r *taxonomy.Release, given map[string]string) (string, error) {
	from, err := languageOf(r, given["from"], "translate from ")
	if err != nil {
		return "", err
	}
	to := given["to"]
	if strings.EqualFold(from, to) {
		return "", badPrompt(codes.InvalidArguments, "choose another language to translate into", "Both from and to are %s.", from)
	}
	return fmt.Sprintf(`Translate the taxonomy %[1]s from %[2]q into %[3]q. People read these texts on signs and pages about systems that affect them.

Follow these steps:
1. First make a glossary of the 20 most important terms, with the words that public bodies use in %[3]q, and show it to me.
2. Translate title and description of the version, then the categories below (name, description, prompt, labels of context values), then all elements: page through list_elements with version %[1]q, locales [%[2]q], fields ["id","title","description","variables","keywords"], limit 50, following meta.next_cursor until it is null.
3. Keep every {{variable}} and every id exactly as it is. Titles stay short statements. Keywords are what people type: find the words of %[3]q instead of translating. Use one word for one term throughout. Address readers the way public bodies do in that language.
4. Write the result as YAML, one block for each file of the authoring source, with the key %[3]s beside %[2]s, and add %[3]s to locales in schema.yaml.
5. List what could not be translated well, and why. Remind me to run "datachain schema lint", which finds missing translations, and to have a native speaker read it.

`, r.Version(), from, to) + describeTaxonomy(r, from), nil
}

func auditComprehension(r *taxonomy.Release, given map[string]string) (string, error) {
	language, err := languageOf(r, cmp.Or(given["language"], defaultLanguage(r)), "use ")
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
		found + "\n" + describeTaxonomy(r, language), nil
}

func auditCategories(r *taxonomy.Release, given map[string]string) (string, error) {
	language, err := languageOf(r, cmp.Or(given["language"], defaultLanguage(r)), "use ")
	if err != nil {
		return "", err
	}
	signs := []string{"near-duplicate", "title-length", "description-short"}
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

`, r.Version()) + found + "\n" + describeTaxonomy(r, language), nil
}

func designSymbol(r *taxonomy.Release, given map[string]string) (string, error) {
	e, ok := r.Element(given["element_id"])
	if !ok {
		return "", badPrompt(codes.InvalidArguments, "use "+cmp.Or(similar.Nearest(given["element_id"], slices.Values(r.ElementIDs())), "an id that list_elements returns"),
			"The version %s has no element %s.", r.Version(), quoteASCII(given["element_id"]))
	}
	c, _ := r.Category(e.CategoryID)
	locales := append([]string{defaultLanguage(r)}, r.Locales()...)
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
		fenced("its symbol today, "+e.SymbolID, wording.Cut(symbol, maxSymbolShown)) +
		"\nThe other elements of the category:\n" + strings.Join(around, "\n") + "\n", nil
}

// maxSymbolShown is how much of the text of a symbol a prompt shows.
const maxSymbolShown = 4000
