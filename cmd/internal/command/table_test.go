package command

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestImportRepairs imports the table that adds the first element of a required category, without
// which the version is not valid. What it would be counts, not what it is.
func TestImportRepairs(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	const dir = "schemas/bikes/2026-09-01-beta"
	p.write(dir+"/categories/safety.yaml", "id: safety\nname: {en: Safety, fr: Sécurité}\ndescription: {en: How safe it is., fr: Sa sécurité.}\nshape: octagon\nrequired: true\ncardinality: {min: 1}\n")
	schema, err := os.ReadFile(p.sys.Path(dir + "/schema.yaml"))
	require.NoError(t, err)
	p.write(dir+"/schema.yaml", strings.Replace(string(schema), "[data, contact]", "[data, contact, safety]", 1))
	code, stdout, _ := execute(t.Context(), p.sys, "schema", "lint", dir)
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "Category safety is required, but has no elements.")

	p.write("other.csv", "id,title:en\ndata.trips,Rides\n")
	code, _, stderr := execute(t.Context(), p.sys, "schema", "import", "other.csv", "--into", dir, "--write")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "Category safety is required, but has no elements.")

	p.write("table.csv", "id,category_id,symbol_id,title:en,title:fr,description:en,description:fr\nsafety.brakes,safety,dot,Brakes,Freins,They were tested.,Contrôlés.\n")
	code, stdout, stderr = execute(t.Context(), p.sys, "schema", "import", "table.csv", "--into", dir, "--write")
	require.Zero(t, code, stdout+stderr)
	require.Equal(t, "1 added in 1 file\n", stdout)
	code, stdout, _ = execute(t.Context(), p.sys, "schema", "lint", dir)
	require.Zero(t, code, stdout)
}
