package taxonomy

// Role says what a category, a variable or a context is about, in words that every
// taxonomy shares. Summaries of documents are made by roles.
type Role string

// The roles of categories.
const (
	RolePurpose     Role = "purpose"     // what the system is for
	RoleAccountable Role = "accountable" // who answers for it
	RolePeople      Role = "people"      // whom it concerns
	RoleDecision    Role = "decision"    // who or what decides
	RoleData        Role = "data"        // what it collects or uses
	RoleOutput      Role = "output"      // what it produces
	RoleAccess      Role = "access"      // who can see the data
	RoleStorage     Role = "storage"     // where the data is kept
	RoleRetention   Role = "retention"   // how long the data is kept
	RoleRisk        Role = "risk"        // what can go wrong
	RoleRights      Role = "rights"      // what people can do
)

// RoleStage is the role of a context whose values are stages of a life cycle, such
// as planned or in use.
const RoleStage Role = "stage"

// The roles of variables.
const (
	RoleName       Role = "name"        // the document's own name for the element
	RoleWords      Role = "words"       // the document's own description
	RoleContact    Role = "contact"     // an email address, a telephone number or a postal address
	RoleLink       Role = "link"        // a URL to read more
	RoleSafeguard  Role = "safeguard"   // what is done against a risk
	RoleLegalBasis Role = "legal_basis" // the law that permits it
	RolePeriod     Role = "period"      // how long
)

// CategoryRoles returns the roles that a category can have.
func CategoryRoles() []Role {
	return []Role{
		RolePurpose, RoleAccountable, RolePeople, RoleDecision, RoleData, RoleOutput,
		RoleAccess, RoleStorage, RoleRetention, RoleRisk, RoleRights,
	}
}

// VariableRoles returns the roles that a variable can have.
func VariableRoles() []Role {
	return []Role{RoleName, RoleWords, RoleContact, RoleLink, RoleSafeguard, RoleLegalBasis, RolePeriod}
}

// Order is the direction in which the values of a context are listed.
type Order string

// The orders. Rising lists the lowest value first.
const (
	Rising  Order = "rising"
	Falling Order = "falling"
)
