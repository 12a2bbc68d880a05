package register

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Settings describe a register and its publisher. They are in register.yaml in a directory, and in
// documents/register.json in a store. They must not be changed.
type Settings struct {
	Title taxonomy.Localized
	// URL is the public base URL of the register, without a slash at the end, or "".
	URL       string
	Publisher Publisher
	// Languages are the locales of the register, in order.
	Languages []string
	Licence   Licence
	// Accessibility is the accessibility statement, or the URL of it as the only
	// text, without a locale.
	Accessibility taxonomy.Localized
	// Contribute is where authors send documents that they write in the form.
	Contribute Contribute
	// Roles are the roles of taxonomies whose releases have none, by datachain type.
	Roles map[string]*summary.Roles

	wire wireSettings
}

// Publisher is the organisation that publishes a register.
type Publisher struct {
	Name    taxonomy.Localized
	ID      string // a URL, or ""
	Contact Contact
	// Logo is an SVG file, or nil, and LogoName the name of its file.
	Logo     []byte
	LogoName string
}

// Contact is how a publisher can be reached. Fields can be empty.
type Contact struct {
	Email, Phone, URL string
	Address           taxonomy.Localized
}

// Licence is the licence of the documents.
type Licence struct {
	Name string `json:"name,omitempty"`
	URL  string `json:"url,omitempty"`
}

// Contribute is where authors send documents: to an email address or a repository, or neither.
type Contribute struct {
	Email string
	// Repository is the URL of a repository, without a slash at the end, on a forge of a Kind:
	// github, gitlab or forgejo. Documents are in a Folder of a Branch.
	Repository, Kind, Branch, Folder string
	// Text says what to do, instead of the words of the form.
	Text taxonomy.Localized
}

// rolesOf returns the roles of a datachain type, or nil.
func (s *Settings) rolesOf(typ string) *summary.Roles {
	if s == nil {
		return nil
	}
	return s.Roles[typ]
}

// MarshalJSON returns the settings as documents/register.json has them.
func (s *Settings) MarshalJSON() ([]byte, error) {
	wire := s.wire
	wire.Publisher.Logo = s.Publisher.LogoName
	return document.MarshalCanonical(wire)
}

// hash writes what identifies the settings.
func (s *Settings) hash(w io.Writer) {
	text, _ := s.MarshalJSON() // which was decoded
	_, _ = fmt.Fprintf(w, "%s %x\n", text, s.Publisher.Logo)
}

// wireSettings are settings in JSON.
type wireSettings struct {
	Title     words  `json:"title,omitempty"`
	URL       string `json:"url,omitempty"`
	Publisher struct {
		Name    words  `json:"name,omitempty"`
		ID      string `json:"id,omitempty"`
		Contact struct {
			Email   string `json:"email,omitempty"`
			Phone   string `json:"phone,omitempty"`
			URL     string `json:"url,omitempty"`
			Address words  `json:"address,omitempty"`
		} `json:"contact,omitzero"`
		Logo string `json:"logo,omitempty"`
	} `json:"publisher,omitzero"`
	Languages     []string `json:"languages,omitempty"`
	Licence       Licence  `json:"licence,omitzero"`
	Accessibility words    `json:"accessibility,omitempty"`
	Contribute    *struct {
		Email      string `json:"email,omitempty"`
		Repository string `json:"repository,omitempty"`
		Kind       string `json:"kind,omitempty"`
		Branch     string `json:"branch,omitempty"`
		Folder     string `json:"folder,omitempty"`
		Text       words  `json:"text,omitempty"`
	} `json:"contribute,omitzero"`
	Roles map[string]*summary.Roles `json:"roles,omitempty"`
}

// words are a text, or an object with a text for each locale.
type words taxonomy.Localized

// UnmarshalJSON reads a text or an object of texts.
func (w *words) UnmarshalJSON(text []byte) error {
	*w = nil
	if text[0] == '"' {
		var plain string
		err := json.Unmarshal(text, &plain)
		*w = words{{Value: plain}}
		return err
	}
	var texts map[string]string
	if err := json.Unmarshal(text, &texts); err != nil {
		return errors.New("must be a text, or a text for each language, such as {en: Cameras}")
	}
	for _, locale := range slices.Sorted(maps.Keys(texts)) {
		if err := datachain.Check("locale", locale); err != nil {
			return fmt.Errorf("%q is not a language tag such as en", locale)
		}
		*w = append(*w, taxonomy.Text{Locale: locale, Value: texts[locale]})
	}
	return nil
}

// MarshalJSON writes what was read.
func (w words) MarshalJSON() ([]byte, error) {
	if len(w) == 1 && w[0].Locale == "" {
		return json.Marshal(w[0].Value)
	}
	texts := make(map[string]string, len(w))
	for _, t := range w {
		texts[t.Locale] = t.Value
	}
	return document.MarshalCanonical(texts)
}

