package explorer_test

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/explorer"
)

// drawn returns the SVG instead of a PNG.
func drawn(_ context.Context, svg []byte) ([]byte, error) { return svg, nil }

// meta returns the content of a meta element, or "".
func meta(p *node, name string) string {
	for _, m := range p.all("meta") {
		if m.attr("property") == name || m.attr("name") == name {
			return m.attr("content")
		}
	}
	return ""
}

// TestPictures follows the addresses of the pictures of pages.
func TestPictures(t *testing.T) {
	const base = "https://example.org/dc"
	s := open(t, nil, &explorer.Options{BaseURL: base, Picture: drawn})
	for path, icons := range map[string]int{
		"/t/" + stable: 15, "/t/" + stable + "/c/purpose": 6, "/t/" + stable + "/e/purpose.benefits": 1,
	} {
		p := s.page(path + "?lang=fr")
		address := meta(p, "og:image")
		assert.Equal(t, base+path+"/picture.png", address)
		for name, want := range map[string]string{
			"og:image:type": "image/png", "og:image:width": "1200", "og:image:height": "630",
			"og:image:alt": meta(p, "og:title"), "twitter:card": "summary_large_image",
		} {
			assert.Equal(t, want, meta(p, name), name)
		}
		assert.Equal(t, address, meta(s.page(strings.Replace(path, stable, "ai@latest", 1)), "og:image"), "aliases share a picture")

		res := s.do(http.MethodGet, strings.TrimPrefix(address, base))
		require.Equal(t, http.StatusOK, res.StatusCode, address)
		assert.Equal(t, "image/png", res.Header.Get("Content-Type"))
		assert.Equal(t, "public, max-age=31536000, immutable", res.Header.Get("Cache-Control"))
		assert.Empty(t, res.Header.Get("Content-Language"))
		assert.NotContains(t, res.Header.Values("Vary"), "Accept-Language")
		assert.Equal(t, icons, strings.Count(res.body, "<g transform="), path)
		assert.Contains(t, res.body, `<rect y="616" width="1200" height="14" fill="#0b5467"/>`, "the bar")
		wellFormed(t, res.body)
		again := s.do(http.MethodGet, strings.TrimPrefix(address, base), "If-None-Match", res.Header.Get("ETag"))
		assert.Equal(t, http.StatusNotModified, again.StatusCode)
	}
	for _, path := range []string{"/t/ai@latest/picture.png", "/t/" + beta + "/picture.png", "/t/ai@latest/e/purpose.benefits/picture.png"} {
		assert.Equal(t, "no-cache", s.do(http.MethodGet, path).Header.Get("Cache-Control"), "%s may change", path)
	}
	for _, path := range []string{"/t/" + stable + "/e/none/picture.png", "/t/" + stable + "/c/none/picture.png", "/t/none@latest/picture.png", "/picture.png"} {
		assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, path).StatusCode, path)
	}
	assert.Empty(t, meta(s.page("/"), "og:image"))
}

// wellFormed checks an SVG and that no id in it is used twice.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	ids := make(map[string]bool)
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		if start, ok := token.(xml.StartElement); ok {
			for _, a := range start.Attr {
				assert.False(t, a.Name.Local == "id" && ids[a.Value], a.Value)
				ids[a.Value] = ids[a.Value] || a.Name.Local == "id"
			}
		}
	}
}

// TestNoPictures shows that pages have no pictures if nothing draws them or their address
// is not known.
func TestNoPictures(t *testing.T) {
	for _, o := range []*explorer.Options{nil, {BaseURL: "https://example.org"}, {Picture: drawn}, {BaseURL: "/dc", Picture: drawn}} {
		s := open(t, nil, o)
		p := s.page("/t/" + stable + "/e/purpose.benefits")
		assert.Empty(t, meta(p, "og:image"))
		assert.Empty(t, meta(p, "twitter:card"))
		assert.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/t/"+stable+"/e/purpose.benefits/picture.png").StatusCode)
	}
}

// TestPictureFails shows that a picture that can't be drawn is an error of its own, and is
// tried again.
func TestPictureFails(t *testing.T) {
	broken := true
	s := open(t, nil, &explorer.Options{
		BaseURL: "https://example.org", Logger: slog.New(slog.DiscardHandler),
		Picture: func(ctx context.Context, svg []byte) ([]byte, error) {
			if broken {
				return nil, errors.New("broken")
			}
			return drawn(ctx, svg)
		},
	})
	const path = "/t/" + stable + "/picture.png"
	s.page("/t/" + stable)
	assert.Equal(t, http.StatusInternalServerError, s.do(http.MethodGet, path).StatusCode)
	broken = false
	assert.Equal(t, http.StatusOK, s.do(http.MethodGet, path).StatusCode)
}

