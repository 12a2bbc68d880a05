package outline_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// TestFormat tidies white space, and never changes what a file says.
func TestFormat(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"tidy", "- id: a # why\n  title: {en: A,  fr: B}\n\n- id: b\n", "- id: a # why\n  title: {en: A,  fr: B}\n\n- id: b\n"},
		{"ends of lines", "id: a  \nname: b\t\n# c \n", "id: a\nname: b\n# c\n"},
		{"blank lines", "\n\nid: a\n\n  \n\nname: b\n\n\n", "id: a\n\nname: b\n"},
		{"no end", "id: a", "id: a\n"},
		{"after keys and dashes", "id:   a\nlist:\n  -   x\n  - y:  1\n", "id: a\nlist:\n  - x\n  - y: 1\n"},
		{"a dash that others are aligned with", "-   id:  a\n    name: b  \n", "-   id: a\n    name: b\n"},
		{"comments that are aligned", "id: a    # x\nname:    # y\n  b\n", "id: a    # x\nname:    # y\n  b\n"},
		{"texts of several lines", "a: |\n  x:   y  \n\n\n  z\nb:  c \n", "a: |\n  x:   y  \n\n\n  z\nb: c\n"},
		{"quotes", "a: \"x  \n\n\n  y\"\nb:   1\n", "a: \"x\n\n\n  y\"\nb: 1\n"},
		{"Windows", "id: a  \r\n\r\n\r\nname:  b", "id: a\r\n\r\nname: b\r\n"},
		{"a byte order mark", "\uFEFFid:  a\n", "\uFEFFid: a\n"},
		{"not YAML", "id: {  \n", "id: {  \n"},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := document.ApplyEdits([]byte(c.text), outline.Format([]byte(c.text)))
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
			require.Empty(t, outline.Format(got), "formatting again changes nothing")
		})
	}
}

func ExampleFormat() {
	text := []byte("id:   area\n\n\n\nname: {en: Area}   # for maps\n")
	tidy, err := document.ApplyEdits(text, outline.Format(text))
	if err != nil {
		panic(err)
	}
	fmt.Print(string(tidy))
	// Output:
	// id: area
	//
	// name: {en: Area}   # for maps
}
