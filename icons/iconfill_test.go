package icons

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestIconFill has the ways to write the icon's fill, which all are published in one form.
func TestIconFill(t *testing.T) {
	for name, value := range map[string]string{
		"canonical":     `fill="var(--icon-fill, #fff)"`,
		"no space":      `fill="var(--icon-fill,#fff)"`,
		"spaces":        "fill=\" var(\t--icon-fill\n , #fff ) \"",
		"no fallback":   `fill="var(--icon-fill)"`,
		"long fallback": `fill="var(--icon-fill, #FFFFFF)"`,
		"name":          `fill="var(--icon-fill, White)"`,
		"rgb":           `fill="var(--icon-fill, rgb(255, 255, 255))"`,
		"other colour":  `fill="var(--icon-fill, #123456)"`,
		"capitals":      `fill="VAR(--icon-fill, #FFF)"`,
		"style":         `style="fill: var(--icon-fill, white)"`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, property := range []string{"fill", "stroke"} {
				src := drawing(`<circle ` + strings.Replace(value, "fill", property, 1) + ` r="6"/>`)
				symbol, issues := Sanitize([]byte(src))
				require.Empty(t, issues)
				want := `<circle fill="var(--icon-fill, #fff)" r="6"/>`
				if property == "stroke" {
					want = `<circle r="6" stroke="var(--icon-fill, #fff)"/>`
				}
				require.Equal(t, drawing(want), string(symbol.SVG()))
				requireIdempotent(t, []byte(src))
			}
		})
	}
}

// TestIconFillOnly checks that no other variable, and nothing beside the icon's fill, gets
// into a symbol.
func TestIconFillOnly(t *testing.T) {
	for _, attribute := range []string{
		`fill="var(--symbol-bg, white)"`,
		`fill="var(--Icon-Fill, #fff)"`,
		`fill="var(--icon-fill2, #fff)"`,
		`fill="var(icon-fill, #fff)"`,
		`fill="var(--icon-fill, currentColor)"`,
		`fill="var(--icon-fill, none)"`,
		`fill="var(--icon-fill, )"`,
		`fill="var(--icon-fill, #fff, red)"`,
		`fill="var(--icon-fill, #ffff)"`,
		`fill="var(--icon-fill #fff)"`,
		`fill="var(--icon-fill, var(--other))"`,
		`fill="var(--icon-fill, #fff) red"`,
		`fill="var(--icon-fill, #fff)) "`,
		`fill="var(--icon-fill, #fff"`,
		`fill="var(--icon-fill/**/, #fff)"`,
		`fill="var (--icon-fill, #fff)"`,
		`fill="env(--icon-fill, #fff)"`,
		`fill="var()"`,
		`fill="var("`,
		`opacity="var(--icon-fill, 1)"`,
		`transform="var(--icon-fill, scale(9))"`,
		`style="--icon-fill: red"`,
	} {
		t.Run(attribute, func(t *testing.T) {
			symbol, issues := Sanitize([]byte(drawing(`<circle r="6" ` + attribute + `/>`)))
			require.Nil(t, symbol)
			require.Len(t, issues, 1)
			require.EqualValues(t, codes.SymbolNotAllowed, issues[0].Code)
			if strings.HasPrefix(attribute, "fill") {
				require.Contains(t, issues[0].FixHint, IconFill, "the hint says what is allowed")
			}
			requireWellFormed(t, issues)
		})
	}
	requireRefused(t, drawing(`<g fill="var(--icon-fill, url(http://evil.example/))"/>`), codes.SymbolUnsafe)
	requireRefused(t, drawing(`<g fill="var(--icon-\66ill, #fff)"/>`), codes.SymbolUnsafe)
	requireRefused(t, drawing(`<linearGradient><stop stop-color="var(--icon-fill, #fff)"/></linearGradient>`), codes.SymbolNotAllowed)
}

// TestIconFillIsComposed checks that an icon has the colour of its look in place of the
// variable, so that any program can draw it.
func TestIconFillIsComposed(t *testing.T) {
	symbol, issues := Sanitize([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" stroke="var(--icon-fill, #fff)">` +
		`<linearGradient id="a"><stop/></linearGradient><circle r="9" fill="url(#a)"/><circle r="3" fill="var(--icon-fill)"/></svg>`))
	require.Empty(t, issues)
	require.Equal(t, 2, strings.Count(string(symbol.SVG()), IconFill), "it stays in the published symbol")
	for fill, look := range map[string]Look{"#FFFFFF": DefaultLook(), "#000000": DarkLook(), "#1B62A5": FilledLook(Color{0x1B, 0x62, 0xA5})} {
		for _, o := range []*Options{nil, {IDPrefix: "x"}} {
			icon, err := Compose(taxonomy.Circle, symbol, look, o)
			require.NoError(t, err)
			id := RequireIcon(t, icon)[0]
			require.Contains(t, string(icon), ` stroke="`+fill+`"><linearGradient id="`+id+`"><stop/></linearGradient>`+
				`<circle fill="url(#`+id+`)" r="9"/><circle fill="`+fill+`" r="3"/></g></svg>`)
			require.LessOrEqual(t, len(icon), symbol.composedSize())
		}
	}
}
