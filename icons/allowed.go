package icons

import "strings"

// attributes lists the elements that symbols may use and the attributes of each. The
// [properties] are allowed in addition.
var attributes = map[string]map[string]grammar{
	"svg":  {}, // and the viewBox, see sanitizer.viewBox
	"g":    {"transform": transforms},
	"defs": {},
	"use":  {"href": hrefLocal, "x": length, "y": length, "transform": transforms},

	"path": {"d": pathData, "pathLength": plain, "transform": transforms},
	"rect": {
		"x": length, "y": length, "width": positive, "height": positive, "rx": positive, "ry": positive,
		"pathLength": plain, "transform": transforms,
	},
	"circle":   {"cx": length, "cy": length, "r": positive, "pathLength": plain, "transform": transforms},
	"ellipse":  {"cx": length, "cy": length, "rx": positive, "ry": positive, "pathLength": plain, "transform": transforms},
	"line":     {"x1": length, "y1": length, "x2": length, "y2": length, "pathLength": plain, "transform": transforms},
	"polyline": {"points": points, "pathLength": plain, "transform": transforms},
	"polygon":  {"points": points, "pathLength": plain, "transform": transforms},

	"linearGradient": {
		"x1": coordinate, "y1": coordinate, "x2": coordinate, "y2": coordinate,
		"gradientUnits": unitsOfUser, "gradientTransform": transforms, "spreadMethod": keywords("pad", "reflect", "repeat"),
		"href": hrefLocal,
	},
	"radialGradient": {
		"cx": coordinate, "cy": coordinate, "r": coordinate, "fx": coordinate, "fy": coordinate, "fr": coordinate,
		"gradientUnits": unitsOfUser, "gradientTransform": transforms, "spreadMethod": keywords("pad", "reflect", "repeat"),
		"href": hrefLocal,
	},
	"stop": {"offset": opacity},

	"clipPath": {"clipPathUnits": unitsOfUser, "transform": transforms},
	"mask": {
		"maskUnits": unitsOfUser, "maskContentUnits": unitsOfUser,
		"x": coordinate, "y": coordinate, "width": coordinate, "height": coordinate,
	},
}

// property is a CSS property. It may be written as an attribute or in style and is
// published as an attribute.
type property struct {
	grammar
	inherited bool
	only      string // the only element that it affects; "" is everything that is drawn
}

var properties = map[string]property{
	"fill":              {grammar: paint, inherited: true},
	"fill-opacity":      {grammar: opacity, inherited: true},
	"fill-rule":         {grammar: keywords("nonzero", "evenodd"), inherited: true},
	"stroke":            {grammar: paint, inherited: true},
	"stroke-dasharray":  {grammar: dashes, inherited: true},
	"stroke-dashoffset": {grammar: length, inherited: true},
	"stroke-linecap":    {grammar: keywords("butt", "round", "square"), inherited: true},
	"stroke-linejoin":   {grammar: keywords("miter", "round", "bevel"), inherited: true},
	"stroke-miterlimit": {grammar: plain, inherited: true},
	"stroke-opacity":    {grammar: opacity, inherited: true},
	"stroke-width":      {grammar: positive, inherited: true},
	"clip-rule":         {grammar: keywords("nonzero", "evenodd"), inherited: true},
	"paint-order":       {grammar: paintOrder, inherited: true},
	"visibility":        {grammar: keywords("visible", "hidden"), inherited: true},

	"clip-path": {grammar: urlOrNone},
	"display":   {grammar: keywords("none", "inline").except("inline", "block")},
	"mask":      {grammar: urlOrNone},
	"opacity":   {grammar: opacity.except("1")},

	"mask-type":    {grammar: keywords("luminance", "alpha"), only: "mask"},
	"stop-color":   {grammar: stopColor, only: "stop"},
	"stop-opacity": {grammar: opacity, only: "stop"},
}

func (p property) affects(element string) bool {
	if p.only != "" {
		return p.only == element
	}
	return !isGradient(element) && element != "stop"
}

