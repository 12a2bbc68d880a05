package diff

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/datachain-go/datachain/internal/wording"
)

// NotesOptions configure [Set.WriteNotes]. Nil and the zero value mean the defaults.
type NotesOptions struct {
	// Locale is the language of titles; the default is the first one of the release.
	Locale string
	// Released is the day on which the new version was released, or "".
	Released string
}

// WriteNotes writes the changes as release notes in Markdown, until the context ends.
func (s *Set) WriteNotes(ctx context.Context, w io.Writer, o *NotesOptions) error {
	n := &notes{Set: s}
	if o != nil {
		n.NotesOptions = *o
	}
	m := s.after.Manifest()
	fmt.Fprintf(&n.b, "# %s: %s\n\n", wording.Markdown(m.Title.Pick(n.Locale)), s.New)
	if n.Released != "" {
		fmt.Fprintf(&n.b, "Released on %s. ", n.Released)
	}
	fmt.Fprintf(&n.b, "Changes since %s.\n", s.Old)
	for paragraph := range strings.SplitSeq(m.Notes.Pick(n.Locale), "\n\n") {
		if strings.TrimSpace(paragraph) != "" {
			fmt.Fprintf(&n.b, "\n%s\n", wording.Markdown(paragraph))
		}
	}
	for _, section := range []struct {
		severity       Severity
		heading, about string
	}{
		{Breaking, "Breaking changes", "Documents that change their `schema_version` and nothing else can become invalid. Use `datachain upgrade` to move them."},
		{Notable, "Notable changes", "Documents stay valid, but mean something else, or those of older versions can no longer follow."},
		{Compatible, "Compatible changes", "Documents stay valid and mean the same."},
	} {
		if err := n.section(ctx, section.heading, section.about, s.With(section.severity)); err != nil {
			return err
		}
	}
	if s.Empty() {
		n.b.WriteString("\nNo changes: the content is the same.\n")
	}
	_, err := w.Write(n.b.Bytes())
	return err
}

var markdown = Notation{Text: wording.Markdown, Code: code}

// notes writes changes as Markdown.
type notes struct {
	*Set
	NotesOptions
	b bytes.Buffer
}

func (n *notes) section(ctx context.Context, heading, about string, changes []Change) error {
	// The notes themselves are at the top.
	listed := changes[:0:0]
	for _, c := range changes {
		if c.Rule != "notes-changed" {
			listed = append(listed, c)
		}
	}
	if len(listed) == 0 {
		return nil
	}
	fmt.Fprintf(&n.b, "\n## %s\n\n%s\n", heading, about)
	for _, g := range n.Groups(listed) {
		fmt.Fprintf(&n.b, "\n### %s\n\n", n.Heading(g.Category, n.Locale, markdown))
		for _, c := range g.Changes {
			if err := ctx.Err(); err != nil {
				return err
			}
			item := fmt.Sprintf("- %s: %s%s", wording.Sentence(string(c.Kind)), n.Describe(c, n.Locale, markdown), values(c))
			n.b.WriteString(strings.TrimSuffix(item, ".") + ".")
			if c.Inherited > 0 {
				fmt.Fprintf(&n.b, " Inherited by %s.", wording.Count(c.Inherited, "element"))
			}
			if HasConsequence(c) {
				fmt.Fprintf(&n.b, " %s.", wording.Markdown(wording.Sentence(c.Consequence)))
			}
			fmt.Fprintf(&n.b, " `%s`\n", c.Rule)
		}
	}
	return nil
}

// values returns the values of a change: a reworded text with its changed words, and
// others if they are short.
func values(c *Change) string {
	const longest = 200
	before, after := unquoted(c.Old), unquoted(c.New)
	if c.Kind == Renamed {
		return fmt.Sprintf(": %s → %s", code(before), code(after))
	}
	if words := c.Words(); words != nil {
		return ": " + markedWords(words)
	}
	switch {
	case len(c.Path) == 0, strings.HasPrefix(before, "{"), strings.HasPrefix(after, "{"), len(before)+len(after) > longest:
		return ""
	case before == "":
		return ": " + wording.Markdown(after)
	case after == "":
		return ": " + wording.Markdown(before)
	}
	return fmt.Sprintf(": %s → %s", wording.Markdown(before), wording.Markdown(after))
}

// markedWords marks what was removed and added in a text.
func markedWords(spans []Span) string {
	var b strings.Builder
	for i, s := range spans {
		mark := map[Kind]string{Removed: "~~", Added: "**"}[s.Kind]
		// Markdown takes marks only beside a word, so spaces are outside.
		core := strings.TrimSpace(s.Text)
		if mark == "" || core == "" {
			b.WriteString(wording.Markdown(s.Text))
			continue
		}
		lead, rest, _ := strings.Cut(s.Text, core)
		if lead == "" && i > 0 && spans[i-1].Kind == Removed {
			lead = " " // two marks that touch are read as one
		}
		b.WriteString(lead + mark + isolated(wording.Markdown(core)) + mark + rest)
	}
	return b.String()
}

// isolated keeps text that is written from right to left from reordering what is
// beside it.
func isolated(text string) string {
	rightToLeft := strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko)
	})
	if !rightToLeft {
		return text
	}
	const firstStrongIsolate, popIsolate = "\u2068", "\u2069"
	return firstStrongIsolate + text + popIsolate
}

// code returns an id or a path as code. Neither has a backquote.
func code(text string) string { return "`" + strings.ReplaceAll(wording.Line(text), "`", "'") + "`" }
