package report

import (
	"slices"
	"strings"
)

// Command returns a command line that can be pasted into a shell, of datachain or, for a bucket, of
// datachain-cloud. Arguments with spaces and other characters that a shell interprets are quoted.
func Command(args ...string) string {
	line := []string{"datachain"}
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "s3://") }) {
		line[0] = "datachain-cloud"
	}
	for _, arg := range args {
		line = append(line, Quoted(arg))
	}
	return strings.Join(line, " ")
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// Quoted returns an argument of a command line. It prefers double quotes, since messages have commands
// in single ones.
func Quoted(arg string) string {
	switch {
	case arg != "" && strings.Trim(arg, letters+"@%+=:,./_-") == "":
		return arg
	case !strings.ContainsAny(arg, "\"$`\\!"):
		return `"` + arg + `"`
	default:
		return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
	}
}

// isCommand reports whether a line is a command to paste.
func isCommand(line string) bool {
	return strings.HasPrefix(line, "  datachain ") || strings.HasPrefix(line, "  datachain-cloud ")
}

// continued breaks a command line between its arguments. Lines but the last end in a backslash, so
// that a shell joins them.
func continued(line string, width int) string {
	var lines []string
	now, used := "", 0
	for _, arg := range arguments(strings.TrimLeft(line, " ")) {
		n := Width(arg)
		if used > 0 && used+1+n+len(` \`) > width-len("  ") {
			lines = append(lines, now)
			now, used = "  ", len("  ")
		}
		if strings.TrimSpace(now) != "" {
			now, used = now+" ", used+1
		}
		now, used = now+arg, used+n
	}
	return "  " + strings.Join(append(lines, now), " \\\n  ")
}

// arguments splits a command line at spaces outside of quotes.
func arguments(line string) (list []string) {
	arg, quote := "", rune(0)
	for _, r := range line {
		switch {
		case quote == 0 && r == ' ':
			list, arg = append(list, arg), ""
			continue
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case r == quote:
			quote = 0
		}
		arg += string(r)
	}
	return append(list, arg)
}
