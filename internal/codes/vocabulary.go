package codes

// Roles of categories: what they tell about a system.
const (
	RolePurpose     = "purpose"     // what the system is for
	RoleAccountable = "accountable" // who answers for it
	RolePeople      = "people"      // whom it concerns
	RoleDecision    = "decision"    // who or what decides
	RoleData        = "data"        // what it collects or uses
	RoleOutput      = "output"      // what it produces
	RoleAccess      = "access"      // who can see the data
	RoleStorage     = "storage"     // where the data is kept
	RoleRetention   = "retention"   // how long the data is kept
	RoleRisk        = "risk"        // what can go wrong
	RoleRights      = "rights"      // what people can do
)

// RoleStage is the role of a context whose values are stages of a life cycle, such
// as planned or in use.
const RoleStage = "stage"

// Roles of variables: what their values are used for.
const (
	RoleName       = "name"        // the document's own name for the element
	RoleWords      = "words"       // the document's own description
	RoleContact    = "contact"     // an email address, a telephone number or a postal address
	RoleLink       = "link"        // a URL to read more
	RoleSafeguard  = "safeguard"   // what is done against a risk
	RoleLegalBasis = "legal_basis" // the law that permits it
	RolePeriod     = "period"      // how long
)

// Relations of an entry of a scheme to the category or element that is mapped to it.
const (
	RelationExact   = "exact"   // both mean the same
	RelationClose   = "close"   // both mean nearly the same
	RelationBroad   = "broad"   // the entry is the broader of the two
	RelationNarrow  = "narrow"  // the entry is the narrower of the two
	RelationRelated = "related" // the entry is about something else that belongs to it
)

// Orders of the values of a context.
const (
	Rising  = "rising" // the lowest value first
	Falling = "falling"
)

// Statuses of elements.
const (
	StatusActive     = "active" // the default
	StatusDeprecated = "deprecated"
)

// Known kinds of provenance.
const (
	KindHuman       = "human"
	KindAIGenerated = "ai_generated" // suggested elements need it
)

// Aliases that an index assigns: the newest stable version of a type, or the newest beta if
// there is no stable one, and the newest beta.
const (
	AliasLatest     = "latest"
	AliasLatestBeta = "latest-beta"
)

// Kinds of ids that documents and suggestions use.
const (
	IDCategory     = "category"
	IDElement      = "element"
	IDVariable     = "variable"
	IDOption       = "option"
	IDContextValue = "context_value"
)
