package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/goldentest"
)

// evolved changes the beta version of the tree in the ways that versions say how they
// differ from earlier ones, and lets it forget what the stable one says.
var evolved = []string{
	"append schemas/bikes/2026-03-01-stable/schema.yaml 'removed: [{id: data.place, since: bikes@2026-03-01-stable, replaced_by: data.trips}]'",
	"replace schemas/bikes/2026-03-01-stable/categories/contact.yaml 'id: address' 'id: address\n    renamed_from: desk'",
	"append schemas/bikes/2026-09-01-beta/schema.yaml 'released: 2026-09-14'",
	"append schemas/bikes/2026-09-01-beta/schema.yaml 'notes: {en: \"Speed is *no longer* recorded.\\n\\nA second paragraph.\", fr: La vitesse n’est plus enregistrée.}'",
	"append schemas/bikes/2026-09-01-beta/schema.yaml 'removed: [{id: data.speed, since: bikes@2026-09-01-beta, replaced_by: [{id: data.battery}]}]'",
	"replace schemas/bikes/2026-09-01-beta/schema.yaml '[data, contact]' '[data, help]'",
	"replace schemas/bikes/2026-09-01-beta/categories/contact.yaml 'id: contact' 'id: help\nrenamed_from: [contact]'",
	"replace schemas/bikes/2026-09-01-beta/categories/contact.yaml 'id: address' 'id: where\n    renamed_from: [address]'",
	"replace schemas/bikes/2026-09-01-beta/categories/data.yaml 'id: named' 'id: personal\n      renamed_from: [named]'",
	"replace schemas/bikes/2026-09-01-beta/elements/all.yaml '{{address}}' '{{where}}'",
	"replace schemas/bikes/2026-09-01-beta/elements/all.yaml 'category_id: contact' 'category_id: help'",
	"replace schemas/bikes/2026-09-01-beta/elements/all.yaml 'id: data.trips' 'id: data.trips\n  status: deprecated\n  replaced_by: [data.battery]'",
}

// TestReleaseNotes compares release notes and the changes as text with golden files.
func TestReleaseNotes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ golden, flags string }{
		{"testdata/release-notes/plain.md", "bikes@latest bikes@latest-beta --format md"},
		{"testdata/release-notes/locale.md", "bikes@latest bikes@latest-beta --format md --locale fr-CA"},
		{"testdata/release-notes/changes.txt", "bikes@latest bikes@latest-beta"},
		{"testdata/release-notes/same.md", "bikes@latest bikes@pilot --format md"},
	} {
		p := newPlayer(t)
		for _, line := range evolved {
			p.Command(line)
		}
		p.Command("datachain schema diff --schemas schemas " + c.flags)
		goldentest.File(t, c.golden, p.Out.String())
	}
}

// TestSiteReleaseNotes shows that a static site has the release notes that the command
// writes.
func TestSiteReleaseNotes(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	printed := func(line string) string {
		p.Out.Reset()
		p.Command(line)
		return p.Out.String()
	}
	printed("datachain site --schemas schemas --out public")
	notes := printed("datachain schema diff bikes@2026-03-01-stable bikes@2026-09-01-beta --schemas schemas --format md --locale fr")
	require.Contains(t, notes, "## Breaking changes")
	require.Equal(t, strings.TrimSuffix(notes, "[exit 1]\n"), printed("cat public/fr/compare~new=bikes@2026-09-01-beta~old=bikes@2026-03-01-stable.md"))
}
