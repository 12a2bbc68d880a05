package documents

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
)

// Settings are what a publisher says about a register: register.yaml in a directory,
// documents/register.json in a store.
type Settings struct {
	Title taxonomy.Localized
	// URL is the public base URL of the register, without a slash at the end, or "".
	URL       string
	Publisher Publisher
	// Languages are the locales of the register, in order.
	Languages []string
	Licence   Licence
	// Accessibility is the accessibility statement, or the URL of it as a text
	// without a locale.
	Accessibility taxonomy.Localized
	// Boundary is a GeoJSON text, or nil.
	Boundary []byte
	// Roles are the roles of taxonomies whose releases have none, by datachain type.
	Roles map[string]*datachain.Roles

	text []byte // as JSON
}

// Publisher is who publishes a register.
type Publisher struct {
	Name    taxonomy.Localized
	ID      string // a URL, or ""
	Contact Contact
	// Logo is an SVG, PNG or JPEG file, or nil.
	Logo []byte
	// LogoName is the name of its file.
	LogoName string
}

// Contact is how a publisher can be reached. Fields can be empty.
type Contact struct {
	Email, Phone, URL string
	Address           taxonomy.Localized
}

// Licence is the licence of the documents.
type Licence struct{ Name, URL string }

// rolesOf returns the roles of a datachain type, or nil.
func (s *Settings) rolesOf(typ string) *datachain.Roles {
	if s == nil {
		return nil
	}
	return s.Roles[typ]
}

// hash writes what identifies the settings.
func (s *Settings) hash(w io.Writer) {
	fmt.Fprintf(w, "%q %x %x\n", s.text, s.Boundary, s.Publisher.Logo)
}

// settingsName is the file of the settings in a directory.
const settingsName = "register.yaml"

// settingsFile reads the settings of a directory again if they have changed.
type settingsFile struct {
	last    *Settings
	size    int64
	written time.Time
}

func (f *settingsFile) read(fsys fs.FS, yaml func([]byte) ([]byte, error)) (*Settings, error) {
	info, err := fs.Stat(fsys, settingsName)
	switch {
	case errors.Is(err, fs.ErrNotExist), yaml == nil:
		return nil, nil //nolint:nilnil // it is optional
	case err != nil:
		return nil, err
	case f.last != nil && info.Size() == f.size && info.ModTime().Equal(f.written):
		return f.last, nil
	}
	return nil, errors.New("not yet")
}
