package issue_test

import (
	stdjson "encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

func TestPathString(t *testing.T) {
	root := issue.Root
	for _, c := range []struct {
		path issue.Path
		want string
	}{
		{nil, ""},
		{root, ""},
		{root.Key("elements").Index(3).Key("category_id"), "elements[3].category_id"},
		{root.Index(0), "[0]"},
		{root.Index(0).Index(12).Key("a"), "[0][12].a"},
		{root.Key("_a-1"), "_a-1"},
		{root.Key("purpose.safety"), `["purpose.safety"]`},
		{root.Key("a").Key("purpose.safety").Key("b"), `a["purpose.safety"].b`},
		{root.Key(""), `[""]`},
		{root.Key("1a"), `["1a"]`},
		{root.Key("-a"), `["-a"]`},
		{root.Key("é"), `["é"]`},
		{root.Key("😀"), `["😀"]`},
		{root.Key(`a"]`), `["a\"]"]`},
		{root.Key(`a\`), `["a\\"]`},
		{root.Key("\n\t\x00\x1f\u007f\u2028</script>"), "[\"\\n\\t\\u0000\\u001f\u007f\u2028</script>\"]"},
	} {
		t.Run(c.want, func(t *testing.T) {
			require.Equal(t, c.want, c.path.String())
			parsed, err := issue.ParsePath(c.want)
			require.NoError(t, err)
			require.NotNil(t, parsed)
			if c.path != nil {
				require.True(t, parsed.Equal(c.path))
			}
		})
	}
}

// Each path has one spelling; others are malformed.
func TestParsePathRefuses(t *testing.T) {
	for _, s := range []string{
		".", ".a", "a.", "a..b", "a b", "1a", "-a", "é", "a]", "a\x00",
		"[", "[]", "[a]", "[-1]", "[+1]", "[01]", "[-0]", "[ 1]", "[1", "a[1]b", "[1]]", "[1e3]",
		"[1000000000]", "[99999999999999999999]",
		`["a"]`, `["`, `["a.b`, `["a.b"`, `["a.b"x`, `a.["a.b"]`, `["a.b"]c`,
		`["\u0061.b"]`, `["\/"]`, `["\u000a"]`, `["a.b\x"]`, `["\ud800"]`, "[\"a.\n\"]", "[\"a.\xff\"]", `["a.b\"]`,
		strings.Repeat("[", 1<<16), strings.Repeat("a", 1<<16) + "!",
	} {
		_, err := issue.ParsePath(s)
		require.ErrorContains(t, err, "malformed path", "%.40q", s)
		require.Less(t, len(err.Error()), 1000)
	}
	_, err := issue.ParsePath(`elements[3]["a.b"]c`)
	require.ErrorContains(t, err, "at byte 18: expected . or [")
	_, err = issue.ParsePath(`["a"]`)
	require.ErrorContains(t, err, "the key a must be written without quotes")
}

func TestPathSteps(t *testing.T) {
	p, err := issue.ParsePath("elements[3]")
	require.NoError(t, err)
	_, isIndex := p[0].IsIndex()
	require.False(t, isIndex)
	require.Equal(t, "elements", p[0].Name())
	i, isIndex := p[1].IsIndex()
	require.True(t, isIndex)
	require.Equal(t, 3, i)
	require.Empty(t, p[1].Name())
}

// Two paths with the same start must not share memory.
func TestPathIsNeverChanged(t *testing.T) {
	p := issue.Root.Key("a").Key("b").Key("c")
	keys, indexes := []issue.Path{p.Key("x"), p.Key("y")}, []issue.Path{p.Index(1), p.Index(2)}
	require.Equal(t, "a.b.c.x", keys[0].String())
	require.Equal(t, "a.b.c.y", keys[1].String())
	require.Equal(t, "a.b.c[1]", indexes[0].String())
	require.Equal(t, "a.b.c[2]", indexes[1].String())
	require.Equal(t, "a.b.c", p.String())
}

func TestPathEqual(t *testing.T) {
	a := issue.Root.Key("a")
	require.True(t, a.Equal(issue.Root.Key("a")))
	require.False(t, a.Equal(issue.Root.Key("b")))
	require.False(t, a.Equal(issue.Root.Index(0)))
	require.False(t, issue.Root.Key("").Equal(issue.Root.Index(0)))
	require.True(t, issue.Root.Equal(issue.Path{}))
	require.False(t, issue.Root.Equal(nil))
	require.True(t, issue.Path(nil).Equal(nil))
}

// A nil path and the path of the whole document differ in JSON.
func TestIssuePathOnTheWire(t *testing.T) {
	for _, c := range []struct {
		path issue.Path
		want string
	}{
		{nil, `{"code":"c","message":"m"}`},
		{issue.Root, `{"code":"c","message":"m","path":""}`},
		{issue.Root.Key("a.b").Index(2), `{"code":"c","message":"m","path":"[\"a.b\"][2]"}`},
	} {
		finding := issue.Issue{Code: "c", Message: "m", Path: c.path}
		for name, codec := range codecs {
			text, err := codec.marshal(finding)
			require.NoError(t, err, name)
			require.Equal(t, c.want, string(text), name)
			var again issue.Issue
			require.NoError(t, codec.unmarshal(text, &again), name)
			require.True(t, finding.Path.Equal(again.Path), name)
			require.Error(t, codec.unmarshal([]byte(`{"path":"a..b"}`), &again), name)
		}
	}
}

// codecs are the JSON packages that programs use.
var codecs = map[string]struct {
	marshal   func(any) ([]byte, error)
	unmarshal func([]byte, any) error
}{
	"encoding/json": {stdjson.Marshal, stdjson.Unmarshal},
	"go-json-experiment": {
		func(v any) ([]byte, error) { return json.Marshal(v) },
		func(text []byte, v any) error { return json.Unmarshal(text, v) },
	},
}
