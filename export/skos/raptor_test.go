//go:build formats

package skos_test

import (
	"bytes"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/export/skos"
)

// TestRaptor reads Turtle with rapper and JSON-LD with rdfpipe, which make formats installs.
// Both must find what JSON-LD says.
func TestRaptor(t *testing.T) {
	all := samples(t)
	for i, r := range append(all, small(t)) {
		for _, base := range []string{"", "https://example.org/a"} {
			cmd := exec.CommandContext(t.Context(), "rapper", "--input", "turtle", "--output", "ntriples", "-", "https://wrong.example/")
			cmd.Stdin = bytes.NewReader(encode(t, r, skos.Turtle, base))
			var out, log bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &log
			require.NoError(t, cmd.Run(), log.String())
			for line := range strings.Lines(log.String()) {
				require.True(t, strings.HasPrefix(line, "rapper: Parsing") || strings.HasPrefix(line, "rapper: Serializing"), line)
			}
			triples := readNTriples(t, out.String())
			require.Equal(t, readJSONLD(t, encode(t, r, skos.JSONLD, base)), triples)
			require.Equal(t, triples, readNTriples(t, fromJSONLD(t, encode(t, r, skos.JSONLD, base))))
			root := "urn:datachain:"
			if base != "" {
				root = base + "/t/"
			}
			checkIDs(t, r, triples, root)
			if i == len(all) {
				continue // it has characters that XML can't have
			}
			require.Equal(t, triples, readNTriples(t, roundTrip(t, encode(t, r, skos.Turtle, base))), "ids, labels, mappings or successors differ after a round trip")
		}
	}
}

// fromJSONLD converts JSON-LD to N-Triples.
func fromJSONLD(t *testing.T, text []byte) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "rdfpipe", "--input-format", "json-ld", "--output-format", "nt", "-")
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.Output()
	require.NoError(t, err)
	return string(out)
}

// roundTrip converts Turtle to RDF/XML, back to Turtle and to N-Triples, as tools do that
// read and write other formats.
func roundTrip(t *testing.T, text []byte) string {
	t.Helper()
	from := "turtle"
	for _, to := range []string{"rdfxml", "turtle", "ntriples"} {
		cmd := exec.CommandContext(t.Context(), "rapper", "--quiet", "--input", from, "--output", to, "-", "https://wrong.example/")
		cmd.Stdin = bytes.NewReader(text)
		var err error
		text, err = cmd.Output()
		require.NoError(t, err, to)
		from = to
	}
	return string(text)
}

// readNTriples returns the triples of N-Triples in the form of readJSONLD.
func readNTriples(t *testing.T, text string) []string {
	t.Helper()
	first, rest := map[string]string{}, map[string]string{}
	var all [][3]string
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(strings.TrimSpace(line), " ."); line == "" {
			continue
		}
		subject, tail, _ := strings.Cut(line, " ")
		predicate, object, ok := strings.Cut(tail, " ")
		require.True(t, ok, line)
		if end := strings.LastIndexByte(object, '"'); object[0] == '"' {
			value, err := strconv.Unquote(object[:end+1])
			require.NoError(t, err, line)
			tag, typ, typed := strings.Cut(object[end+1:], "^^")
			object = strconv.Quote(value) + tag
			if typed {
				object += "^^" + typ
			}
		}
		switch predicate {
		case "<" + rdfNS + "first>":
			first[subject] = object
		case "<" + rdfNS + "rest>":
			rest[subject] = object
		default:
			all = append(all, [3]string{subject, predicate, object})
		}
	}
	var triples []string
	for _, triple := range all {
		if at := triple[2]; strings.HasPrefix(at, "_:") {
			var items []string
			for ; strings.HasPrefix(at, "_:"); at = rest[at] {
				items = append(items, first[at])
			}
			triple[2] = "(" + strings.Join(items, " ") + ")"
		}
		triples = append(triples, strings.Join(triple[:], " "))
	}
	slices.Sort(triples)
	return slices.Compact(triples)
}
