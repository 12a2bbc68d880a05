package sign

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// embedded has Noto Sans and Noto Sans Arabic, under the SIL Open Font License 1.1, which
// [FontLicence] returns.
//
//go:embed fonts/*.ttf
var embedded embed.FS

//go:embed fonts/OFL.txt
var fontLicence string

// FontLicence returns the licence of the fonts that are part of the program.
func FontLicence() string { return fontLicence }

// fonts are fonts of two weights. The first one that has a letter draws it.
type fonts struct{ regular, bold []*font.Font }

// readFonts reads the TrueType fonts in a directory, in the order of their names.
func readFonts(dir fs.FS) (all fonts, err error) {
	names, err := fs.Glob(dir, "*.ttf")
	if err != nil {
		return all, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return all, err
		}
		face, err := font.ParseTTF(bytes.NewReader(text))
		if err != nil {
			return all, fmt.Errorf("%s: %w", name, err)
		}
		listGlyphs(face.Font)
		if strings.Contains(name, "Bold") {
			all.bold = append(all.bold, face.Font)
		} else {
			all.regular = append(all.regular, face.Font)
		}
	}
	return all, nil
}

// listGlyphs replaces ranges of glyphs that substitutions apply to by lists of glyphs. The shaper
// loses ranges after a wide one (github.com/go-text/typesetting/issues/278, fixed after v0.3.5), and
// then does not join letters of Noto Sans Arabic such as noon, qaf and yeh with their neighbours.
func listGlyphs(f *font.Font) {
	list := func(c *tables.Coverage) {
		ranges, ok := (*c).(tables.Coverage2)
		if !ok {
			return
		}
		var all tables.Coverage1
		for _, r := range ranges.Ranges {
			for g := int(r.StartGlyphID); g <= int(r.EndGlyphID); g++ {
				all.Glyphs = append(all.Glyphs, tables.GlyphID(g)) //nolint:gosec // at most EndGlyphID
			}
		}
		*c = all
	}
	for i := range f.GSUB.Lookups {
		subtables := f.GSUB.Lookups[i].Subtables
		for j, t := range subtables {
			switch t := t.(type) {
			case tables.MultipleSubs:
				list(&t.Coverage)
				subtables[j] = t
			case tables.LigatureSubs:
				list(&t.Coverage)
				subtables[j] = t
			case tables.SingleSubs:
				switch data := t.Data.(type) {
				case tables.SingleSubstData1:
					list(&data.Coverage)
					t.Data = data
				case tables.SingleSubstData2:
					list(&data.Coverage)
					t.Data = data
				}
				subtables[j] = t
			}
		}
	}
}
