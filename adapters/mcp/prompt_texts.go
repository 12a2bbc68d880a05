package mcp

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

func describeSystem(r *taxonomy.Release, arguments map[string]string) (string, error) {
	language := cmp.Or(arguments["language"], defaultLanguage(r))
	return fmt.Sprintf(`Write a datachain for the system that is described below: a JSON document that tells the people whom the system affects how it works, by placing elements of the taxonomy %[1]s. Write texts in the language %[2]s%[3]s.

Follow these steps:
1. Go through the categories below one by one. For each, say what the description answers to its question. If it answers nothing and the category is required, ask me; do not invent facts.
2. Find the elements that say it: the lists below have some; list_elements with version %[1]q and a query or a category_id finds all. Use only ids that you have seen.
3. Read what they need with get_elements (required variables, options).
4. Write the datachain: id, schema_version %[1]q, created_at, title, description, and elements with element_id, context_type_id if the category has context values, and variables, in the form that the argument datachain of validate_datachain shows. Since you wrote it, add authoring_provenance: {"kind": "ai_generated", "element_provenance": {element_id: {"rationale": "…", "confidence": "high|medium|low"}}}.
5. Call validate_datachain with version %[1]q and fix what it reports, until ok is true. Then call render_datachain with the same version and locale %[2]q, and tell me in a few sentences what you assumed and what I should check.

`, r.Version(), language, withoutLanguage(r, language)) + fenced("what I wrote about the system", arguments["description"]) + "\n" + describeTaxonomy(r, language), nil
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

func reviewDatachain(r *taxonomy.Release, arguments map[string]string) (string, error) {
	return fmt.Sprintf(`Review the datachain below before it is published. It is a JSON document that tells people how a system works, by placing elements of the taxonomy %[1]s.

Follow these steps:
1. Call validate_datachain with version %[1]q (validate_resolved if the document has schema_snapshot). Report each error with its fix_hint, and each warning.
2. Call get_elements for the ids that it places, and compare: does each element say what the title and description of the datachain say? Is there a more precise one (list_elements)?
3. Go through the categories below: which questions does the datachain leave open that an affected person would ask first? What is vague, hard to understand or misleading?
4. Look at the texts: plain words, the same content in each language, working contact details, no personal data that should not be there.
Answer with a list, the most important first: where (path), what, and what to write instead. Say clearly if it can be published as it is. Do not change facts that you can't know.

`, r.Version()) + fenced("the datachain", arguments["datachain"]) + "\n" + describeTaxonomy(r, lists.DefaultLocale), nil
}

func explainDatachain(r *taxonomy.Release, arguments map[string]string) (string, error) {
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

`, arguments["language"], version) + fenced("the datachain", arguments["datachain"]), nil
}
