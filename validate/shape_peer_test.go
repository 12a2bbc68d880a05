package validate_test

import (
	"bytes"
	"errors"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/validate"
)

// peers are the exported schemas, compiled by jsonschema, with formats that use the
// standard library and package taxonomy. The tests compare this package with them.
var peers = sync.OnceValue(func() map[string]*jsonschema.Schema {
	compiled := make(map[string]*jsonschema.Schema)
	for _, name := range validate.JSONSchemaNames() {
		compiled[name] = compilePeer(name)
	}
	return compiled
})

func compilePeer(name string) *jsonschema.Schema {
	text, _ := validate.JSONSchema(name)
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // loads nothing
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "datachain-version", Validate: onStrings(func(s string) error {
		_, err := taxonomy.ParseVersion(s)
		return err
	})})
	c.RegisterFormat(&jsonschema.Format{Name: "datachain-timestamp", Validate: onStrings(checkTimestamp)})
	if err := c.AddResource("bundle.json", schema); err != nil {
		panic(err)
	}
	return c.MustCompile("bundle.json")
}

func onStrings(check func(string) error) func(any) error {
	return func(v any) error {
		if s, ok := v.(string); ok {
			return check(s)
		}
		return nil
	}
}

// zone is stricter than time.Parse, which accepts an offset of 24 hours.
var zone = regexp.MustCompile(`(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`)

func checkTimestamp(s string) error {
	_, err := time.Parse("2006-01-02T15:04Z07:00", s)
	if err != nil {
		_, err = time.Parse("2006-01-02T15:04:05Z07:00", s)
	}
	if err == nil && (!zone.MatchString(s) || bytes.ContainsRune([]byte(s), ',')) {
		return errors.New("not a time zone of ISO 8601")
	}
	return err
}

// peerFits is the verdict of jsonschema with its own decoder.
func peerFits(t testing.TB, name string, text []byte) bool {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	return peers()[name].Validate(value) == nil
}
