package taxonomy

// Label is a short text that the author of a document wrote: a plain string, or a
// localized text. JSON has either form.
type Label struct {
	// Plain is the text if its language is not given.
	Plain string
	// Text is the localized text; it is nil if the label is a plain string.
	Text Localized
}

// PlainLabel returns the label with a plain text.
func PlainLabel(text string) *Label { return &Label{Plain: text} }

// MarshalJSON encodes the form that the label has.
func (l Label) MarshalJSON() ([]byte, error) {
	if l.Text != nil {
		return marshal(l.Text)
	}
	return marshal(l.Plain)
}

// UnmarshalJSON decodes a label of either form.
func (l *Label) UnmarshalJSON(data []byte) error {
	*l = Label{}
	if len(data) > 0 && data[0] == '[' {
		return unmarshal(data, &l.Text)
	}
	return unmarshal(data, &l.Plain)
}