// ordered returns texts with those of the languages first.
func (w words) ordered(languages []string) taxonomy.Localized {
	rank := func(t taxonomy.Text) int {
		if i := slices.Index(languages, t.Locale); i >= 0 {
			return i
		}
		return len(languages)
	}
	list := slices.Clone(taxonomy.Localized(w))
	slices.SortStableFunc(list, func(a, b taxonomy.Text) int { return rank(a) - rank(b) })
	return list
}

// invalid is an error about a field such as contribute.email.
func invalid(field, format string, args ...any) error {
	return &jsonfields.FieldError{Field: field, Err: fmt.Errorf(format, args...)}
}

// decodeSettings reads settings. The function returns the files that they name.
func decodeSettings(text []byte, file func(name string) ([]byte, error)) (*Settings, error) {
	s := new(Settings)
	w := &s.wire
	if err := jsonfields.Unmarshal(text, w); err != nil {
		return nil, err
	}
	if err := w.check(); err != nil {
		return nil, err
	}
	s.Title, s.URL, s.Languages, s.Licence, s.Roles = w.Title.ordered(w.Languages), strings.TrimRight(w.URL, "/"), w.Languages, w.Licence, w.Roles
	s.Accessibility = w.Accessibility.ordered(w.Languages)
	if err := s.readContribute(); err != nil {
		return nil, err
	}
	s.Publisher = Publisher{
		Name: w.Publisher.Name.ordered(w.Languages), ID: w.Publisher.ID, LogoName: path.Base(w.Publisher.Logo),
		Contact: Contact{w.Publisher.Contact.Email, w.Publisher.Contact.Phone, w.Publisher.Contact.URL, w.Publisher.Contact.Address.ordered(w.Languages)},
	}
	var err error
	if w.Publisher.Logo == "" {
		s.Publisher.LogoName = ""
	} else if path.Ext(w.Publisher.Logo) != ".svg" {
		return nil, invalid("publisher.logo", "must be an SVG file, since signs draw it, not %s", wording.Quote(w.Publisher.Logo))
	} else if s.Publisher.Logo, err = file(w.Publisher.Logo); err != nil {
		return nil, invalid("publisher.logo", "%w", err)
	} else if _, err := icons.Draw(s.Publisher.Logo); err != nil {
		return nil, invalid("publisher.logo", "%s, %w", w.Publisher.Logo, err)
	}
	return s, nil
}

// check returns an error about the first value that can't be right.
func (w *wireSettings) check() error {
	for _, link := range []struct{ field, url string }{
		{"publisher.id", w.Publisher.ID},
		{"publisher.contact.url", w.Publisher.Contact.URL},
		{"licence.url", w.Licence.URL},
	} {
		if err := checkURL(link.field, link.url); err != nil {
			return err
		}
	}
	if err := checkBase("url", w.URL); err != nil {
		return err
	}
	for i, l := range w.Languages {
		if err := datachain.Check("locale", l); err != nil || l == "" {
			return invalid("languages", "%s is not a language tag such as en", wording.Quote(l))
		}
		if ident.IndexLocale(w.Languages[:i], l) >= 0 {
			return invalid("languages", "%s is listed twice", l)
		}
		if i == maxLanguages {
			return invalid("languages", "list at most %d languages", maxLanguages)
		}
	}
	for _, text := range []struct {
		field string
		words words
	}{
		{"title", w.Title},
		{"accessibility", w.Accessibility},
		{"publisher.name", w.Publisher.Name},
		{"publisher.contact.address", w.Publisher.Contact.Address},
	} {
		if err := text.words.check(text.field); err != nil {
			return err
		}
	}
	if err := checkLine("publisher.contact.phone", w.Publisher.Contact.Phone); err != nil {
		return err
	}
	if err := checkLine("licence.name", w.Licence.Name); err != nil {
		return err
	}
	return checkEmail("publisher.contact.email", w.Publisher.Contact.Email)
}

// maxLanguages is more than there are translations of any taxonomy.
const maxLanguages = 100

// check returns an error for control characters; a text may have several lines.
func (w words) check(field string) error {
	for _, t := range w {
		if strings.ContainsFunc(t.Value, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\r\n\t", r) }) {
			return invalid(field, "must have no control characters")
		}
	}
	return nil
}

func checkLine(field, value string) error {
	if strings.ContainsFunc(value, unicode.IsControl) {
		return invalid(field, "must be one line without control characters")
	}
	return nil
}

func checkEmail(field, value string) error {
	at := strings.Index(value, "@")
	if value != "" && (at < 1 || at == len(value)-1 || strings.ContainsFunc(value, unicode.IsControl) || strings.ContainsAny(value, " ,;<>")) {
		return invalid(field, "%s is not an email address", wording.Quote(value))
	}
	return nil
}

// checkURL returns an error unless the value of a field is a URL of the web, or empty. Pages show
// it, so it must have no credentials.
func checkURL(field, value string) error {
	u, err := url.Parse(value)
	switch {
	case value == "":
		return nil
	case err == nil && u.User != nil:
		return invalid(field, "must have no user name and no password, since pages show it")
	case !ident.IsURL(value):
		return invalid(field, "must be a URL such as https://register.example.org, not %s", wording.Quote(value))
	}
	return nil
}

