package document

// marks are what is known of a value in a text with syntax errors. A value of a strict document
// has none.
type marks uint8

const (
	isBroken marks = 1 << iota
	hasBrokenKey
	isUnclosed
	isOpen
	isUnsound
	isDoubtful
	isTorn // children after the place of an error can be in the wrong object or array
)

// hasAny reports whether a mark of the mask is set.
func (m marks) hasAny(mask marks) bool { return m&mask != 0 }

// Strict reports whether the document is strict JSON, as [Parse] accepts it. What hashes,
// resolves, edits or decodes a document needs a strict one.
func (d *Document) Strict() bool { return len(d.errors) == 0 }

// SyntaxErrors returns what is wrong with a document that is not strict, in the order of the text
// and at most one for each line. The first one is that of [Parse]. The caller must not change them.
func (d *Document) SyntaxErrors() []*SyntaxError { return d.errors }

// Broken reports whether the value can't be read: it is missing, a bare word, a string that is not
// closed, a number that readers would change, or one of two with the same key. The syntax error is
// all that can be said about it.
func (v Value) Broken() bool { return v.node().marks.hasAny(isBroken) }

// BrokenKey reports whether the key of the value is missing or not a string. [Value.Key] returns
// its text, which may be what was meant.
func (v Value) BrokenKey() bool { return v.node().marks.hasAny(hasBrokenKey) }

// Closed reports whether an object, array or string has its closing bracket or quote. It is true
// for other values.
func (v Value) Closed() bool { return !v.node().marks.hasAny(isUnclosed) }

// Open reports whether an object or array may have more children than were read: there is a syntax
// error directly in it, a bracket is missing, or the text ends in it. A rule must not report a missing
// child of an open object or array.
func (v Value) Open() bool { return v.node().marks.hasAny(isOpen) }

// Doubtful reports whether the value may belong into another object or array, or contain values that
// belong elsewhere, because brackets before it or in it do not match.
func (v Value) Doubtful() bool { return v.node().marks.hasAny(isDoubtful | isTorn) }

// Sound reports whether there is no syntax error in the value.
func (v Value) Sound() bool {
	return !v.node().marks.hasAny(isBroken | isUnclosed | isOpen | isUnsound)
}

// Settled reports whether a part of the text can be edited safely: there is no syntax error in it,
// nor directly in the object or array around it. In a strict document every part is settled.
func (d *Document) Settled(r Range) bool {
	if d.Strict() {
		return true
	}
	around := d.Root()
	if !around.contains(r.Start) || !around.contains(r.End) {
		return false
	}
	for {
		inside := around.child(around.before(r.Start))
		if !inside.contains(r.Start) || !inside.contains(r.End) {
			break
		}
		around = inside
	}
	for v := range around.All() {
		if w := v.Whole(); w.Start <= r.End && r.Start <= w.End && !v.Sound() {
			return false
		}
	}
	return !around.Open()
}
