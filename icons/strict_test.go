package icons

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// RequireIcon reads an icon with a strict parser, checks that it contains only what icons
// consist of, and returns its ids.
func RequireIcon(t testing.TB, svg []byte) []string {
	t.Helper()
	c := iconChecker{dec: xml.NewDecoder(bytes.NewReader(svg))}
	require.NoError(t, c.check(svg), "%s", svg)
	return c.ids
}

// iconChecker checks one icon.
type iconChecker struct {
	dec             *xml.Decoder
	open            []string // the open elements
	ids, references []string
}

func (i *iconChecker) check(svg []byte) error {
	if bytes.Contains(svg, []byte("<!")) || bytes.Contains(svg, []byte("<?")) {
		return errors.New("a declaration or an instruction")
	}
	for {
		token, err := i.dec.Token()
		switch {
		case errors.Is(err, io.EOF):
			return i.checkIDs()
		case err != nil:
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			err = i.element(e)
		case xml.EndElement:
			i.open = i.open[:len(i.open)-1]
		case xml.CharData:
			if !slices.Equal(i.open, []string{"svg", "title"}) {
				err = fmt.Errorf("text in %v", i.open)
			}
		default:
			err = fmt.Errorf("unexpected %T", token)
		}
		if err != nil {
			return err
		}
	}
}

func (i *iconChecker) element(e xml.StartElement) error {
	name := e.Name.Local
	switch {
	case e.Name.Space != "http://www.w3.org/2000/svg":
		return fmt.Errorf("<%s> of %q", name, e.Name.Space)
	case (len(i.open) == 0) != (name == "svg"):
		return fmt.Errorf("<%s> in %v", name, i.open)
	case name == "title" && len(i.open) == 1:
	case !slices.Contains(elementNames, name):
		return fmt.Errorf("<%s> is not allowed", name)
	}
	i.open = append(i.open, name)
	for _, a := range e.Attr {
		if err := i.attribute(a); err != nil {
			return fmt.Errorf("%s=%q of <%s>: %w", a.Name.Local, a.Value, name, err)
		}
	}
	return nil
}

var (
	plainID      = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]*$`)
	ownReference = regexp.MustCompile(`^(?:#|url\(#)([a-zA-Z][a-zA-Z0-9_-]*)\)?$`)
	ownValue     = regexp.MustCompile(`^[A-Za-z0-9 .()#,-]*$`)
)

var errAttribute = errors.New("not allowed")

func (i *iconChecker) attribute(a xml.Attr) error {
	ok := a.Name.Space == ""
	switch {
	case a.Name.Local == "xmlns":
	case a.Name.Local == "color":
		ok = ok && len(i.open) == 2 && len(a.Value) == 7 && ownValue.MatchString(a.Value)
	case a.Name.Local == "role":
		ok = ok && len(i.open) == 1 && a.Value == "img"
	case a.Name.Local == "id":
		ok = ok && plainID.MatchString(a.Value)
		i.ids = append(i.ids, a.Value)
	case a.Name.Local == "href" || strings.Contains(a.Value, "url"):
		found := ownReference.FindStringSubmatch(a.Value)
		if ok = ok && found != nil && slices.Contains(attributeNames, a.Name.Local); ok {
			i.references = append(i.references, found[1])
		}
	default:
		ok = ok && slices.Contains(attributeNames, a.Name.Local) && ownValue.MatchString(a.Value) && !strings.Contains(a.Value, "var")
	}
	if !ok {
		return errAttribute
	}
	return nil
}

// checkIDs checks that ids are unique and references stay within the icon.
func (i *iconChecker) checkIDs() error {
	sorted := slices.Sorted(slices.Values(i.ids))
	if len(slices.Compact(slices.Clone(sorted))) != len(sorted) {
		return fmt.Errorf("duplicate id: %v", i.ids)
	}
	for _, id := range i.references {
		if _, found := slices.BinarySearch(sorted, id); !found {
			return fmt.Errorf("a reference to something outside: %s", id)
		}
	}
	return nil
}

// TestRequireIcon checks the checker.
func TestRequireIcon(t *testing.T) {
	good, err := Append(nil, "circle", mustSanitize(t, gradientBody), DarkColors(), nil)
	require.NoError(t, err)
	for _, change := range [][2]string{
		{"</g></svg>", "<script/></g></svg>"},
		{"</g></svg>", "</g>text</svg>"},
		{"</g></svg>", "</g><svg/></svg>"},
		{"<g ", `<g onload="x" `},
		{"<g ", `<g style="x" `},
		{"<g ", `<g id="1" `},
		{"url(#", "url(#x"},
		{`href="#`, `href="x#`},
		{"<g ", `<g fill="a;b" `},
		{"<g ", `<g stroke="var(--icon-fill)" `},
		{"<g ", `<g xmlns:x="u" x:fill="a" `},
		{"<svg ", "<!-- --><svg "},
		{"</g></svg>", "</svg></g>"},
		{"</g></svg>", `<g id="a"/><g id="a"/></g></svg>`},
		{"</g></svg>", "&bogus;</g></svg>"},
	} {
		bad := []byte(strings.Replace(string(good), change[0], change[1], 1))
		c := iconChecker{dec: xml.NewDecoder(bytes.NewReader(bad))}
		require.Error(t, c.check(bad), "%s", bad)
	}
}
