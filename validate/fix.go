package validate

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Edits returns the fixes of issues as edits of the text of a document, in order, and
// the issues that they fix. They keep the white space and the order of the document,
// and those of one issue are independent of the others. It omits a fix that changes
// nothing, overlaps one before it, would give an object the same key twice, can't be
// applied to the document, or touches what is not settled; see [document.Document.Settled].
func Edits(doc *document.Document, issues issue.Issues) ([]document.Edit, issue.Issues) {
	var edits []change
	editor := edit.New(doc)
	for _, i := range issues {
		if i.Fix == nil {
			continue
		}
		if e, ok := newChange(doc, editor, i.Fix); ok && doc.Settled(e.at) {
			e.issue = i
			edits = append(edits, e)
		}
	}
	slices.SortStableFunc(edits, func(a, b change) int { return a.at.Start - b.at.Start })

	var made []document.Edit
	applied := issue.Issues{}
	keys := make(map[newKey]bool)
	end, added := 0, -1 // of the last edit, and of the last addition
	for _, e := range edits {
		addition := e.at.Start == e.at.End
		switch {
		case e.at.Start < end, e.key != (newKey{}) && keys[e.key]:
			continue
		case addition && e.at.Start == added: // both would add their own comma
			continue
		case addition:
			added = e.at.Start
		}
		made = append(made, e.small(doc.Text())...)
		end, keys[e.key] = e.at.End, true
		applied = append(applied, e.issue)
	}
	return made, applied
}

// small returns the change as edits: two insertions if the new text contains the old one.
func (e *change) small(text []byte) []document.Edit {
	if old := text[e.at.Start:e.at.End]; len(old) > 0 {
		if before, after, found := bytes.Cut(e.text, old); found {
			return slices.DeleteFunc([]document.Edit{
				{Range: document.Range{Start: e.at.Start, End: e.at.Start}, Text: before},
				{Range: document.Range{Start: e.at.End, End: e.at.End}, Text: after},
			}, func(e document.Edit) bool { return len(e.Text) == 0 })
		}
	}
	return []document.Edit{{Range: e.at, Text: e.text}}
}

// change is the change of the text that a fix describes.
type change struct {
	at    document.Range
	text  []byte
	key   newKey
	issue issue.Issue
}

// newKey is a key that an edit gives to an object, which is identified by its offset.
// The zero newKey is none.
type newKey struct {
	object int
	key    string
}

// newChange returns the change of a fix, if it can be applied to the document.
func newChange(doc *document.Document, editor *edit.Editor, f *issue.Fix) (change, bool) {
	v, there := doc.Find(f.Path)
	if f.Remove {
		return newRemoval(doc, v, f.Path)
	}
	if f.Key == "" && !jsontext.Value(f.Value).IsValid() {
		return change{}, false
	}
	if there && f.Key == "" {
		return change{at: v.Range(), text: f.Value}, !bytes.Equal(v.Raw(), f.Value)
	}
	if len(f.Path) == 0 || !there && f.Key != "" {
		return change{}, false
	}
	last := len(f.Path) - 1
	object, ok := doc.Find(f.Path[:last])
	if !ok || object.Kind() != '{' {
		return change{}, false
	}
	name := f.Key
	if !there {
		name = f.Path[last].Name()
	}
	if _, taken := object.Get(name); taken {
		return change{}, false
	}
	key := newKey{object.Range().Start, name}
	if there {
		return change{at: v.KeyRange(), text: quote(name), key: key}, true
	}
	added := editor.Addition(object, name, f.Value)
	return change{at: added.Range, text: added.Text, key: key}, true
}

// newRemoval returns the change that removes a member of an object.
func newRemoval(doc *document.Document, v document.Value, path issue.Path) (change, bool) {
	if v.Kind() == 0 || v.Key() == "" && v.KeyRange() == (document.Range{}) {
		return change{}, false
	}
	object, _ := doc.Find(path[:len(path)-1])
	editor := edit.New(doc)
	editor.RemoveMember(object, v.Key())
	edits := editor.Edits()
	if len(edits) != 1 {
		return change{}, false
	}
	return change{at: edits[0].Range, text: edits[0].Text}, true
}

const (
	// maxRounds bounds [FixAll]: one edit can uncover another.
	maxRounds = 8
	// maxAlone is how many edits are tried one by one.
	maxAlone = 64
)

