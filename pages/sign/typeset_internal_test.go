package sign

import (
	"os"
	"strings"
	"testing"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHyphenate(t *testing.T) {
	for _, c := range []struct {
		word      string
		certainty certainty
		want      string
	}{
		{"Verkehrsüberwachungsanlagenbetriebsgenehmigungsverordnung", parts, "Verkehrsüberwachungs-anlagenbetriebsgenehmigungs-verordnung"},
		{"Sicherheitsbeauftragter", parts, "Sicherheits-beauftragter"},
		{"Wirtschaftsprüfungsgesellschaft.", parts, "Wirtschafts-prüfungs-gesellschaft."},
		{"Straßenverkehrsangelegenheitenverwaltung", parts, "Straßenverkehrsangelegenheiten-verwaltung"},
		{"Angelegenheiten", parts, "Angelegenheiten"},
		{"anlagenbetriebsgenehmigung", parts, "anlagenbetriebsgenehmigung"},
		{"Datenschutzgrundverordnung", likely, "Daten-schutz-grund-verord-nung"},
		{"Straßenverkehrsordnungsbehörde", likely, "Stra-ßen-ver-kehrsord-nungs-behörde"},
		{"Kennzeichen\u00aderfassung", likely, "Kenn-zei-che-ner-fas-sung"},
		{"E-Mail-Adressverwaltung", likely, "E-Mail-Adress-ver-wal-tung"},
		{"Hauptrolle", likely, "Hauptrolle"},
		{"Hauptrolle", possible, "Haupt-rolle"},
		{"Straßenverkehrsordnungsbehörde", possible, "Stra-ßen-ver-kehr-sord-nungs-behörde"},
		{"anticonstitutionnellement", likely, "anti-consti-tution-nel-lement"},
		{"Zucker", possible, "Zucker"},
		{"verwaltung@lindenau.example", possible, "verwaltung@lindenau.example"},
		{"register.example.org/genehmigungsverfahren", possible, "register.example.org/genehmigungsverfahren"},
		{"Strßtrkpfnckl", possible, "Strßtrkpfnckl"},
		{"بلديةالمدينة", possible, "بلديةالمدينة"},
		{"", possible, ""},
	} {
		t.Run(c.word, func(t *testing.T) {
			assert.Equal(t, c.want, strings.ReplaceAll(hyphenate(c.word, c.certainty), softHyphen, "-"))
		})
	}
}

// TestSetHyphens reads lines: a hyphen is drawn where a line ends with a soft one, and nowhere else.
func TestSetHyphens(t *testing.T) {
	all, err := readFonts(os.DirFS("fonts"))
	require.NoError(t, err)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"too long":      {"die Genehmigungsverfahrensordnung", []string{"die", "Genehmigungs-", "verfahrensord-", "nung"}},
		"of the author": {"eine Haupt\u00adrollen\u00adbesetzung", []string{"eine Haupt-", "rollen-", "besetzung"}},
		"not needed":    {"Haupt\u00adrolle", []string{"Hauptrolle"}},
		"long only":     {"unter der Verwaltung", []string{"unter der", "Verwaltung"}},
		"never":         {"Strßtrkpfncklstrßtrkpfnckl", []string{"Strßtrkpfncklstrßtrkpfnckl"}},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := newTypesetter(t.Context(), all).set(c.text, "de", 30, regular(11))
			require.NoError(t, err)
			hyphen, _ := b.lines[0][0].Face.NominalGlyph('-')
			// The runs of a text are known by their places in it, the hyphen has none.
			var lines []string
			for _, line := range b.lines {
				text := ""
				for _, run := range line {
					if len(run.Glyphs) == 1 && run.Glyphs[0].GlyphID == hyphen {
						text += "-"
					} else {
						text += strings.Repeat("x", run.Runes.Count)
					}
				}
				lines = append(lines, text)
			}
			require.Len(t, lines, len(c.want))
			for i, want := range c.want {
				assert.Equal(t, strings.HasSuffix(want, "-"), strings.HasSuffix(lines[i], "-"), lines)
			}
			assert.Equal(t, name == "never", b.word != "")
			if name != "never" {
				assert.LessOrEqual(t, b.widest, 30.1)
			}
		})
	}
}

// TestJoin: Arabic letters between two others have the shape that joins them.
func TestJoin(t *testing.T) {
	all, err := readFonts(os.DirFS("fonts"))
	require.NoError(t, err)
	set := newTypesetter(t.Context(), all)
	for _, faces := range [][]*font.Face{set.regular, set.bold} {
		for _, letter := range "ئبتثجحخسشصضطظعغفقكلمنهي" {
			runs, err := set.shape([]rune{'ط', letter, 'ط'}, "ar", di.DirectionRTL, faces)
			require.NoError(t, err)
			require.Len(t, runs, 1)
			alone, _ := runs[0].Face.NominalGlyph(letter)
			for _, g := range runs[0].Glyphs {
				assert.NotEqual(t, alone, g.GlyphID, string(letter))
			}
		}
	}
}
