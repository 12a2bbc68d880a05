// Package page formats the sections that the benchmarks write into the page of measurements.
package page

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// Begin returns the head of a section: its title, the command that writes it, the date and
// the machine that it ran on. With holds the versions of other programs.
func Begin(title, command string, with ...string) string {
	machine := append([]string{fmt.Sprintf("a machine with %d CPUs (%s)", runtime.NumCPU(), cpu()), runtime.Version() + " for " + runtime.GOOS + "/" + runtime.GOARCH}, with...)
	return "## " + title + "\n\nMeasured by `" + command + "` on " + time.Now().UTC().Format(time.DateOnly) + ", on " + strings.Join(machine, ", ") + ".\n\n"
}

// Write replaces the section of a file that has the heading of the text, or writes the text to
// standard output if the name is empty.
func Write(file, text string) error {
	if file == "" {
		_, err := os.Stdout.WriteString(text)
		return err
	}
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	heading, _, _ := strings.Cut(text, "\n")
	before, rest, ok := strings.Cut(string(page), "\n"+heading+"\n")
	if !ok {
		return fmt.Errorf("%s: no section %q to replace", file, heading)
	}
	after := ""
	if i := strings.Index(rest, "\n## "); i >= 0 {
		after = rest[i:]
	}
	return os.WriteFile(file, []byte(before+"\n"+strings.TrimRight(text, "\n")+"\n"+after), 0o644)
}

// Table is a table in Markdown whose first column has names, and the others numbers.
type Table struct{ b strings.Builder }

// NewTable returns a table with a heading for each column.
func NewTable(headings ...string) *Table {
	t := new(Table)
	t.Row(headings...)
	t.b.WriteString("|---|" + strings.Repeat("---:|", len(headings)-1) + "\n")
	return t
}

// Row adds a row.
func (t *Table) Row(cells ...string) {
	for _, cell := range cells {
		t.b.WriteString("| " + cell + " ")
	}
	t.b.WriteString("|\n")
}

// String returns the table.
func (t *Table) String() string { return t.b.String() }

// cpu returns the name of the CPU if the system provides it.
func cpu() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// Time formats a duration with three digits.
func Time(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return digits(float64(d)/float64(time.Microsecond)) + " µs"
	case d < time.Second:
		return digits(float64(d)/float64(time.Millisecond)) + " ms"
	}
	return digits(d.Seconds()) + " s"
}

// digits formats a number with three digits, or more if it is larger.
func digits(n float64) string {
	switch {
	case n >= 100:
		return fmt.Sprintf("%.0f", n)
	case n >= 10:
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.2f", n)
}

// Bytes formats a size.
func Bytes(n int64) string {
	switch {
	case n < 1e3:
		return fmt.Sprintf("%d B", n)
	case n < 1e6:
		return digits(float64(n)/1e3) + " kB"
	case n < 1e9:
		return digits(float64(n)/1e6) + " MB"
	}
	return digits(float64(n)/1e9) + " GB"
}

// Count formats an integer with commas.
func Count(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