// Fixed is what [FixAll] returns.
type Fixed struct {
	// Document is the document with the edits made. It is the original one if
	// there was nothing to edit.
	Document *document.Document
	// Edits turn the text of the original document into that of Document.
	Edits []document.Edit
	// Result is the result for Document.
	Result *Result
	// Resolved are the issues of the original result that Result does not have.
	// An issue without an edit can be among them, if the edit of another issue
	// resolved it. If Result lists only the first of many findings, an issue
	// that it does not list counts as resolved.
	Resolved issue.Issues
}

// FixAll makes the edits that the issues of a document describe, then those that
// the issues of the edited document describe, and so on until no edit is left
// that changes anything. It leaves out an edit that would break the shape of the
// document or make two names the same, and makes none in a document that is not strict.
//
// The result is that of the document; validate, usually a call of [Instance], is
// called for each edited text, and not at all if there is nothing to edit. Its
// error ends the run.
func FixAll(doc *document.Document, result *Result, validate func(*document.Document) (*Result, error)) (*Fixed, error) {
	if !doc.Strict() {
		return &Fixed{Document: doc, Result: result, Resolved: issue.Issues{}}, nil
	}
	f := fixer{text: doc.Text(), doc: doc, result: result, validate: validate}
	for range maxRounds {
		changed, err := f.try(f.result.Issues)
		if err != nil {
			return nil, err
		}
		if !changed {
			break
		}
	}
	return &Fixed{Document: f.doc, Edits: f.edits, Result: f.result, Resolved: resolved(result.Issues, f.result.Issues)}, nil
}

// fixer holds the document as edited so far, and its result.
type fixer struct {
	doc      *document.Document
	result   *Result
	validate func(*document.Document) (*Result, error)
	text     []byte          // as it was given
	edits    []document.Edit // of it, that made doc
}

// try makes the edits that the issues describe: all at once or, if that does harm, one by
// one, except the harmful ones. It reports whether it made any.
func (f *fixer) try(issues issue.Issues) (bool, error) {
	edits, applied := Edits(f.doc, issues)
	if len(applied) == 0 {
		return false, nil
	}
	text, err := document.ApplyEdits(f.doc.Text(), edits)
	if err != nil {
		return false, fmt.Errorf("validate: %w", err)
	}
	doc, err := document.Parse(text)
	if err != nil {
		return false, fmt.Errorf("validate: a fix breaks the document: %w", err)
	}
	result, err := f.validate(doc)
	if err != nil {
		return false, err
	}
	if harmless(f.result, result) {
		f.doc, f.result = doc, result
		f.edits, err = document.MergeEdits(f.text, f.edits, edits)
		return true, err
	}
	if len(applied) == 1 {
		return false, nil
	}
	changed := false
	for _, i := range applied[:min(len(applied), maxAlone)] {
		alone, err := f.try(issue.Issues{i})
		if err != nil {
			return false, err
		}
		changed = changed || alone
	}
	return changed, nil
}

// duplicateCodes are the codes of duplicates. An edit that causes one has made two names the
// same, so the old name was not a typo.
var duplicateCodes = []issue.Code{
	codes.InstanceCategoryTooMany, codes.InstanceElementTooMany, codes.InstanceVariableDuplicate,
	codes.InstanceVariableValueDuplicate,
	codes.InstanceElementInstanceIDDuplicate, codes.InstanceElementInstanceIDCollides,
	codes.InstanceSubchainInstanceIDDuplicate, codes.ElementIDCollision,
}

// harmless reports whether an edit has neither made two names the same nor broken the shape,
// which would hide other findings. It may uncover other issues.
func harmless(before, after *Result) bool {
	count := func(r *Result, codes ...issue.Code) (n int) {
		for _, i := range r.Issues {
			if slices.Contains(codes, i.Code) {
				n++
			}
		}
		return n
	}
	broken := count(before, codes.ParseError) == 0 && count(after, codes.ParseError) > 0
	return !broken && count(after, duplicateCodes...) <= count(before, duplicateCodes...)
}

// resolved returns the issues of before that are not in after.
func resolved(before, after issue.Issues) issue.Issues {
	// An issue that remains can have another message, since a name in it was
	// fixed, or another path, since a key was. So issues that are the same are
	// paired first, then those that are nearly the same.
	for _, same := range []func(*issue.Issue) identity{
		func(i *issue.Issue) identity { return identity{i.Code, i.Path.String(), i.Message} },
		func(i *issue.Issue) identity { return identity{i.Code, i.Path.String(), ""} },
		func(i *issue.Issue) identity { return identity{i.Code, "", i.Message} },
	} {
		before, after = without(before, after, same), without(after, before, same)
	}
	return before
}

// identity is what issues that count as the same have in common.
type identity struct {
	code          issue.Code
	path, message string
}

// without returns issues without one for each of the same identity among the others.
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
