package documents

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/changes"
	"github.com/datachain-go/datachain/taxonomy"
)

// sinceSign says what has changed since the edition that the code of a sign names: by its
// date and the first digits of its hash, which alone decide, or as codes did first, by its
// date.
func (q *request) sinceSign(data *documentData, code string) error {
	parts := signCode.FindStringSubmatch(code)
	if parts == nil {
		return nil // not an address of ours
	}
	date, digits := parts[1], parts[2]
	d, w := q.document, q.Words
	// Of several editions of a day the oldest: then nothing that changed is left out.
	var signed *register.Edition
	for i := range d.Editions {
		e := &d.Editions[i]
		if digits == "" && e.Time.UTC().Format(time.DateOnly) == date || digits != "" && strings.HasPrefix(e.Short(), digits) {
			signed = e
		}
	}
	written := q.Day(date)
	switch {
	case signed == nil && date < first(d):
		data.Sign = w.Word("register.signolder", q.day(d.Changed()))
		return nil
	case signed == nil || signed.Erased != nil:
		data.Sign = w.Word("register.signunknown", written)
		return nil
	case signed.Hash == d.Current:
		data.Sign = w.Word("register.signsame", written)
		return nil
	}
	var err error
	data.Sign = w.Word("register.signchanged", written)
	data.Changes, err = q.changesBetween(d, signed.Hash, d.Current)
	return err
}

// first returns the day of the first edition of a document that is known, or "".
func first(d *register.Document) string {
	if len(d.Editions) == 0 {
		return ""
	}
	return d.Editions[len(d.Editions)-1].Time.UTC().Format(time.DateOnly)
}

// signCode is the edition of a sign in an address.
var signCode = regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:-([0-9a-f]{6}))?$`)

// changesBetween returns the changes between two editions of a document.
func (q *request) changesBetween(d *register.Document, before, after taxonomy.Hash) ([]changes.Change, error) {
	var shown [2]*datachain.Presentation
	for i, hash := range []taxonomy.Hash{before, after} {
		var err error
		if shown[i], err = q.Site.Register.Present(q.Ctx, d, hash); err != nil {
			return nil, err
		}
	}
	return changes.Compare(q.Ctx, shown[0], shown[1])
}

// changedTexts are what has changed, and the values before and after, which can be empty.
type changedTexts struct{ Part, Field, Before, After phrases.Text }

// changed puts a change between two editions into words.
func (q *request) changed(c *changes.Change) changedTexts {
	t := changedTexts{Part: q.changedPart(c), Field: q.changedField(c)}
	t.Before, t.After = q.changedValues(c)
	return t
}

// changedPart names the placement that has changed, if it is one.
func (q *request) changedPart(c *changes.Change) phrases.Text {
	if c.Element == nil {
		return phrases.Text{}
	}
	if label := q.Text(c.Label); !label.Empty() {
		return label
	}
	return q.Name(c.Element.Title, c.Element.ID)
}

// changedField names what has changed in a placement or in the document.
func (q *request) changedField(c *changes.Change) phrases.Text {
	if c.Variable != nil {
		return q.Name(c.Variable.Label, c.Variable.ID)
	}
	if name := q.Word("register.fields." + c.Field); name != "" {
		return q.Own(name)
	}
	return q.Raw(c.Field)
}

// changedValues returns the values before and after a change in the language of the page, or else in one in which
// they differ. What is not a text is left out.
func (q *request) changedValues(c *changes.Change) (before, after phrases.Text) {
	if c.Field == "register.status" {
		name := func(l taxonomy.Localized) phrases.Text {
			return q.Own(q.Word("register.statuses." + string(register.Status(l.Pick()))))
		}
		return name(c.Before), name(c.After)
	}
	if slices.Contains([]string{"register.since", "register.until", "register.review_by"}, c.Field) {
		day := func(l taxonomy.Localized) phrases.Text { return q.Own(q.Day(l.Pick())) }
		return day(c.Before), day(c.After)
	}
	for _, l := range slices.Concat(c.Before, c.After) {
		if strings.HasPrefix(l.Value, "{") || strings.HasPrefix(l.Value, "[") {
			return phrases.Text{}, phrases.Text{}
		}
	}
	before, after = q.Text(core.Shortened(c.Before, core.MaxShown)), q.Text(core.Shortened(c.After, core.MaxShown))
	if before.Value != after.Value {
		return before, after
	}
	for _, l := range slices.Concat(c.Before, c.After) {
		old, _ := c.Before.Get(l.Locale)
		if now, _ := c.After.Get(l.Locale); old != now {
			return q.In(l.Locale, core.Short(old, core.MaxShown)), q.In(l.Locale, core.Short(now, core.MaxShown))
		}
	}
	return before, after
}

// toldEdition is an edition with what changed.
type toldEdition struct {
	*register.Edition
	First bool
	// Changes are those since the edition before, if Compared.
	Compared bool
	Changes  []changes.Change
}

// told returns the edition at a place in the list of a document, with its changes unless it is the
// first, or one of the two was erased or can't be read.
func (q *request) told(d *register.Document, place int) (toldEdition, error) {
	e := toldEdition{Edition: &d.Editions[place], First: place == len(d.Editions)-1}
	if e.First || e.Erased != nil || d.Editions[place+1].Erased != nil {
		return e, nil
	}
	var err error
	e.Changes, err = q.changesBetween(d, d.Editions[place+1].Hash, e.Hash)
	e.Compared = err == nil
	if errors.Is(err, taxonomy.ErrNotFound) {
		err = nil
	}
	return e, err
}

// maxEditions is the number of editions whose changes are told.
const maxEditions = 50

func buildHistory(q *request) (*core.Content, error) {
	d, w := q.document, q.Words
	list := make([]toldEdition, len(d.Editions))
	for i := range list {
		if i >= maxEditions {
			list[i] = toldEdition{Edition: &d.Editions[i], First: i == len(list)-1}
			continue
		}
		var err error
		if list[i], err = q.told(d, i); err != nil {
			return nil, err
		}
	}
	return &core.Content{
		Title: w.Word("register.history") + w.Word("colon") + " " + q.Name(d.Title, d.ID).Value, Description: w.Word("register.historylead"), Path: q.documentPath() + "/history", Section: core.RegisterPath,
		Template: historyTemplate, Data: list, Caching: caching,
	}, nil
}