// neutral lists properties that symbols may not use, with the values that have no effect
// and are dropped without a warning.
var neutral = map[string][]string{
	"clip":                {"auto"},
	"color-interpolation": {"srgb", "auto"},
	"filter":              {"none"},
	"isolation":           {"auto", "isolate"},
	"marker":              {"none"},
	"marker-end":          {"none"},
	"marker-mid":          {"none"},
	"marker-start":        {"none"},
	"mix-blend-mode":      {"normal"},
	"vector-effect":       {"none"},
}

// ineffective returns the group of a property that cannot affect a symbol, or "".
// Drawing programs write many of them, so there is one warning per group.
func ineffective(name string) string {
	switch name {
	case "alignment-baseline", "baseline-shift", "block-progression", "direction", "dominant-baseline",
		"inline-size", "kerning", "letter-spacing", "line-height", "line-break", "shape-inside",
		"shape-margin", "shape-padding", "shape-subtract", "tab-size", "unicode-bidi", "white-space",
		"word-spacing", "writing-mode":
		return "properties of text"
	case "buffered-rendering", "color-rendering", "image-rendering", "shape-rendering", "text-rendering", "will-change":
		return "rendering hints"
	case "color-interpolation-filters", "flood-color", "flood-opacity", "lighting-color":
		return "properties of filters"
	case "cursor", "pointer-events":
		return "properties of the pointer"
	case "overflow", "solid-color", "solid-opacity", "enable-background":
		return name
	}
	switch {
	case hasPrefix(name, []string{"font", "text-", "glyph-orientation-"}):
		return "properties of text"
	case strings.HasPrefix(name, "-inkscape-"):
		return "properties of Inkscape"
	}
	return ""
}

// isIgnored reports whether an attribute does not affect the drawing and is dropped.
func isIgnored(element, name string) bool {
	switch name {
	case "role", "lang", "tabindex", "focusable", "class":
		return true
	case "baseProfile", "contentScriptType", "contentStyleType", "preserveAspectRatio", "zoomAndPan":
		return element == "svg"
	case "width", "height":
		return element == "svg" || element == "use"
	case "x", "y":
		return element == "svg"
	}
	return strings.HasPrefix(name, "data-") || strings.HasPrefix(name, "aria-")
}

// mayHold reports whether an element may be a child of another.
func mayHold(parent, child string) bool {
	switch parent {
	case "svg", "g", "defs", "mask":
		return attributes[child] != nil && child != "svg" && child != "stop"
	case "clipPath":
		return isShape(child) || child == "use"
	case "linearGradient", "radialGradient":
		return child == "stop"
	}
	return false
}

func isGradient(name string) bool { return name == "linearGradient" || name == "radialGradient" }

func isShape(name string) bool {
	switch name {
	case "path", "rect", "circle", "ellipse", "line", "polyline", "polygon":
		return true
	}
	return false
}

// insteadOf returns the hint for an element that symbols may not use in its parent.
func insteadOf(parent, local string) string {
	switch local {
	case "text", "tspan", "textPath", "flowRoot":
		return "convert the text to paths (Inkscape: Path > Object to Path; Illustrator: Type > Create Outlines; Figma: Flatten)"
	case "style":
		return `write the colours as attributes of the shapes, such as fill="#000000" (Illustrator: Export As > SVG > Styling: Presentation Attributes; Inkscape: save as Optimized SVG)`
	case "svg":
		return "ungroup it, or replace it by <g>; only the root may be <svg>"
	case "symbol", "marker", "pattern":
		return "replace it by the shapes that it draws (Inkscape: Path > Object to Path, Edit > Clone > Unlink Clone; Illustrator: Object > Expand)"
	case "switch":
		return `keep only its content (Illustrator: export without "Preserve Illustrator Editing Capabilities")`
	case "filter":
		return "remove the filter (blur, shadow); symbols are flat shapes"
	case "stop":
		return "move it into a gradient or remove it"
	}
	switch {
	case attributes[local] == nil:
		return "remove it, or draw it with paths and basic shapes"
	case parent == "clipPath":
		return "ungroup the content of <clipPath>; it may contain only shapes and <use>"
	}
	return "move it out of <" + parent + ">"
}
