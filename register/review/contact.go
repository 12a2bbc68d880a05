package review

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// addressPattern matches what lets people reach someone: an email address, a web address with or
// without scheme, or a number of at least five digits, grouped in any way.
var addressPattern = regexp.MustCompile(`@|https?://` +
	`|(?:^|[\s(<])[\pL\p{Nd}](?:[\pL\p{Nd}-]*\.)+\pL[\pL-]+(?:[/\s,;:!?)>]|\.?$)` +
	`|\p{Nd}(?:[\s\x{A0}\x{2009}\x{202F}+\-/().]*\p{Nd}){4}`)

// reachable reports whether an entry says how to reach someone: with an action, or in a text.
func reachable(e *summary.Entry, texts ...taxonomy.Localized) bool {
	return len(e.Placement.Actions) > 0 || slices.ContainsFunc(slices.Concat(texts...), func(t taxonomy.Text) bool {
		return addressPattern.MatchString(t.Value)
	})
}

// minRights is the number of rights from which one should say whom to contact: a single one may
// need nobody, such as switching off Wi-Fi on a phone.
const minRights = 2

// checkContact reports a contact of the responsible organisation that nobody can use, and rights if
// none of them has one.
func checkContact(p *pass) {
	const hint = "add an action, or write an email address, a web address or a telephone number"
	if lead, ok := p.lead(); ok && !reachable(lead, lead.Contact, lead.Link) {
		message := "The organisation that is responsible has no contact."
		if contact := lead.Contact.Pick(p.Locales...); contact != "" {
			message = fmt.Sprintf("The contact of the organisation that is responsible has no address: %s.", wording.Quote(contact))
		}
		p.report(ContactNoAddress, p.variable(p.index[lead.Placement], taxonomy.RoleContact), message, hint)
	}
	var rights []int
	for i := range p.entries {
		if p.entries[i].Role == taxonomy.RoleRights {
			rights = append(rights, i)
		}
	}
	usable := func(i int) bool {
		e := &p.entries[i]
		return reachable(e, e.Contact, e.Link, e.Words) // the words say how to exercise it
	}
	if len(rights) < minRights || slices.ContainsFunc(rights, usable) {
		return
	}
	p.report(ContactNoAddress, at(rights[0]), "None of the rights says whom to contact.", hint)
}

// lead returns the placement of the organisation that is responsible.
func (p *pass) lead() (*summary.Entry, bool) {
	point, ok := p.summary.Point(taxonomy.RoleAccountable)
	if !ok || len(point.Entries) == 0 {
		return nil, false
	}
	return &point.Entries[0], true
}
