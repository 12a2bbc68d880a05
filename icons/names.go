package icons

import "strings"

const (
	svgNamespace   = "http://www.w3.org/2000/svg"
	xlinkNamespace = "http://www.w3.org/1999/xlink"
	xmlNamespace   = "http://www.w3.org/XML/1998/namespace"
)

// editorNamespace reports whether a namespace belongs to a drawing program or
// to metadata, so that its elements may be left out.
func editorNamespace(ns string) bool {
	for _, prefix := range []string{
		"http://www.inkscape.org/namespaces/",
		"http://inkscape.sourceforge.net/",
		"http://sodipodi.sourceforge.net/",
		"http://www.w3.org/1999/02/22-rdf-syntax-ns#",
		"http://creativecommons.org/ns#",
		"http://web.resource.org/cc/",
		"http://purl.org/dc/",
		"http://ns.adobe.com/",
		"http://www.bohemiancoding.com/sketch/ns",
		"http://www.serif.com/",
		"https://boxy-svg.com",
		"http://www.figma.com/",
		"http://vectornator.io",
	} {
		if strings.HasPrefix(ns, prefix) {
			return true
		}
	}
	return false
}

// activeNamespace reports whether the elements of a namespace can run or load
// something.
func activeNamespace(ns string) bool {
	for _, prefix := range []string{
		"http://www.w3.org/1999/xhtml",
		"http://www.w3.org/1998/Math/MathML",
		"http://www.w3.org/1999/XSL/",
		"http://www.w3.org/2001/XInclude",
		"http://www.w3.org/2003/XInclude",
		"http://www.w3.org/2001/SMIL20",
		"http://www.w3.org/2005/SMIL21",
		"http://www.w3.org/ns/SMIL",
		"http://www.w3.org/2002/xforms",
		"http://www.w3.org/ns/xbl",
		"http://www.mozilla.org/",
		"http://ns.adobe.com/AdobeSVGViewerExtensions/",
		eventsNamespace,
	} {
		if strings.HasPrefix(ns, prefix) {
			return true
		}
	}
	return false
}

// eventsNamespace is that of XML Events, which tie scripts to elements.
const eventsNamespace = "http://www.w3.org/2001/xml-events"

const (
	hintScript    = "remove it; a symbol is a still drawing and runs nothing"
	hintAnimation = "remove the animation and keep the still drawing"
	hintEmbed     = "remove it, or draw what it shows as paths (Inkscape: Path > Trace Bitmap; Illustrator: Image Trace)"
	hintLink      = "remove the link and keep what is inside (Inkscape: Object > Ungroup; Illustrator and Figma: delete the link)"
)

// unsafeElements can run, load or change something. The names are in lower
// case, since HTML ignores case and symbols may end in HTML.
var unsafeElements = map[string]string{
	"script": hintScript, "handler": hintScript, "listener": hintScript, "foreignobject": hintScript,
	"iframe": hintScript, "frame": hintScript, "object": hintScript, "embed": hintScript, "applet": hintScript,
	"link": hintScript, "meta": hintScript, "base": hintScript, "form": hintScript, "html": hintScript,
	"prefetch": hintScript, "include": hintScript, "input": hintScript, "template": hintScript,

	"animate": hintAnimation, "animatecolor": hintAnimation, "animatemotion": hintAnimation,
	"animatetransform": hintAnimation, "animation": hintAnimation, "set": hintAnimation,
	"mpath": hintAnimation, "discard": hintAnimation,

	"image": hintEmbed, "img": hintEmbed, "picture": hintEmbed, "feimage": hintEmbed, "audio": hintEmbed,
	"video": hintEmbed, "source": hintEmbed, "track": hintEmbed, "canvas": hintEmbed, "cursor": hintEmbed,
	"color-profile": hintEmbed, "font-face-uri": hintEmbed, "font-face-src": hintEmbed,
	"tref": hintEmbed, "altglyph": hintEmbed, "glyphref": hintEmbed,

	"a": hintLink,
}

// unsafeElement reports whether an element could run or load something, and
// what to do about it.
func unsafeElement(ns, local string) (hint string, unsafe bool) {
	if activeNamespace(ns) {
		return "remove it and all that is inside; a symbol holds SVG shapes alone", true
	}
	if editorNamespace(ns) {
		return "", false
	}
	hint, unsafe = unsafeElements[strings.ToLower(local)]
	return hint, unsafe
}

// unsafeAttribute reports whether an attribute could run or load something, and
// what to do about it.
func unsafeAttribute(ns, local, value string) (hint string, unsafe bool) {
	lower := strings.ToLower(local)
	switch {
	case len(lower) > 2 && strings.HasPrefix(lower, "on"), ns == eventsNamespace:
		return "remove the attribute; a symbol runs nothing", true
	case ns == xmlNamespace && lower == "base":
		return "remove the attribute; references are to ids of the symbol itself", true
	case lower == "href":
		if _, local := localFragment(value); !local {
			return "remove it, or refer to an element of this symbol as #id", true
		}
	}
	return "", false
}

// insteadOf says what to do about an element that symbols may not use.
func insteadOf(parent, local string) string {
	switch local {
	case "text", "tspan", "textPath", "flowRoot":
		return "convert the text to paths (Inkscape: Path > Object to Path; Illustrator: Type > Create Outlines; Figma: Flatten)"
	case "style":
		return "write the colours as attributes of the shapes, such as fill=\"#000000\" (Illustrator: Export As > SVG > Styling: Presentation Attributes; Inkscape: save as Optimized SVG)"
	case "svg":
		return "ungroup it, or turn it into <g>; only the root may be <svg>"
	case "symbol", "marker", "pattern":
		return "replace it by the shapes that it draws (Inkscape: Path > Object to Path, Edit > Clone > Unlink Clone; Illustrator: Object > Expand)"
	case "switch":
		return "keep what is inside of it alone (Illustrator: export without \"Preserve Illustrator Editing Capabilities\")"
	case "filter":
		return "remove the filter (blur, shadow); symbols are flat shapes"
	}
	switch {
	case attributes[local] != nil && parent == "clipPath":
		return "a <clipPath> holds shapes and <use> alone; ungroup what is inside of it"
	case attributes[local] != nil && local != "stop":
		return "move it out of <" + parent + ">"
	case local == "stop":
		return "put it in a gradient or remove it"
	}
	return "remove it, or draw it with paths and basic shapes"
}

// reachesOut tells an unsafe value from one that is merely not allowed. Nothing
// depends on it but the code: the value has been refused already, for not
// having the form it must have.
func reachesOut(value string) bool {
	value = strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, strings.ToLower(value))
	for _, sign := range []string{"url(", "src(", "image(", "image-set(", "expression(", "script:", "data:", "//", "@", `\`} {
		if strings.Contains(value, sign) {
			return true
		}
	}
	return false
}
