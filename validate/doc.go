// Package validate says what is wrong with a datachain: every problem with its
// code, its place and what to do about it.
//
// [Instance] judges a document against the release that it is written for,
// [Resolved] one that carries its own slice of the schema. Both take a
// [document.Document], which has passed the strict JSON decoder, check its
// shape and, where that is good, run a suite of rules: a document that is
// misshapen in one place has only its shape judged. They do no I/O and keep no
// state, so an editor can call them at every keystroke.
//
//	doc, err := taxonomy.ParseDocument(text)
//	…
//	result, err := validate.Instance(release, doc, nil)
//	…
//	for _, issue := range result.Issues {
//		fmt.Println(issue)
//	}
//
// A [Rule] is a value. A program adds its own with [Options.Rules].
package validate