// checkBase is checkURL for a URL that others are made from by adding a path.
func checkBase(field, value string) error {
	if strings.ContainsAny(value, "?#") {
		return invalid(field, "must have no query and no fragment, since paths are added to it: %s", wording.Quote(value))
	}
	return checkURL(field, value)
}

// readContribute reads where documents are sent.
func (s *Settings) readContribute() error {
	w := s.wire.Contribute
	if w == nil {
		return nil
	}
	if err := checkBase("contribute.repository", w.Repository); err != nil {
		return err
	}
	if err := checkEmail("contribute.email", w.Email); err != nil {
		return err
	}
	if err := w.Text.check("contribute.text"); err != nil {
		return err
	}
	s.Contribute = Contribute{w.Email, strings.TrimRight(w.Repository, "/"), w.Kind, cmp.Or(w.Branch, "main"), w.Folder, w.Text.ordered(s.wire.Languages)}
	switch {
	case w.Email != "" && w.Repository != "":
		return invalid("contribute", "use email or repository, not both")
	case w.Email == "" && w.Repository == "" && len(w.Text) == 0:
		return invalid("contribute", "must have an email, a repository or a text: add one, or remove contribute")
	case w.Repository == "":
		return nil
	case w.Kind == "":
		return invalid("contribute.kind", "must be github, gitlab or forgejo")
	case !slices.Contains([]string{"github", "gitlab", "forgejo"}, w.Kind):
		return invalid("contribute.kind", "must be github, gitlab or forgejo, not %s", wording.Quote(w.Kind))
	case !isPath(cmp.Or(w.Folder, ".")):
		return invalid("contribute.folder", "must be names with slashes between them, such as a/b, not %s", wording.Quote(w.Folder))
	case !isPath(s.Contribute.Branch):
		return invalid("contribute.branch", "must be names with slashes between them, such as a/b, not %s", wording.Quote(w.Branch))
	}
	return nil
}

func isPath(p string) bool { return fs.ValidPath(p) && !strings.ContainsFunc(p, unicode.IsControl) }

// settingsName is the file of the settings in a directory.
const settingsName = "register.yaml"

const (
	maxSettings     = 1 << 20
	maxSettingsFile = 4 << 20 // of a logo
)

// settingsFile reads the settings of a directory again if they have changed.
type settingsFile struct {
	last    *Settings // the last good ones
	refused []Refusal // why the file can't be used
	names   []string  // the file and those that it names, also missing ones
	seen    string    // the files as they were
}

// read reads the settings if one of their files has changed.
func (f *settingsFile) read(fsys fs.FS) {
	if _, err := fs.Stat(fsys, settingsName); errors.Is(err, fs.ErrNotExist) {
		*f = settingsFile{}
		return
	}
	if f.seen != "" && stamps(fsys, f.names) == f.seen {
		return
	}
	f.names, f.refused = []string{settingsName}, nil
	place := func(string) issue.Position { return issue.Position{File: settingsName} }
	text, err := readFile(fsys, settingsName, maxSettings)
	if err == nil {
		text, place, err = settingsJSON(text)
	}
	var s *Settings
	if err == nil {
		s, err = decodeSettings(text, func(name string) ([]byte, error) {
			if !fs.ValidPath(name) {
				return nil, fmt.Errorf("%s must be a file below the directory of %s", wording.Quote(name), settingsName)
			}
			f.names = append(f.names, name)
			content, err := readFile(fsys, name, maxSettingsFile)
			if err != nil {
				err = fmt.Errorf("%s: %s", wording.Quote(name), wording.Reason(err))
			}
			return content, err
		})
	}
	f.seen = stamps(fsys, f.names)
	if err != nil {
		field := ""
		if wrong, ok := errors.AsType[*jsonfields.FieldError](err); ok {
			field = wrong.Field
		}
		f.refused = []Refusal{{File: settingsName, Issues: issue.Issues{{
			Code: codes.RegisterInvalid, Severity: issue.SeverityError, Message: err.Error() + ".",
			FixHint: "correct the file", Position: place(field),
		}}}}
		return
	}
	f.last = s
}

// stamps returns what changes if one of some files does.
func stamps(fsys fs.FS, names []string) string {
	var b strings.Builder
	for _, name := range names {
		if info, err := fs.Stat(fsys, name); err == nil {
			fmt.Fprintf(&b, "%s %s %d %s\n", name, info.Mode(), info.Size(), info.ModTime().Format(time.RFC3339Nano))
		} else {
			fmt.Fprintf(&b, "%s %v\n", name, err)
		}
	}
	return b.String()
}

// ReadSettings returns the settings in the file register.yaml of a directory, or nil if it has none.
func ReadSettings(fsys fs.FS) (*Settings, error) {
	var f settingsFile
	f.read(fsys)
	for _, r := range f.refused {
		return nil, fmt.Errorf("register: %s: %s", r.Issues[0].Position, r.Issues[0].Message)
	}
	return f.last, nil
}
