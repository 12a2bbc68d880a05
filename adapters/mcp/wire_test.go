package mcp_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/mcp"
)

var (
	fences  = regexp.MustCompile(`(BEGIN|END) \w{12}`)
	claimed = regexp.MustCompile(`"io.modelcontextprotocol/protocolVersion":"([^"]*)"`)
)

// TestWire replays testdata/wire.txt over HTTP, byte for byte: a request has header
// lines and a body, marked with >, and a response its status and body, marked with
// <. Of long bodies the hash is kept, and of pages, which are not ours, only the
// beginning. A line "= legacy" turns to a server of legacy revisions only. Over
// stdio each body gets the same answer, unless headers decide it.
func TestWire(t *testing.T) {
	const file = "testdata/wire.txt"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var b strings.Builder
	for i, part := range strings.Split(string(text), "= legacy\n") {
		if i > 0 {
			b.WriteString("= legacy\n")
		}
		replay(t, &b, part, mcp.Options{Version: "1.2.3", BaseURL: "https://dc.example", OnlyLegacy: i > 0})
	}
	golden(t, file, b.String())
}

func replay(t *testing.T, b *strings.Builder, text string, o mcp.Options) {
	t.Helper()
	h := serve(t, kioskStore(t), &o)
	var lines, answers []string // over stdio
	var fields []string
	for line := range strings.Lines(text) {
		sent, ours := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
		if strings.HasPrefix(line, "<") {
			continue
		}
		if b.WriteString(line); !ours {
			continue
		}
		if name, value, ok := strings.Cut(sent, ": "); ok && !strings.ContainsAny(name, "{[") {
			fields = append(fields, name, value)
			continue
		}
		got := h.post(sent, fields...)
		got.body = fences.ReplaceAllString(got.body, "$1 …")
		write(b, got)
		if sameOnStdio(sent, fields, got) {
			lines = append(lines, sent)
			if plain := strings.NewReplacer("event: message\ndata: ", "", "\n\n", "\n").Replace(got.body); plain != "" {
				answers = append(answers, strings.Split(strings.TrimSpace(plain), "\n")...)
			}
		}
		fields = nil
	}
	got := piped(t, &o, lines...)
	for i, answer := range got {
		require.Less(t, i, len(answers))
		require.Equal(t, answers[i], fences.ReplaceAllString(answer, "$1 …"))
	}
	require.Len(t, got, len(answers))
}

func write(b *strings.Builder, got reply) {
	fmt.Fprintf(b, "< %d %s\n", got.status, got.header.Get("Content-Type"))
	if got.header.Get("Mcp-Session-Id") != "" {
		b.WriteString("< Mcp-Session-Id: …\n")
	}
	const long = 1000
	switch body := strings.TrimSpace(got.body); {
	case strings.Contains(body, "\\u003cmain"):
		b.WriteString("< " + body[:60] + "…\n")
	case len(body) > long:
		fmt.Fprintf(b, "< %s… %d bytes, sha256 %x\n", body[:100], len(body), sha256.Sum256([]byte(body)))
	case body != "":
		b.WriteString("< " + strings.ReplaceAll(body, "\n", "\n< ") + "\n")
	}
}

// sameOnStdio reports whether the headers of a request only repeat what its message
// says. Those of a batch can't do that for each of its messages.
func sameOnStdio(body string, fields []string, got reply) bool {
	header := ""
	for i := range fields {
		if fields[i] == "Mcp-Protocol-Version" {
			header = fields[i+1]
		}
	}
	meta := append(claimed.FindStringSubmatch(body), "", "")[1]
	return meta == header && !strings.HasPrefix(body, "[") && !strings.Contains(got.body, "-32020")
}
