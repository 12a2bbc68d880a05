package sign

import (
	"bytes"
	"strconv"

	svg "github.com/ajstarks/svgo/float"

	"github.com/datachain-go/datachain/icons"
)

// svg returns the drawing as SVG.
func (d *drawing) svg() []byte {
	var b bytes.Buffer
	c := canvas{SVG: svg.New(&b)}
	width, height := number(micrometres(d.width)), number(micrometres(d.height))
	c.Startraw(`width="`+width+`mm"`, `height="`+height+`mm"`, `viewBox="0 0 `+width+" "+height+`"`, `role="img"`)
	c.Title(d.title)
	c.Desc(d.text)
	c.Path("M0 0H"+width+"V"+height+"H0Z", `fill="#FFFFFF"`)
	for i := range d.items {
		c.figure(&d.items[i])
	}
	c.End()
	return b.Bytes()
}

// canvas writes figures as SVG.
type canvas struct {
	*svg.SVG
	clips int // so far
}

func (c *canvas) figure(f *icons.Figure) {
	var attributes []string
	if f.Clip != nil {
		c.clips++
		id := "c" + strconv.Itoa(c.clips)
		c.ClipPath(`id="` + id + `"`)
		c.Path(svgPath(f.Clip), `clip-rule="`+rule(f.Clip)+`"`)
		c.ClipEnd()
		attributes = append(attributes, `clip-path="url(#`+id+`)"`)
	}
	if f.Matrix != nil {
		attributes = append(attributes, matrixOf(f.Matrix))
	}
	if f.Opacity < 1 {
		attributes = append(attributes, `opacity="`+number(f.Opacity)+`"`)
	}
	if f.Path == nil {
		c.Group(attributes...)
		for i := range f.Children {
			c.figure(&f.Children[i])
		}
		c.Gend()
		return
	}
	attributes = append(attributes, paintAttributes("fill", f.Fill)...)
	if f.Path.EvenOdd {
		attributes = append(attributes, `fill-rule="evenodd"`)
	}
	if f.Stroke != nil {
		attributes = append(attributes, paintAttributes("stroke", f.Stroke)...)
		attributes = append(attributes, strokeAttributes(&f.Pen)...)
		if f.StrokeFirst {
			attributes = append(attributes, `paint-order="stroke"`)
		}
	}
	c.Path(svgPath(f.Path), attributes...)
}

// paintAttributes returns the attributes of a paint.
func paintAttributes(name string, p *icons.Paint) []string {
	if p == nil {
		return []string{name + `="none"`}
	}
	list := []string{name + `="` + p.Color.String() + `"`}
	if p.Opacity < 1 {
		list = append(list, name+`-opacity="`+number(p.Opacity)+`"`)
	}
	return list
}

// strokeAttributes returns the attributes of a stroke that are not the default.
func strokeAttributes(p *icons.Pen) (list []string) {
	add := func(name, value, initial string) {
		if value != initial {
			list = append(list, "stroke-"+name+`="`+value+`"`)
		}
	}
	add("width", factors(p.Width), "1")
	add("linecap", []string{"butt", "round", "square"}[p.Cap], "butt")
	add("linejoin", []string{"miter", "round", "bevel"}[p.Join], "miter")
	add("miterlimit", factors(p.MiterLimit), "4")
	add("dasharray", factors(p.Dashes...), "")
	add("dashoffset", factors(p.Offset), "0")
	return list
}

func rule(p *icons.Outline) string {
	if p.EvenOdd {
		return "evenodd"
	}
	return "nonzero"
}

// matrixOf returns the attribute of a transformation.
func matrixOf(m []float64) string { return `transform="matrix(` + factors(m...) + `)"` }

// svgPath returns an outline as path data.
func svgPath(p *icons.Outline) string {
	var b []byte
	rest := p.Coords
	for _, op := range p.Ops {
		b = append(b, map[byte]byte{'m': 'M', 'l': 'L', 'c': 'C', 'h': 'Z'}[op])
		n := coordsOf(op)
		for j, v := range rest[:n] {
			if j > 0 {
				b = append(b, ' ')
			}
			b = append(b, number(v)...)
		}
		rest = rest[n:]
	}
	return string(b)
}
