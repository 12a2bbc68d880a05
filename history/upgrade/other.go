package upgrade

import (
	"errors"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// ErrLacking is wrapped by the error for a document that can't move to another datachain type, since
// the new version lacks something that the document uses.
var ErrLacking = errors.New("the other type lacks what the document uses")

// maxLacking is how many things an error names.
const maxLacking = 10

// checkOther returns an error if the new version, which is of another datachain type, lacks a placed
// element, or a variable, option or context value that is given. Neither type says what became of the
// ids of the other, so that only the same id can mean the same.
func (u *upgrader) checkOther() error {
	var lacking []string
	lack := func(format string, args ...any) {
		if thing := fmt.Sprintf(format, args...); !slices.Contains(lacking, thing) {
			lacking = append(lacking, thing)
		}
	}
	for i := range u.placements {
		if !u.proceed(i) {
			return u.stopped
		}
		given := u.placements[i].given
		e, ok := u.to.Element(given.ElementID)
		switch {
		case ok:
		case u.suggested[given.ElementID] != nil:
			continue // it is in the document itself
		default:
			lack("the element %s", ident.Name(given.ElementID))
			continue
		}
		if c, ok := u.to.Category(e.CategoryID); ok && given.ContextTypeID != "" {
			if _, ok := c.Context.Value(given.ContextTypeID); !ok {
				lack("the context value %s of %s", ident.Name(given.ContextTypeID), ident.Name(e.ID))
			}
		}
		for k := range given.Variables {
			lackingValue(e, &given.Variables[k], lack)
		}
		if len(lacking) > maxLacking {
			lacking = append(lacking[:maxLacking], "others")
			break
		}
	}
	if lacking == nil {
		return nil
	}
	return fmt.Errorf("upgrade: %w: %s", ErrLacking, wording.And(lacking))
}

// lackingValue reports what an element lacks for a value: its variable, or options of it.
func lackingValue(e *taxonomy.Element, given *taxonomy.VariableValue, lack func(format string, args ...any)) {
	v, ok := e.Variable(given.ID)
	switch {
	case !ok:
		lack("the variable %s of %s", ident.Name(given.ID), ident.Name(e.ID))
		return
	case len(given.Text) > 0 && v.Type != taxonomy.TextVariable:
		lack("a text for the variable %s of %s", ident.Name(given.ID), ident.Name(e.ID))
	}
	for _, id := range given.Options {
		if !slices.ContainsFunc(v.Options, func(o taxonomy.Option) bool { return o.ID == id && o.Applies(e.ID) }) {
			lack("the option %s of the variable %s of %s", ident.Name(id), ident.Name(given.ID), ident.Name(e.ID))
		}
	}
}
