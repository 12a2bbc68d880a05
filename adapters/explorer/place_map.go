package explorer

import (
	"encoding/json"
	"html/template"
	"math"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/internal/registers"
	"github.com/datachain-go/datachain/internal/texts"
)

// placeMap is the places of documents as dots on the boundary of the publisher.
type placeMap struct {
	found         *registers.Result // whose documents they are
	Label         string
	Width, Height int
	Boundary      template.HTML
	Named         []dot         // if there are few places
	Dots          template.HTML // else
}

// dot is the place of a document.
type dot struct {
	X, Y  int
	Title string
}

// mapWidth is the width of a map in its own units. Up to maxNamed places are dots with titles;
// more are drawn on a grid, dotRoom apart, and those in one cell of it are one dot.
const (
	mapWidth = 1000
	maxNamed = 100
	dotRoom  = 10
)

// outline is a boundary as it is drawn. Longitudes are narrowed by the latitude in its
// middle: a city or a country is small enough for that.
type outline struct {
	settings *registers.Settings
	path     template.HTML
	west     float64
	north    float64
	narrowed float64 // the cosine of the latitude
	scale    float64 // units for a degree of latitude
	height   int
}

// outline returns the boundary of the register, or nil. It is kept until it changes.
func (e *Explorer) outline(s *registers.Settings) *outline {
	if kept := e.outlines.Load(); kept != nil && kept.settings == s {
		return kept
	}
	o := &outline{settings: s}
	var root geoJSON
	if json.Unmarshal(s.Boundary, &root) == nil {
		o.draw(root.rings(nil))
	}
	e.outlines.Store(o)
	return o
}

// geoJSON is a geometry, a feature or a collection of them.
type geoJSON struct {
	Type        string          `json:"type"`
	Coordinates json.RawMessage `json:"coordinates"`
	Geometry    *geoJSON        `json:"geometry"`
	Features    []geoJSON       `json:"features"`
	Geometries  []geoJSON       `json:"geometries"`
}

// rings appends the rings of all polygons.
func (g *geoJSON) rings(list [][]registers.Position) [][]registers.Position {
	var one [][]registers.Position
	var many [][][]registers.Position
	switch g.Type {
	case "Polygon":
		if json.Unmarshal(g.Coordinates, &one) == nil {
			list = append(list, one...)
		}
	case "MultiPolygon":
		if json.Unmarshal(g.Coordinates, &many) == nil {
			for _, polygon := range many {
				list = append(list, polygon...)
			}
		}
	}
	if g.Geometry != nil {
		list = g.Geometry.rings(list)
	}
	for _, part := range slices.Concat(g.Features, g.Geometries) {
		list = part.rings(list)
	}
	return list
}

// draw makes the path of some rings. Points that fall on the one before are left out.
func (o *outline) draw(rings [][]registers.Position) {
	west, south, east, north := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, ring := range rings {
		for _, p := range ring {
			west, east, south, north = min(west, p[0]), max(east, p[0]), min(south, p[1]), max(north, p[1])
		}
	}
	if !(west < east && south < north && north <= 90 && south >= -90) {
		return
	}
	const margin = 0.04
	o.narrowed = max(0.01, math.Cos((north+south)/2*math.Pi/180))
	o.west, o.north = west-margin*(east-west), north+margin*(north-south)
	o.scale = mapWidth / ((1 + 2*margin) * (east - west) * o.narrowed)
	o.height = int(math.Ceil((1 + 2*margin) * (north - south) * o.scale))
	var path []byte
	for _, ring := range rings {
		lastX, lastY := -1, -1
		for i, p := range ring {
			x, y := o.at(p)
			if i > 0 && x == lastX && y == lastY {
				continue
			}
			command := byte('L')
			if i == 0 {
				command = 'M'
			}
			path = strconv.AppendInt(append(path, command), int64(x), 10)
			path = strconv.AppendInt(append(path, ' '), int64(y), 10)
			lastX, lastY = x, y
		}
		path = append(path, 'Z')
	}
	o.path = template.HTML(`<path class="boundary" d="` + string(path) + `"/>`) //nolint:gosec // numbers
}

// at returns where a position is on the map.
func (o *outline) at(p registers.Position) (x, y int) {
	return int(math.Round((p[0] - o.west) * o.narrowed * o.scale)), int(math.Round((o.north - p[1]) * o.scale))
}

// placeMap draws the places of the documents found, or returns nil if there are none or the
// publisher has no boundary. The last one is kept: the next page of a list has the same.
func (q *request) placeMap(found *registers.Result) *placeMap {
	if kept := q.explorer.maps.Load(); kept != nil && kept.found == found {
		return kept
	}
	o := q.explorer.outline(q.state.Settings())
	if o.height == 0 {
		return nil
	}
	m := &placeMap{found: found, Width: mapWidth, Height: o.height, Boundary: o.path}
	columns := mapWidth/dotRoom + 1
	seen, places := make([]bool, columns*(o.height/dotRoom+1)), 0
	var named []*registers.Document
	for d, position := range found.Places() {
		x, y := o.at(position)
		if x < 0 || x > mapWidth || y < 0 || y > o.height {
			continue
		}
		if places++; places <= maxNamed {
			named = append(named, d)
			m.Named = append(m.Named, dot{X: x, Y: y})
		}
		seen[y/dotRoom*columns+x/dotRoom] = true
	}
	switch {
	case places == 0:
		return nil
	case places > maxNamed:
		m.Named, m.Dots = nil, dots(seen, columns)
	}
	for i := range m.Named {
		m.Named[i].Title = texts.Clean(q.name(named[i].Title, named[i].ID).Plain)
	}
	m.Label = q.words.Count(q.words.Register.Places, places)
	q.explorer.maps.Store(m)
	return m
}

// dots draws the cells of a grid that have places. Those side by side are one line.
func dots(seen []bool, columns int) template.HTML {
	path := append(make([]byte, 0, 16<<10), `<path class="dots" d="`...)
	for at := 0; at < len(seen); at++ {
		if !seen[at] {
			continue
		}
		begin := at
		for at+1 < len(seen) && seen[at+1] && (at+1)%columns != 0 {
			at++
		}
		path = strconv.AppendInt(append(path, 'M'), int64(begin%columns*dotRoom+dotRoom/2), 10)
		path = strconv.AppendInt(append(path, ' '), int64(begin/columns*dotRoom+dotRoom/2), 10)
		path = strconv.AppendInt(append(path, 'h'), int64((at-begin)*dotRoom), 10)
	}
	return template.HTML(append(path, `"/>`...)) //nolint:gosec // numbers
}
