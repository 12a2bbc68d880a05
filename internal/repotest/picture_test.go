package repotest_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/internal/goldentest"
)

// TestPicture holds the picture of the design to the policy. With UPDATE=1 it draws it.
func TestPicture(t *testing.T) {
	goldentest.File(t, "docs/internals/architecture.svg", picture())
}

// drawn are the floors in the picture, from the lowest up.
var drawn = []struct{ name, color string }{
	ground: {"ground", "#eeeeea"}, model: {"model", "#fdf3c8"}, core: {"core", "#fdf3c8"}, stored: {"stores of files", "#fdf3c8"}, past: {"what was published", "#fdf3c8"},
	derived: {"releases", "#e9f3e4"}, changes: {"between versions", "#e9f3e4"}, authors: {"source of taxonomies", "#e9f3e4"},
	entry: {"entry point", "#fbe9d7"}, words: {"words", "#efe9f5"}, registry: {"a public register", "#efe9f5"},
	shared: {"shared by adapters", "#e3eef7"}, adapter: {"adapters", "#e3eef7"}, assembly: {"all of it", "#e3eef7"}, top: {"programs", "#f4f1ea"},
}

// box returns the name of a folder in the picture, or "" for one inside another.
func box(dir string) string {
	in, name := path.Split(dir)
	switch {
	case dir == ".":
		return "datachain"
	case in == "", in == "adapters/" && name != "internal":
		return name
	}
	return ""
}

// picture draws the folders of the policy on their floors: those of the product above a line, and
// those of the service below it.
func picture() string {
	folders := map[int]map[int][]string{
		product: {top: {"editors"}}, // has no Go code
		service: {},
	}
	for _, r := range policy {
		if name := box(r.dir); name != "" {
			folders[r.part][r.floor] = append(folders[r.part][r.floor], name)
		}
	}
	const left, width, height, gap, most = 190, 770, 38, 8, 6
	var b strings.Builder
	y := 14
	for _, part := range []int{product, service} {
		for i, floor := range slices.Backward(drawn) {
			if len(folders[part][i]) == 0 {
				continue
			}
			fmt.Fprintf(&b, "<text x=\"20\" y=\"%d\" font-size=\"12.5\" font-weight=\"600\" fill=\"#555\">%s</text>\n", y+24, floor.name)
			for row := range slices.Chunk(folders[part][i], most) {
				each := (width - gap*(len(row)-1)) / len(row)
				for k, name := range row {
					x := left + k*(each+gap)
					fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"7\" fill=\"%s\" stroke=\"#8a8a80\"/>\n", x, y, each, height, floor.color)
					fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"13\" fill=\"#111\">%s</text>\n", x+each/2, y+24, name)
				}
				y += height + gap
			}
		}
		if part == product {
			fmt.Fprintf(&b, "<path d=\"M20 %dh940\" stroke=\"#555\" stroke-width=\"2\"/>\n", y+14)
			fmt.Fprintf(&b, "<text x=\"960\" y=\"%d\" text-anchor=\"end\" font-size=\"12.5\" font-weight=\"600\" fill=\"#555\">product ↑</text>\n", y+8)
			fmt.Fprintf(&b, "<text x=\"960\" y=\"%d\" text-anchor=\"end\" font-size=\"12.5\" font-weight=\"600\" fill=\"#555\">↓ service</text>\n", y+30)
			y += 40
		}
	}
	const head = `<svg xmlns="http://www.w3.org/2000/svg" width="980" height="%d" viewBox="0 0 980 %[1]d" font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" role="img" ` +
		`aria-label="The folders of the project: the product above a line, the service below it, each on floors from small packages up to programs. A folder imports what is on the floors below its own, and nothing of the service imports the product.">
<rect width="980" height="%[1]d" rx="12" fill="#fff"/>
%s</svg>
`
	return fmt.Sprintf(head, y+8, b.String())
}
