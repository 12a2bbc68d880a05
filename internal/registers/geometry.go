package registers

import (
	"encoding/json"
	"fmt"
)

// Geometry is a GeoJSON Point, LineString or Polygon.
type Geometry struct {
	// Type is Point, LineString or Polygon.
	Type string
	// Lines are the positions: of a point one line with one of them, of a polygon
	// its rings.
	Lines [][]Position
}

// Position is a longitude and a latitude in degrees.
type Position [2]float64

// middle returns the middle of what the geometry covers.
func (g *Geometry) middle() Position {
	var low, high Position
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
	return Position{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2}
}

// MarshalJSON returns GeoJSON.
func (g *Geometry) MarshalJSON() ([]byte, error) {
	var coordinates any = g.Lines
	switch {
	case g.Type == "Polygon":
	case len(g.Lines) != 1 || len(g.Lines[0]) == 0:
		return nil, fmt.Errorf("documents: a %s must have one line", g.Type)
	case g.Type == "Point":
		coordinates = g.Lines[0][0]
	default:
		coordinates = g.Lines[0]
	}
	return json.Marshal(struct {
		Type        string `json:"type"`
		Coordinates any    `json:"coordinates"`
	}{g.Type, coordinates})
}

// UnmarshalJSON reads GeoJSON. Altitudes are ignored.
func (g *Geometry) UnmarshalJSON(text []byte) error {
	var raw struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	g.Type = raw.Type
	var err error
	switch g.Type {
	case "Point":
		g.Lines = [][]Position{make([]Position, 1)}
		err = json.Unmarshal(raw.Coordinates, &g.Lines[0][0])
	case "LineString":
		g.Lines = make([][]Position, 1)
		err = json.Unmarshal(raw.Coordinates, &g.Lines[0])
	case "Polygon":
		err = json.Unmarshal(raw.Coordinates, &g.Lines)
	default:
		err = fmt.Errorf("the type of a geometry must be Point, LineString or Polygon, not %q", g.Type)
	}
	return err
}
