package server_test

import (
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/internal/resttest"
	"github.com/datachain-go/datachain/pages/server"
)

const tour = "../../docs/rest.md"

// TestTour runs the commands of the tour of the API. With UPDATE=1 it writes their
// output.
func TestTour(t *testing.T) {
	text, err := os.ReadFile(tour)
	require.NoError(t, err)
	c := resttest.Serve(t, must(httpapi.New(must(datachain.New(samples(t), nil)), &httpapi.Options{Routes: server.Routes(nil, nil, nil), Logger: slog.New(slog.DiscardHandler)})))
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
			b.WriteString(line + curl(t, c, strings.TrimSpace(line[2:])))
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
func curl(t *testing.T, c *resttest.Client, line string) string {
	t.Helper()
	words := words(line)
	require.Equal(t, "curl", words[0])
	method, path, body := http.MethodGet, "", ""
	showHeader := false
	for i := 1; i < len(words); i++ {
		switch word := words[i]; word {
		case "-s":
		case "-sI":
			method, showHeader = http.MethodHead, true
		case "--data", "--data-binary":
			i++
			method = http.MethodPost
			if body = data(t, words[i]); word == "--data" {
				body = strings.ReplaceAll(body, "\n", "")
			}
		default:
			var ok bool
			path, ok = strings.CutPrefix(word, "localhost:8080/api/v2")
			require.True(t, ok, word)
		}
	}
	a := c.Wrong(method, path, body)
	if showHeader {
		out := a.Proto + " " + a.Status + "\n"
		for _, name := range []string{"Cache-Control", "Content-Location", "Service-Content-Hash"} {
			out += name + ": " + a.Header.Get(name) + "\n"
		}
		return out
	}
	const most = 240
	if runes := []rune(a.Text); len(runes) > most {
		return string(runes[:most]) + "…\n"
	}
	return a.Text + "\n"
}

// data returns the body of --data.
func data(t *testing.T, value string) string {
	t.Helper()
	if name, ok := strings.CutPrefix(value, "@"); ok {
		text, err := os.ReadFile("../../" + name)
		require.NoError(t, err)
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
