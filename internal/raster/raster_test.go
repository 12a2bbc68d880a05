//go:build full

package raster_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/raster"
	"github.com/datachain-go/datachain/taxonomy"
)

// module returns the module that make full fetches.
func module(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "web", "editor", "dist", raster.File))
	require.NoError(t, err, "run 'make full'")
	return data
}

// compiled has the machine code for all tests, since compiling takes seconds.
var compiled = wazero.NewCompilationCache()

func open(t testing.TB, o raster.Options) *raster.Renderer {
	t.Helper()
	return openWith(t, o, wazero.NewRuntimeConfig().WithCompilationCache(compiled))
}

func openWith(t testing.TB, o raster.Options, c wazero.RuntimeConfig) *raster.Renderer {
	t.Helper()
	r, err := raster.OpenWith(module(t), &o, c)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	return r
}

func decode(t testing.TB, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	return img
}

func svg(width, height int, body string) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d">%s</svg>`, width, height, body)
}

// at returns the colour of a pixel.
func at(img image.Image, x, y int) color.NRGBA {
	return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
}

func TestPNG(t *testing.T) {
	r := open(t, raster.Options{})
	data, err := r.PNG(t.Context(), svg(40, 30, `<rect width="20" height="30" fill="#ff8000"/><circle cx="30" cy="15" r="8" fill="none" stroke="#00f" stroke-width="2"/>`))
	require.NoError(t, err)
	img := decode(t, data)
	assert.Equal(t, image.Pt(40, 30), img.Bounds().Size())
	assert.Equal(t, color.NRGBA{0xff, 0x80, 0, 0xff}, at(img, 5, 5))
	assert.Equal(t, color.NRGBA{0, 0, 0xff, 0xf0}, at(img, 38, 15), "smooth")
	assert.Equal(t, color.NRGBA{}, at(img, 30, 15), "transparent")

	// An icon with the parts that other rasterisers get wrong: currentColor, cut-outs and
	// strokes that are scaled.
	symbol, findings := icons.Sanitize([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path fill="currentColor" fill-rule="evenodd" d="M10 10h16v16H10zM14 14h8v8h-8z"/></svg>`))
	require.Empty(t, findings)
	icon, err := icons.Append(nil, taxonomy.Circle, symbol, icons.DefaultLook(), &icons.Options{Size: 144})
	require.NoError(t, err)
	data, err = r.PNG(t.Context(), icon)
	require.NoError(t, err)
	img = decode(t, data)
	assert.Equal(t, image.Pt(144, 144), img.Bounds().Size())
	look := icons.DefaultLook()
	assert.Equal(t, look.Fill.String(), hex(at(img, 72, 72)), "the hole of the symbol shows the fill")
	assert.Equal(t, look.Ink.String(), hex(at(img, 46, 72)), "the symbol has the colour of the look")
	assert.Equal(t, color.NRGBA{}, at(img, 1, 1), "outside of the shape")
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// TestConcurrent draws more images at the same time than there are instances. Each gets its
// own picture. The module is interpreted: the race detector makes the compiler slow.
func TestConcurrent(t *testing.T) {
	r := openWith(t, raster.Options{MaxImages: 2}, wazero.NewRuntimeConfigInterpreter())
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			body := fmt.Sprintf(`<rect width="100%%" height="100%%" fill="#%02x00ff"/>`, i*10)
			if i%6 == 5 {
				body = "<broken" // must not disturb the others
			}
			data, err := r.PNG(t.Context(), svg(10+i, 10, body))
			if i%6 == 5 {
				assert.Error(t, err)
				return
			}
			if assert.NoError(t, err) {
				img := decode(t, data)
				assert.Equal(t, 10+i, img.Bounds().Dx())
				assert.Equal(t, color.NRGBA{uint8(i * 10), 0, 0xff, 0xff}, at(img, 5, 5))
			}
		})
	}
	all.Wait()
}

// TestHostile gives the renderer what it must refuse, with one instance, and then draws
// something else.
func TestHostile(t *testing.T) {
	r := open(t, raster.Options{MaxImages: 1, MaxBytes: 1 << 16})
	for name, c := range map[string]struct {
		svg  []byte
		want string
	}{
		"empty":            {nil, "can't be drawn"},
		"not XML":          {[]byte("no"), "can't be drawn"},
		"not text":         {[]byte("<svg xmlns=\"\xff\"/>"), "not valid UTF-8"},
		"too many bytes":   {svg(1, 1, strings.Repeat(" ", 1<<16)), "at most 65536 are drawn"},
		"too many pixels":  {svg(40_000, 40_000, ""), "at most 2000000 pixels"},
		"far too many":     {svg(2_000_000_000, 2_000_000_000, ""), ""},
		"entities":         {[]byte(`<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]><svg xmlns="http://www.w3.org/2000/svg" width="&c;"/>`), ""},
		"without end":      {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><g>`), "can't be drawn"},
		"negative size":    {svg(-5, 5, ""), ""},
		"deep":             {svg(5, 5, strings.Repeat("<g>", 9000)+strings.Repeat("</g>", 9000)), ""},
		"its own ancestor": {svg(5, 5, `<g id="a"><use href="#a"/><use href="#a"/></g>`), ""},
		"a file":           {svg(5, 5, `<image href="/etc/passwd" width="5" height="5"/>`), ""},
		"a URL":            {svg(5, 5, `<image href="http://127.0.0.1:1/" width="5" height="5"/>`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, err := r.PNG(ctx, c.svg)
			if c.want != "" {
				require.ErrorContains(t, err, c.want)
			}
			require.NoError(t, ctx.Err())
			data, err := r.PNG(t.Context(), svg(3, 3, `<rect width="3" height="3"/>`))
			require.NoError(t, err)
			assert.Equal(t, color.NRGBA{A: 0xff}, at(decode(t, data), 1, 1))
		})
	}
}

