package explorer

import (
	"encoding/json"
	"html/template"
	"math"
	"strconv"

	"github.com/datachain-go/datachain/documents"
	"github.com/datachain-go/datachain/internal/texts"
)

// placeMap is the places of documents as dots on the boundary of the publisher.
type placeMap struct {
	Label         string
	Width, Height int
	Boundary      template.HTML
	Dots          []dot
}

// dot is the place of a document.
type dot struct {
	X, Y  int
	Title string
}

// mapWidth is the width of a map in its own units, and maxDots the number of places on it.
const (
	mapWidth = 1000
	maxDots  = 2000
)

// outline is a boundary as it is drawn. Longitudes are narrowed by the latitude in its
// middle: a city or a country is small enough for that.
type outline struct {
	settings *documents.Settings
	path     template.HTML
	west     float64
	north    float64
	narrowed float64 // the cosine of the latitude
	scale    float64 // units for a degree of latitude
	height   int
}

// outline returns the boundary of the register, or nil. It is kept until it changes.
func (e *Explorer) outline(s *documents.Settings) *outline {
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
func (g *geoJSON) rings(list [][]documents.Position) [][]documents.Position {
	var one [][]documents.Position
	var many [][][]documents.Position
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
	for i := range g.Features {
		list = g.Features[i].rings(list)
	}
	for i := range g.Geometries {
		list = g.Geometries[i].rings(list)
	}
	return list
}

// draw makes the path of some rings. Points that fall on the one before are left out.
func (o *outline) draw(rings [][]documents.Position) {
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
func (o *outline) at(p documents.Position) (x, y int) {
	return int(math.Round((p[0] - o.west) * o.narrowed * o.scale)), int(math.Round((o.north - p[1]) * o.scale))
}

// placeMap draws the places of the documents found, or returns nil if there are none or the
// publisher has no boundary.
func (q *request) placeMap(found []*documents.Document) *placeMap {
	o := q.explorer.outline(q.state.Settings())
	if o.height == 0 {
		return nil
	}
	m := &placeMap{Width: mapWidth, Height: o.height, Boundary: o.path}
	for _, d := range found {
		for i := range d.Details.Places {
			g := d.Details.Places[i].Geometry
			if g == nil || len(m.Dots) == maxDots {
				continue
			}
			x, y := o.at(middle(g))
			if x >= 0 && x <= mapWidth && y >= 0 && y <= o.height {
				m.Dots = append(m.Dots, dot{x, y, texts.Clean(q.name(d.Title, d.ID).Plain)})
			}
		}
	}
	if len(m.Dots) == 0 {
		return nil
	}
	m.Label = q.words.Count(q.words.Register.Places, len(m.Dots))
	return m
}

// middle returns the middle of what a geometry covers.
func middle(g *documents.Geometry) documents.Position {
	var low, high documents.Position
	for i, line := range g.Lines {
		for j, p := range line {
			for axis := range p {
				if i == 0 && j == 0 {
					low[axis], high[axis] = p[axis], p[axis]
				}
				low[axis], high[axis] = min(low[axis], p[axis]), max(high[axis], p[axis])
			}
		}
	}
	return documents.Position{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2}
}
