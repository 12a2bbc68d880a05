package report

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Width returns how many columns of a terminal a text takes. Those of a [Style] take none.
func Width(text string) int {
	n, styling := 0, false
	for _, r := range text {
		switch {
		case r == '\x1b':
			styling = true
		case styling:
			styling = r != 'm'
		default:
			n += RuneWidth(r)
		}
	}
	return n
}

// RuneWidth returns how many columns of a terminal a character takes.
func RuneWidth(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

// Wrap breaks long lines of a text at spaces, and indents what it breaks off like the line. A long
// word stays whole.
func Wrap(text string, width int) string {
	if width <= 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case Width(line) <= width:
		case isCommand(line):
			lines[i] = continued(line, width)
		default:
			indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
			lines[i] = indent + strings.Join(fill(line, width-len(indent)), "\n"+indent)
		}
	}
	return strings.Join(lines, "\n")
}

// Hang returns a text after a label. Further lines of the text are aligned with its first one.
func Hang(label, text string, width int) string {
	n := Width(label)
	if width <= 0 || n >= width {
		return label + text
	}
	return label + strings.Join(fill(text, width-n), "\n"+strings.Repeat(" ", n))
}

// Reflow joins the lines of each paragraph and wraps them. Paragraphs with indented lines are not
// joined.
func Reflow(text string, width int) string {
	if width <= 0 {
		return text
	}
	var paragraphs []string
	for p := range strings.SplitSeq(text, "\n\n") {
		if !strings.HasPrefix(p, " ") && !strings.Contains(p, "\n ") {
			p = strings.ReplaceAll(p, "\n", " ")
		}
		paragraphs = append(paragraphs, Wrap(p, width))
	}
	return strings.Join(paragraphs, "\n\n")
}

// fill returns the words of a text in lines. A command in quotes stays whole, so that it can be
// copied.
func fill(text string, width int) []string {
	var lines []string
	line, used := "", 0
	for _, word := range words(text) {
		n := Width(word)
		switch {
		case used == 0:
			line, used = word, n
		case used+1+n <= width:
			line, used = line+" "+word, used+1+n
		default:
			lines = append(lines, line)
			line, used = word, n
		}
	}
	return append(lines, line)
}

func words(text string) (list []string) {
	inCommand := false
	for word := range strings.FieldsSeq(text) {
		if inCommand {
			list[len(list)-1] += " " + word
		} else {
			list = append(list, word)
		}
		inCommand = (inCommand || strings.HasPrefix(word, "'datachain")) && !strings.Contains(strings.TrimPrefix(word, "'"), "'")
	}
	return list
}

const (
	gap     = 2  // between columns
	indent  = 4  // of cells that are below their row
	minLast = 30 // columns for a last cell that is wrapped beside the others
)

// Table returns rows in columns; the first row is the heading. If rows are too long, the last column
// is wrapped or, if there is no room for that, the columns that do not fit are on a line of their own
// below each row.
func Table(rows [][]string, width int) string {
	widths := measure(rows)
	var b strings.Builder
	first, above := fitting(widths, width)
	for _, row := range rows {
		switch {
		case first >= len(row):
			writeRow(&b, row, widths)
		case first == len(widths)-1 && above+minLast <= width:
			writeBeside(&b, row, widths, above, width)
		default:
			writeRow(&b, row[:first], widths)
			writeBelow(&b, row[first:], widths[first:], width)
		}
	}
	return b.String()
}

// measure returns the width of each column.
func measure(rows [][]string) []int {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width(cell))
		}
	}
	return widths
}

// fitting returns how many columns fit side by side, at least one, and where the next
// one would begin.
func fitting(widths []int, width int) (n, end int) {
	for i, w := range widths {
		if width > 0 && i > 0 && end+w > width {
			return i, end
		}
		end += w + gap
	}
	return len(widths), end
}

// writeRow writes cells side by side.
func writeRow(b *strings.Builder, cells []string, widths []int) {
	var line strings.Builder
	for i, cell := range cells {
		line.WriteString(cell)
		line.WriteString(strings.Repeat(" ", widths[i]-Width(cell)+gap))
	}
	b.WriteString(strings.TrimRight(line.String(), " "))
	b.WriteByte('\n')
}

// writeBeside writes a row whose last cell is wrapped.
func writeBeside(b *strings.Builder, row []string, widths []int, at, width int) {
	last := len(row) - 1
	for i, line := range fill(row[last], width-at) {
		cells := make([]string, len(row))
		if i == 0 {
			copy(cells, row)
		}
		cells[last] = line
		writeRow(b, cells, append(widths[:last:last], Width(line)))
	}
}

// writeBelow writes cells on a line of their own or, if they do not fit, on a line each.
func writeBelow(b *strings.Builder, cells []string, widths []int, width int) {
	space := strings.Repeat(" ", indent)
	if n, end := fitting(widths, width-indent); n == len(cells) && end-gap <= width-indent {
		b.WriteString(space)
		writeRow(b, cells, widths)
		return
	}
	for _, cell := range cells {
		if cell != "" {
			b.WriteString(Wrap(space+cell, width) + "\n")
		}
	}
}

// Style writes colored text if it is true, and leaves text alone if not.
type Style bool

// Bold returns text in bold.
func (s Style) Bold(text string) string { return s.wrap("1", text) }

// Dim returns text in a fainter color.
func (s Style) Dim(text string) string { return s.wrap("2", text) }

// Red returns text in red.
func (s Style) Red(text string) string { return s.wrap("31", text) }

// Green returns text in green.
func (s Style) Green(text string) string { return s.wrap("32", text) }

// Yellow returns text in yellow.
func (s Style) Yellow(text string) string { return s.wrap("33", text) }

func (s Style) wrap(code, text string) string {
	if !s || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
