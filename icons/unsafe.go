package icons

import (
	"slices"
	"strings"
)

// activeNamespaces start the namespaces whose elements can run or load something.
var activeNamespaces = []string{
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
}

// eventsNamespace is that of XML Events, which attach scripts to elements.
const eventsNamespace = "http://www.w3.org/2001/xml-events"

// editorNamespaces start the namespaces of drawing programs and metadata, whose elements
// are dropped.
var editorNamespaces = []string{
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
}

func editorNamespace(ns string) bool { return hasPrefix(ns, editorNamespaces) }

func hasPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(s, prefix) })
}

const (
	hintScript    = "remove it; a symbol is a static drawing"
	hintAnimation = "remove the animation and keep the static drawing"
	hintEmbed     = "remove it, or convert it to paths (Inkscape: Path > Trace Bitmap; Illustrator: Image Trace)"
	hintLink      = "remove the link and keep its content (Inkscape: Object > Ungroup; Illustrator and Figma: delete the link)"
)

// unsafeElements can run, load or change something. The names are in lower case, because
// HTML ignores case and symbols may be put into HTML.
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

// unsafeElement reports whether an element could run or load something, and how to fix
// it.
func unsafeElement(ns, local string) (hint string, unsafe bool) {
	if hasPrefix(ns, activeNamespaces) {
		return "remove it and its content; a symbol contains only SVG shapes", true
	}
	if editorNamespace(ns) {
		return "", false
	}
	hint, unsafe = unsafeElements[strings.ToLower(local)]
	return hint, unsafe
}

// unsafeAttribute reports whether an attribute could run or load something, and how to
// fix it.
func unsafeAttribute(ns, local, value string) (hint string, unsafe bool) {
	lower := strings.ToLower(local)
	switch {
	case len(lower) > 2 && strings.HasPrefix(lower, "on"), ns == eventsNamespace:
		return "remove the attribute; a symbol cannot have scripts", true
	case ns == xmlNamespace && lower == "base":
		return "remove the attribute; references are to ids of the same symbol", true
	case lower == "href":
		if _, local := localFragment(value); !local {
			return "remove it, or refer to an element of this symbol as #id", true
		}
	}
	return "", false
}

// reachesOut reports whether a value that is not allowed could also load or run something. It only
// decides the code of the issue.
func reachesOut(value string) bool {
	value = strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, strings.ToLower(value))
	signs := []string{"url(", "src(", "image(", "image-set(", "expression(", "script:", "data:", "//", "@", `\`}
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(value, sign) })
}
