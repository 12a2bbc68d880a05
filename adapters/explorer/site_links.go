package explorer

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// siteLinks are the links between static files. They are relative, and remember what
// they lead to.
type siteLinks struct {
	explorer *Explorer
	from     string // the file that has the links
	lang     string
	finder   *siteSearch // nil if the site can't be searched
	states   bool        // states are in queries, which a script reads, not in files
	found    []target
	used     []string // assets
}

func (l *siteLinks) page(path string, state url.Values, lang string) string {
	if lang == "" {
		lang = l.lang
	}
	t := l.target(path, lang)
	if l.states {
		return l.to(t.file()) + encoded(state)
	}
	t.state = state.Encode()
	l.found = append(l.found, t)
	return l.to(t.file())
}

// target returns a page in a language.
func (l *siteLinks) target(path, lang string) target {
	t := target{path: path, lang: lang}
	if p, _, _ := l.explorer.find(&url.URL{Path: path}); p != nil {
		t.extension = p.extension
	}
	return t
}

func (l *siteLinks) asset(name string) string {
	l.used = append(l.used, name)
	return l.to(assetPrefix[1:] + l.explorer.assets().names[name])
}

func (l *siteLinks) api(path string) string {
	t := target{path: path}
	l.found = append(l.found, t)
	return l.to(t.file())
}

// document returns the address of the JSON of a document.
func (l *siteLinks) document(name string) string {
	t := target{path: documentPrefix + name}
	l.found = append(l.found, t)
	return l.to(t.file())
}

func (l *siteLinks) canonical(path string, state url.Values) string {
	if l.explorer.BaseURL == "" {
		return ""
	}
	t := l.target(path, l.lang)
	t.state = state.Encode()
	return l.explorer.BaseURL + "/" + t.file()
}

// editor returns "", since checking documents needs a server.
func (l *siteLinks) editor() string { return "" }

// picture returns the address of a picture, which is the same in all languages.
func (l *siteLinks) picture(path string) string {
	t := target{path: path, picture: true}
	l.found = append(l.found, t)
	return l.explorer.BaseURL + "/" + t.file()
}

func (l *siteLinks) live() bool { return false }

// to returns the relative address of a file.
func (l *siteLinks) to(file string) string {
	from, segments := strings.Split(l.from, "/"), strings.Split(file, "/")
	same := 0
	for same < min(len(from), len(segments))-1 && from[same] == segments[same] {
		same++
	}
	up := strings.Repeat("../", len(from)-1-same)
	return (&url.URL{Path: up + strings.Join(segments[same:], "/")}).String()
}

// documentPrefix is the path of documents.
const documentPrefix = "/d/"

// isPage reports whether the target is a page of the explorer.
func (t target) isPage() bool { return t.lang != "" && !strings.HasPrefix(t.path, documentPrefix) }

// file returns the name of the file of a target.
func (t target) file() string {
	if name, ok := strings.CutPrefix(t.path, documentPrefix); ok && t.lang == "" {
		return "d/" + name + ".resolved.json"
	}
	if t.picture {
		return t.path[1:]
	}
	if t.lang == "" {
		return "api" + apiFile(t.path)
	}
	parts := []string{cmp.Or(strings.TrimSuffix(strings.Trim(t.path, "/"), t.extension), "index")}
	state, _ := url.ParseQuery(t.state) // it was encoded by us
	for _, key := range slices.Sorted(maps.Keys(state)) {
		parts = append(parts, fileName(key)+"="+fileName(strings.Join(state[key], ",")))
	}
	return fileName(t.lang) + "/" + strings.Join(parts, "~") + cmp.Or(t.extension, ".html")
}

// apiFile returns the name of the file of a resource of the API. An element has a file and
// a directory of its icons, whatever its id ends with.
func apiFile(path string) string {
	parts := strings.Split(path, "/") // "", "schemas", version, "elements", id, icon
	if len(parts) > 4 && parts[3] == "elements" {
		if stem, ok := strings.CutSuffix(parts[4], ".json"); ok {
			parts[4] = stem + "+2ejson"
		}
		path = strings.Join(parts, "/")
	}
	if len(parts) == 6 || strings.HasSuffix(path, ".json") {
		return path
	}
	return path + ".json"
}

// fileName returns a text with nothing that file systems and web servers treat
// differently.
func fileName(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.', c == '@', c == ',':
			b.WriteByte(c)
		default:
			const hex = "0123456789abcdef"
			b.Write([]byte{'+', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}