// TestCostlySymbols draws symbols that are almost refused, in the picture of a page and in a sign,
// where the icon is clipped: layers must fit into the memory that the server allows.
func TestCostlySymbols(t *testing.T) {
	r := open(t, raster.Options{MaxImages: 1, MaxPixels: 4_400_000, MaxMemory: 128 << 20})
	for name, body := range map[string]string{
		"a shape":       `<rect x="-39" y="-39" width="114" height="114"/>`,
		"a layer":       `<rect x="-24" y="-24" width="80" height="80" opacity=".5"/>`,
		"a clipped one": `<clipPath id="a"><circle cx="18" cy="18" r="9"/></clipPath><path d="M0 0h74v74H0z" clip-path="url(#a)"/>`,
		"layers":        strings.Repeat(`<g opacity=".9">`, 9) + `<rect width="36" height="36"/>` + strings.Repeat(`</g>`, 9),
	} {
		t.Run(name, func(t *testing.T) {
			symbol, findings := icons.Sanitize([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">` + body + `</svg>`))
			require.Empty(t, findings)
			icon, err := icons.Append(nil, taxonomy.Circle, symbol, icons.DefaultLook(), nil)
			require.NoError(t, err)
			_, inner, _ := strings.Cut(string(icon), ">")
			_, err = r.PNG(t.Context(), svg(1200, 630, `<g transform="translate(410 120) scale(10.5)">`+strings.TrimSuffix(inner, "</svg>")+`</g>`))
			require.NoError(t, err)
			_, err = r.PNG(t.Context(), svg(1748, 2480, `<svg x="200" y="200" width="240" height="240" viewBox="0 0 36 36">`+inner))
			require.NoError(t, err)
		})
	}
}

// bomb is an SVG that takes as long to draw as one wishes: each level uses the one before
// ten times.
func bomb(levels int) []byte {
	body := `<rect id="l0" width="5" height="5"/>`
	for i := range levels {
		body += fmt.Sprintf(`<g id="l%d">%s</g>`, i+1, strings.Repeat(fmt.Sprintf(`<use href="#l%d"/>`, i), 10))
	}
	return svg(5, 5, body)
}

// TestBounds shows that the end of a context and the limit of memory stop the module.
func TestBounds(t *testing.T) {
	r := open(t, raster.Options{MaxImages: 1, MaxMemory: 1 << 30})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := r.PNG(ctx, bomb(9))
	require.ErrorIs(t, err, context.DeadlineExceeded)

	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = r.PNG(canceled, bomb(9))
	require.ErrorIs(t, err, context.Canceled)
	_, err = r.PNG(t.Context(), svg(3, 3, ""))
	require.NoError(t, err, "the renderer goes on")

	small := open(t, raster.Options{MaxMemory: 8 << 20})
	_, err = small.PNG(t.Context(), bomb(9))
	require.Error(t, err)
	_, err = small.PNG(t.Context(), svg(3, 3, ""))
	require.NoError(t, err)
}

func TestOpen(t *testing.T) {
	for name, data := range map[string][]byte{"empty": nil, "damaged": append(module(t)[:100_000:100_000], 0), "another file": []byte("\x00asm\x01\x00\x00\x00")} {
		_, err := raster.Open(data, nil)
		require.ErrorIs(t, err, raster.ErrModule, name)
		require.ErrorContains(t, err, "get it with 'make full'", name)
	}
	_, err := raster.Open(module(t), &raster.Options{MaxPixels: -1})
	require.ErrorContains(t, err, "must not be negative")
	most := int64(4 << 30)
	for _, size := range []int64{most + 1, most + 1<<16, 1<<48 + 1, math.MaxInt64} {
		_, err := raster.Open(module(t), &raster.Options{MaxMemory: int(size)})
		require.ErrorContains(t, err, "MaxMemory must be at most 4294967296", size)
	}
	data, err := open(t, raster.Options{MaxMemory: int(most)}).PNG(t.Context(), svg(3, 3, ""))
	require.NoError(t, err)
	assert.Equal(t, image.Pt(3, 3), decode(t, data).Bounds().Size())
}

// TestClose closes a renderer that still compiles. Images neither wait for it nor are drawn.
func TestClose(t *testing.T) {
	r, err := raster.Open(module(t), nil)
	require.NoError(t, err)
	require.False(t, raster.Compiled(r), "a server starts first")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = r.PNG(canceled, svg(3, 3, ""))
	require.ErrorIs(t, err, context.Canceled)
	waiting := make(chan error)
	go func() {
		_, err := r.PNG(context.Background(), svg(3, 3, ""))
		waiting <- err
	}()
	require.NoError(t, r.Close())
	require.ErrorContains(t, <-waiting, "compile the module")
	_, err = r.PNG(t.Context(), svg(3, 3, ""))
	require.Error(t, err)
	require.NoError(t, r.Close(), "again")

	r = open(t, raster.Options{})
	_, err = r.PNG(t.Context(), svg(3, 3, ""))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	_, err = r.PNG(t.Context(), svg(3, 3, ""))
	require.Error(t, err, "closed")
}
