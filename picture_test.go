package datachain_test

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
	ground: {"ground", "#eeeeea"}, model: {"model", "#fdf3c8"}, core: {"core", "#fdf3c8"},
	derived: {"releases", "#e9f3e4"}, changes: {"between versions", "#e9f3e4"}, authors: {"source of taxonomies", "#e9f3e4"},
	entry: {"entry point", "#fbe9d7"}, words: {"words", "#efe9f5"}, registry: {"a public register", "#efe9f5"},
	shared: {"shared by adapters", "#e3eef7"}, adapter: {"adapters", "#e3eef7"}, top: {"programs", "#f4f1ea"},
}

// box returns the name of a folder in the picture, or "" for one inside another.
func box(dir string) string {
	in, name := path.Split(dir)
	switch {
	case dir == ".":
		return "datachain"
	case in == "", in == "adapters/" && name != "internal":
		return name
	case dir == "web/wasm":
		return dir
	}
	return ""
}

// picture draws the folders of the policy on their floors.
func picture() string {
	folders := make([][]string, len(drawn))
	folders[top] = []string{"editors"} // has no Go code
	for _, r := range policy {
		if name := box(r.dir); name != "" {
			folders[r.floor] = append(folders[r.floor], name)
		}
	}
	const left, width, height, gap, most = 190, 770, 38, 8, 6
	var b strings.Builder
	y := 14
	for i, floor := range slices.Backward(drawn) {
		fmt.Fprintf(&b, "<text x=\"20\" y=\"%d\" font-size=\"12.5\" font-weight=\"600\" fill=\"#555\">%s</text>\n", y+24, floor.name)
		for row := range slices.Chunk(folders[i], most) {
			each := (width - gap*(len(row)-1)) / len(row)
			for k, name := range row {
				x := left + k*(each+gap)
				fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"7\" fill=\"%s\" stroke=\"#8a8a80\"/>\n", x, y, each, height, floor.color)
				fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"13\" fill=\"#111\">%s</text>\n", x+each/2, y+24, name)
			}
			y += height + gap
		}
	}
	const head = `<svg xmlns="http://www.w3.org/2000/svg" width="980" height="%d" viewBox="0 0 980 %[1]d" font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" role="img" ` +
		`aria-label="The folders of the project on floors, from programs at the top to small packages at the ground. A folder imports what is on the floors below it.">
<rect width="980" height="%[1]d" rx="12" fill="#fff"/>
%s</svg>
`
	return fmt.Sprintf(head, y+8, b.String())
}
