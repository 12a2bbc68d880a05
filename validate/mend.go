package validate

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const (
	// maxRounds bounds [Mend]: an edit can uncover another, but not for ever.
	maxRounds = 8
	// maxAlone is how many edits are tried one by one.
	maxAlone = 64
)

// Mend judges a document and makes the edits that its issues describe, until
// there are none or they change nothing. An edit is not made that would make two
// names the same, and so place something once too often, or spoil the shape. It
// returns the document as it is then, its result, and the issues that are gone:
// those of the document as it was that the result does not have. Judge is how to
// judge, such as a call of [Instance].
//
// An issue without an edit can be gone with another, and an edit can uncover
// issues that the document as it was did not show. Where the result says that
// there are more findings than it lists, what it does not list counts as gone.
func Mend(doc *document.Document, judge func(*document.Document) (*Result, error)) (*document.Document, *Result, issue.Issues, error) {
	first, err := judge(doc)
	if err != nil {
		return nil, nil, nil, err
	}
	m := mending{doc, first, judge}
	for range maxRounds {
		changed, err := m.try(m.result.Issues)
		if err != nil {
			return nil, nil, nil, err
		}
		if !changed {
			break
		}
	}
	return m.doc, m.result, gone(first.Issues, m.result.Issues), nil
}

// mending is a document on its way to fewer issues.
type mending struct {
	doc    *document.Document
	result *Result
	judge  func(*document.Document) (*Result, error)
}

// try makes the edits that the issues describe, all at once or, where that does
// not do, those that do one by one. It reports whether it made any.
func (m *mending) try(issues issue.Issues) (bool, error) {
	text, applied := ApplyFixes(m.doc, issues)
	if len(applied) == 0 {
		return false, nil
	}
	doc, err := document.Parse(text)
	if err != nil {
		return false, fmt.Errorf("validate: a fix breaks the document: %w", err)
	}
	result, err := m.judge(doc)
	if err != nil {
		return false, err
	}
	if harmless(m.result, result) {
		m.doc, m.result = doc, result
		return true, nil
	}
	changed := false
	if len(applied) == 1 {
		return changed, nil
	}
	for _, i := range applied[:min(len(applied), maxAlone)] {
		alone, err := m.try(issue.Issues{i})
		if err != nil {
			return false, err
		}
		changed = changed || alone
	}
	return changed, nil
}

// crowded are the issues of things that are there once too often. An edit that
// gives rise to one has made two names the same, so it was no slip.
var crowded = []issue.Code{
	issue.CodeInstanceCategoryTooMany, issue.CodeInstanceElementTooMany, issue.CodeInstanceVariableDuplicate,
	issue.CodeInstanceElementInstanceIDDuplicate, issue.CodeInstanceElementInstanceIDCollides,
	issue.CodeInstanceSubchainInstanceIDDuplicate, issue.CodeElementIDCollision,
}

// harmless reports whether an edit has not made two names the same, nor spoilt
// the shape, which would hide the rest. That it uncovers another issue is no harm.
func harmless(before, after *Result) bool {
	count := func(r *Result, codes ...issue.Code) (n int) {
		for _, i := range r.Issues {
			if slices.Contains(codes, i.Code) {
				n++
			}
		}
		return n
	}
	spoilt := count(before, issue.CodeParseError) == 0 && count(after, issue.CodeParseError) > 0
	return !spoilt && count(after, crowded...) <= count(before, crowded...)
}

// gone returns the issues of before that are not in after.
func gone(before, after issue.Issues) issue.Issues {
	// What is still there may have got another message, since what it names was
	// mended, or another path, since a key in that was. So pairs are made of
	// issues that are the same, then of those that are nearly.
	for _, same := range []func(*issue.Issue) identity{
		func(i *issue.Issue) identity { return identity{i.Code, i.Path.String(), i.Message} },
		func(i *issue.Issue) identity { return identity{i.Code, i.Path.String(), ""} },
		func(i *issue.Issue) identity { return identity{i.Code, "", i.Message} },
	} {
		before, after = without(before, after, same), without(after, before, same)
	}
	return before
}

// identity is what two issues have in common that are taken for one.
type identity struct {
	code          issue.Code
	path, message string
}

// without returns a copy of the issues without as many of an identity as there
// are among the others.
func without(issues, others issue.Issues, same func(*issue.Issue) identity) issue.Issues {
	there := make(map[identity]int, len(others))
	for i := range others {
		there[same(&others[i])]++
	}
	left := issue.Issues{}
	for i := range issues {
		if id := same(&issues[i]); there[id] > 0 {
			there[id]--
		} else {
			left = append(left, issues[i])
		}
	}
	return left
}
