// Package ansi colors text with the escape sequences that terminals understand.
package ansi

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
