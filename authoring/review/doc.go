// Package review reports what makes a schema version hard to understand, from signs that
// can be measured: long texts, reading level, abbreviations that nothing spells out,
// passive or negated questions, translations of very different length, elements that say
// nearly the same, and icons that look alike.
//
//	report, err := review.Release(release, nil)
//
// A sign is not a mistake. Lint reports mistakes; a review says where a steward should look
// first, and sorts by how much there is to look at. [Signs] lists all signs with their
// limits, which [Options] can change.
//
// The package reads releases, so it is above [taxonomy], and it finds near duplicates with
// package search and compares drawings with package icons, so it is above these, too.
// Nothing in them depends on it.
package review
