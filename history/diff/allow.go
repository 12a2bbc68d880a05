package diff

// Allowance is an exception: a breaking change that is intended.
type Allowance struct {
	// Rule is the id of a breaking rule.
	Rule RuleID `json:"rule"`
	// Subject is what the change is about; see [Change.Target]. The id of a
	// category or an element alone stands for every change of it by the rule.
	Subject string `json:"subject"`
	// Reason says why the change is intended.
	Reason string `json:"reason,omitempty"`
}

// Target returns the id of the part that has changed and, after a slash, the field:
// purpose.safety, data/context.values.named, or subchains.flow for parts without id.
func (c *Change) Target() string {
	switch {
	case c.ID == "":
		return c.Path.String()
	case len(c.Path) == 0:
		return c.ID
	}
	return c.ID + "/" + c.Path.String()
}

// Allows reports whether the allowance is for a change.
func (a *Allowance) Allows(c *Change) bool {
	return c.Severity == Breaking && a.Rule == c.Rule && (a.Subject == c.Target() || c.ID != "" && a.Subject == c.ID)
}