// TestPictureStarts asks for a picture before any can be drawn: other pages that cost work do not
// wait for it, the client is told when to try again, and then the drawing has its whole time.
func TestPictureStarts(t *testing.T) {
	t.Parallel()
	ready, asked := make(chan struct{}), make(chan struct{}, 100)
	s := open(t, nil, &explorer.Options{
		BaseURL: "https://example.org", MaxWork: 1, Timeout: 2 * time.Second, Picture: drawn,
		PictureReady: func(ctx context.Context) error {
			asked <- struct{}{}
			select {
			case <-ready:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		},
	})
	const path = "/t/" + stable + "/picture.png"
	first := make(chan reply)
	go func() { first <- s.do(http.MethodGet, path) }()
	<-asked
	awaitStatus(t, s, comparison)
	res := <-first
	assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
	assert.Equal(t, "10", res.Header.Get("Retry-After"))
	go func() { first <- s.do(http.MethodGet, path) }()
	<-asked
	close(ready)
	awaitStatus(t, s, path)
	<-first

	broken := open(t, nil, &explorer.Options{
		BaseURL: "https://example.org", Logger: slog.New(slog.DiscardHandler), Picture: drawn,
		PictureReady: func(context.Context) error { return errors.New("broken") },
	})
	assert.Equal(t, http.StatusInternalServerError, broken.do(http.MethodGet, path).StatusCode)
}

// TestPictureLate draws pictures that take longer than the time limit, as on an overloaded server: the
// client is told when to try again.
func TestPictureLate(t *testing.T) {
	t.Parallel()
	late := func(ctx context.Context, _ []byte) ([]byte, error) {
		<-ctx.Done()
		return nil, fmt.Errorf("draw: %w", ctx.Err())
	}
	s := open(t, nil, &explorer.Options{BaseURL: "https://example.org", Timeout: 50 * time.Millisecond, Picture: late})
	for _, path := range []string{"", "/c/purpose", "/e/purpose.benefits"} {
		res := s.do(http.MethodGet, "/t/"+stable+path+"/picture.png")
		assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode, path)
		assert.Equal(t, "10", res.Header.Get("Retry-After"), path)
	}
}

// TestPictureWaits draws one picture after the other: the time limit of each begins when it is its
// turn, not while it waits.
func TestPictureWaits(t *testing.T) {
	t.Parallel()
	const limit = 20 * time.Second
	var free time.Time // when the previous picture was drawn
	s := open(t, nil, &explorer.Options{BaseURL: "https://example.org", MaxWork: 1, Timeout: limit, Picture: func(ctx context.Context, svg []byte) ([]byte, error) {
		end, _ := ctx.Deadline()
		assert.False(t, end.Before(free.Add(limit)), "%s", free.Add(limit).Sub(end))
		time.Sleep(50 * time.Millisecond)
		free = time.Now()
		return drawn(ctx, svg)
	}})
	var drawing sync.WaitGroup
	for _, id := range []string{"", "/c/purpose", "/e/purpose.benefits"} {
		drawing.Go(func() {
			assert.Equal(t, http.StatusOK, s.do(http.MethodGet, "/t/"+stable+id+"/picture.png").StatusCode)
		})
	}
	drawing.Wait()
}

// TestPictureOfShapes shows that icons that can't be drawn, such as those that are too large
// together, leave their shapes.
func TestPictureOfShapes(t *testing.T) {
	var sizes []int
	s := open(t, nil, &explorer.Options{BaseURL: "https://example.org", Picture: func(ctx context.Context, svg []byte) ([]byte, error) {
		sizes = append(sizes, len(svg))
		if len(sizes)%2 == 1 {
			return nil, errors.New("the image is too large")
		}
		return drawn(ctx, svg)
	}})
	for _, path := range []string{"/t/" + stable, "/t/" + stable + "/c/purpose", "/t/" + stable + "/e/purpose.benefits"} {
		sizes = nil
		res := s.do(http.MethodGet, path+"/picture.png")
		require.Equal(t, http.StatusOK, res.StatusCode, path)
		assert.Equal(t, "no-cache", res.Header.Get("Cache-Control"), "it may be drawn whole the next time")
		require.Len(t, sizes, 2, path)
		assert.Less(t, sizes[1], sizes[0], path)
	}
}

// TestSitePictures checks that a site has each picture once, for all languages.
func TestSitePictures(t *testing.T) {
	const base = "https://example.org/dc"
	files := writeSite(t, many(t, 20), &explorer.Options{BaseURL: base, Picture: drawn})
	found := 0
	for name, body := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		if address := meta(parse(t, string(body)), "og:image"); address != "" {
			file, ok := strings.CutPrefix(address, base+"/")
			require.True(t, ok, address)
			require.NotNil(t, files[file], "%s: %s", name, address)
			found++
		}
	}
	assert.Greater(t, found, 20)
	assert.NotNil(t, files["t/big@2026-10-01-stable/picture.png"])
}
