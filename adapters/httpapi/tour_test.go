package httpapi_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/goldentest"
)

const tour = "../../docs/rest.md"

// TestTour runs the commands of the tour of the API. With UPDATE=1 it writes their
// output.
func TestTour(t *testing.T) {
	text, err := os.ReadFile(tour)
	require.NoError(t, err)
	w := open(t, samples(t), nil)
	var b strings.Builder
	console, commands := false, 0
	for line := range strings.Lines(string(text)) {
		switch {
		case line == "```console\n":
			console = true
		case strings.HasPrefix(line, "```"):
			console = false
		case console && strings.HasPrefix(line, "$ "):
			commands++
			b.WriteString(line + w.curl(strings.TrimSpace(line[2:])))
			continue
		case console:
			continue // old output
		}
		b.WriteString(line)
	}
	require.Greater(t, commands, 20)
	goldentest.File(t, tour, b.String())
}

// curl supports the few options that the tour uses. Like curl, it removes line feeds from the file of
// --data, not from that of --data-binary.
func (w *world) curl(line string) string {
	w.t.Helper()
	words := words(line)
	require.Equal(w.t, "curl", words[0])
	r := request{wrong: true, header: map[string]string{}}
	showHeader := false
	for i := 1; i < len(words); i++ {
		switch word := words[i]; word {
		case "-s":
		case "-sI":
			r.method, showHeader = http.MethodHead, true
		case "--data", "--data-binary":
			i++
			r.method = http.MethodPost
			text := w.data(words[i])
			if word == "--data" {
				text = strings.ReplaceAll(text, "\n", "")
			}
			r.body = strings.NewReader(text)
		default:
			path, ok := strings.CutPrefix(word, "localhost:8080"+api)
			require.True(w.t, ok, word)
			r.path = path
		}
	}
	a := w.do(r)
	if showHeader {
		out := a.Proto + " " + a.Status + "\n"
		for _, name := range []string{"Cache-Control", "Content-Location", "Service-Content-Hash"} {
			out += name + ": " + a.Header.Get(name) + "\n"
		}
		return out
	}
	const most = 240
	if runes := []rune(a.text); len(runes) > most {
		return string(runes[:most]) + "…\n"
	}
	return a.text + "\n"
}

// data returns the body of --data.
func (w *world) data(value string) string {
	w.t.Helper()
	if name, ok := strings.CutPrefix(value, "@"); ok {
		text, err := os.ReadFile("../../" + name)
		require.NoError(w.t, err)
		return string(text)
	}
	return value
}

// words splits a command line with single quotes.
func words(line string) []string {
	var all []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}
