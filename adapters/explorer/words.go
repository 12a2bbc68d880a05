package explorer

import (
	"cmp"
	_ "embed" // of the table of words
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wordtable"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// words are the fixed texts of the pages in one language, as words.csv has them.
type words struct {
	Lang      string // the language
	Colon     string // between a name and its value
	Thousands string // between the digits of large numbers

	Compare  compareWords
	Play     playWords
	Codes    codesWords
	Docs     docsWords
	Compose  composeWords
	Layout   layoutWords
	Errors   errorWords
	Home     homeWords
	Catalog  catalogWords
	Print    printWords
	Element  elementWords
	Scheme   schemeWords
	Register registerWords
	Verify   verifyWords
}

//go:embed words.csv
var table string

// dictionary has the words in all languages.
var dictionary = wordtable.Read[words](table)

// counted is a noun with its number, in the plural forms of Unicode CLDR, with %s for the
// number. A form that a language does not have is empty.
type counted struct {
	One   string `json:"one"`
	Two   string `json:"two"`
	Few   string `json:"few"`
	Many  string `json:"many"`
	Other string `json:"other"`
}

// Count writes a number of things.
func (w *words) Count(c counted, n int) string {
	forms := [...]string{plural.One: c.One, plural.Two: c.Two, plural.Few: c.Few, plural.Many: c.Many}
	form := forms[plural.Cardinal.MatchPlural(language.Make(w.Lang), n, 0, 0, 0, 0)]
	return w.Fill(cmp.Or(form, c.Other), w.Number(n))
}

// facts are the sizes of a release.
func (w *words) facts(r *taxonomy.Release) []string {
	return []string{w.Count(w.Layout.Elements, len(r.ElementIDs())), w.Count(w.Layout.Categories, len(r.Categories())), w.Count(w.Layout.Languages, len(r.Locales()))}
}

// Number writes a number with separators.
func (w *words) Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + w.Thousands + s[i:]
	}
	return s
}

// Size writes a number of bytes.
func (w *words) Size(n int64) string {
	switch {
	case n%(1<<20) == 0:
		return w.Fill(w.Layout.Mebibytes, w.Number(int(n>>20)))
	case n%(1<<10) == 0:
		return w.Fill(w.Layout.Kibibytes, w.Number(int(n>>10)))
	}
	return w.Count(w.Layout.Bytes, int(n))
}

// Day writes a date, or returns it as it is if it is not valid.
func (w *words) Day(date string) string {
	if day, ok := i18n.Day(w.Lang, date); ok {
		return day
	}
	return date
}

// FillHTML puts texts in place of each %s of a sentence.
func (w *words) FillHTML(sentence string, values ...template.HTML) template.HTML {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return template.HTML(w.Fill(template.HTMLEscapeString(sentence), list...)) //nolint:gosec // escaped
}

// Fill puts values in place of each %s of a sentence.
func (w *words) Fill(sentence string, values ...string) string {
	var b strings.Builder
	for _, v := range values {
		before, after, ok := strings.Cut(sentence, "%s")
		if !ok {
			break
		}
		b.WriteString(before + v)
		sentence = after
	}
	return b.String() + sentence
}

// layoutWords are the words around every page.
type layoutWords struct {
	Site, Skip, Tools                      string
	Questions, AboutRegister, ContactPage  string
	Authors, Developers, Made              string
	Navigation, Taxonomies, Compare, Check string
	Menu, Codes, Docs                      string
	Language, Version, Versions            string
	Search, SearchHint, Palette, Close     string
	PaletteKeys, NothingFound              string
	SearchLoading, SearchFailed            string
	Copy, Copied, CopyPNG, CopySVG         string
	AsJSON, API, MCP, Download             string
	Stable, Beta, Deprecated               string
	Latest                                 string
	Previous, Next, Pages, NoPage          string
	Elements, Categories, Languages, Found counted
	New, Changed, Required                 string
	Bytes                                  counted
	Kibibytes, Mebibytes                   string
}

// homeWords are the words of the start page.
type homeWords struct {
	Title, Lead                 string
	SearchLabel, SearchHint     string
	Published, Released, Other  string
	AllResults                  string
	Check, CheckLead            string
	Programs, ProgramsLead      string
	Nothing, NothingLead        string
	Broken, BrokenLead          string // errors of the schema source
	NothingSource, NothingStore string
	Unreadable                  string
}

// catalogWords are the words of a catalog.
type catalogWords struct {
	Contents, SearchLabel, SearchHint string
	Category, AllCategories, Clear    string
	Since, Compare, Beta, BetaStable  string
	All                               string
	Contexts                          counted
	KindElement, KindCategory         string
	KindCode, KindPage, Cite          string
	AsIcons                           string
	// Sunset, Deprecated and Retired have a day; Upgrade is followed by a version.
	Deprecated, Sunset, Upgrade, Retired string
}

// errorWords are the words of pages that say what went wrong.
type errorWords struct {
	NotFound, NotFoundAdvice string
	Wrong, WrongAdvice       string
	Limit, LimitAdvice       string
	Failed, FailedAdvice     string
	Unread, UnreadAdvice     string
	TooLarge, TooLargeAdvice string
	Meant, Details, Start    string
	Gone, Instead            string
}

// of returns the title and the advice for a failure. A balancer that tries another server
// does so by the status, so the code says more about the cause.
func (w *errorWords) of(status int, code issue.Code) (title, advice string) {
	switch {
	case code == codes.RateLimited || code == codes.Overloaded:
		return w.Limit, w.LimitAdvice
	case code == issue.CodeUpstreamError || status == http.StatusServiceUnavailable:
		return w.Unread, w.UnreadAdvice
	case code == issue.CodePayloadTooLarge:
		return w.TooLarge, w.TooLargeAdvice
	case status == http.StatusNotFound:
		return w.NotFound, w.NotFoundAdvice
	case status < http.StatusInternalServerError:
		return w.Wrong, w.WrongAdvice
	}
	return w.Failed, w.FailedAdvice
}

// tooLarge says that a document is too large, in one line.
func (w *words) tooLarge(limit int64) string {
	return w.Errors.TooLarge + ". " + w.Fill(w.Errors.TooLargeAdvice, w.Size(limit))
}

// codesWords are the words of the pages about codes, and of findings elsewhere.
type codesWords struct {
	Title, Lead                  string
	Filter, FilterHint           string
	Total                        counted
	Code, Meaning                string
	Severity, Error, Warning     string
	RaisedBy, HowTo              string
	Reported, Fixed, Nothing     string
	Sample, SampleLead, Terminal string
	All                          string
	// Groups are the names of what reports codes, as the registry has it.
	Groups map[string]string
}

// severity names a severity.
func (w *codesWords) severity(s issue.Severity) string {
	if s == issue.SeverityWarning {
		return w.Warning
	}
	return w.Error
}

// by names what reports a code.
func (w *codesWords) by(raisedBy string) string { return cmp.Or(w.Groups[raisedBy], raisedBy) }

// docsWords are the words of the documentation.
type docsWords struct {
	Title, Lead                                 string
	REST, MCP, Codes                            string
	InEnglish, Specification                    string
	Parameters, Path, Query, Headers            string
	Body, Answers, Example                      string
	Try, Send, Answer, Sending, Failed          string
	AnswerHeaders                               string
	MCPLead, Connect, Tools, Prompts, Arguments string
	NoMCP, On                                   string
}

// printWords are the words of a taxonomy on paper.
type printWords struct {
	Title, Print, Hint, Paper   string
	Contents, Back              string
	Status, Date, Hash, Address string
	Languages                   string
	Context, ContextOptional    string
	RequiredValue               string
	TooLarge                    string
}

// compareWords are the words of the page that compares two versions.
type compareWords struct {
	Title, Lead, Pair                            string
	Old, New, Compare                            string
	Breaking, BreakingLead                       string
	Notable, NotableLead                         string
	Compatible, CompatibleLead                   string
	BreakingCount, NotableCount, CompatibleCount counted
	Changes, Inherited                           counted
	Same, SameLead, Nothing                      string
	NoSeverity, NoCategory, NoMatch              string
	Version, Everything, ByCategory              string
	Rest, AsMarkdown                             string
	Before, After, Removed, Added                string
	ReplacedBy                                   string
	Kinds                                        map[diff.Kind]string
	Subjects                                     map[diff.Subject]string
	// Fields are the names of fields.
	Fields map[string]string
}

// bySeverity returns the words for a severity.
func bySeverity[T any](s diff.Severity, breaking, notable, compatible T) T {
	switch s {
	case diff.Breaking:
		return breaking
	case diff.Notable:
		return notable
	default:
		return compatible
	}
}

// elementWords are the words of the pages of elements and categories.
type elementWords struct {
	Path, Guidance, Prompt, ID, Category       string
	Keywords, RawJSON                          string
	AtMost                                     counted
	Try, TryLead, Context, NoContext, Preview  string
	Placement, Apply, CopyPlacement, Missing   string
	Icons, IconsLead, Default, Dark            string
	SVGFile, SVGSource                         string
	Variables, NoVariables, Text, Select       string
	Inherited, Only                            string
	Subchains, SubchainsLead                   string
	Sources, Languages, History, HistoryLead   string
	First, Unchanged, Removed, Absent, Compare string
	Rules, RuleRequired, RuleOptional          string
	RuleMin, RuleMax                           counted
	RuleContext                                string
	Contexts, NoContexts, Color, Contrast, Tag string
	Elements, Deprecated, Instead, Examples    string
	Formerly, Licence, Notes                   string
	Shape, Circle, Hexagon, Octagon, Square    string
}

// shape names a shape.
func (w *elementWords) shape(s taxonomy.Shape) string {
	names := map[taxonomy.Shape]string{taxonomy.Circle: w.Circle, taxonomy.Hexagon: w.Hexagon, taxonomy.Octagon: w.Octagon}
	return cmp.Or(names[s], w.Square)
}

// schemeWords are the words of mappings and of the pages of schemes.
type schemeWords struct {
	Mappings, Source, Lead           string
	Entries                          string
	Unmapped, UnmappedLead, Complete string
	Relations                        map[taxonomy.Relation]string
}

// playWords are the words of the playground.
type playWords struct {
	Title, Lead                              string
	Document, Check, Open, Save, Share, Link string
	Samples, New, Recent, RecentLead, Forget string
	Sent, Unsent, UnsentLocal, Live, Paused  string
	Failed, Dropped, NoEditor                string
	LinkCopied, LinkLong, LinkBroken         string
	Valid, Invalid, Resolved                 string
	Errors, Warnings, Fixed, FixAll, More    counted
	Place, Excerpt, Hint, Fix                string
	Page, PageTab, PageLarge, Resolve        string
	// Editor are the words of the editor, by what they are in English.
	Editor map[string]string
}

// composeWords are the words of the form that writes a document.
type composeWords struct {
	Title, Lead, Ask, AskHint, Choose, Found        string
	Samples, Name, NameNote, NewTitle               string
	Languages, FormLanguage, Update, Optional       string
	Draft, Sent, Unsent, Unopened, Needs, NotBuilt  string
	Instead, Loading, NotLoaded                     string
	Save, Preview, MoreTitle, OpenFile, Open, Share string
	Sign, SignAddress, SignNote, SignWrong          string
	JSON, Form, Page, NotSaid                       string
	Progress, Questions, Problems                   string
	Unfinished, MoreProblems, AtLeast, AtMost       counted
	Next, Change, Answer, Where, Details            string
	Finish, FinishLead, Send, Suggest, Receives     string
	SendMail, MailBody, SendFilled, SendUpload      string
	SendPaste, SendEdit                             string
	Add, AddOther, Full, SearchIn, SearchNote       string
	ShowAll, MoreElements, NoElements, Placed       string
	Examples, Help, Up, Down, Remove, RemoveAnswer  string
	Unknown, UnknownVariable, Others, OthersLead    string
	NotChosen, Hidden, More, AddItem                string
	AllLanguages, NotText, Rejected, ContactHint    string
	Upgrade, UpgradeDo, Upgraded, Left, Review      string
	Resolved, ResolvedDo, Broken, BrokenLead, Kept  string
	Describe                                        string
	// Fields and Notes are about the rows of the table of fields, by their names.
	Fields, Notes map[string]string
	ActionTypes   map[string]string
	// Findings are what to say about common findings instead of their messages.
	Findings map[issue.Code]string
}

// verifyWords are the words of the check of a proof.
type verifyWords struct {
	Title, Lead                        string
	Document, Proof, ProofNote         string
	Trust, TrustNote, Files, FilesNote string
	Check, Checking                    string
	Good, Snapshot, Bad                string
	Unchecked, Failed, Large           string
	Proven, Claimed, Unproven          string
	Unavailable, Surer, SurerLead      string
	Command, Node, Browser             string
}

// registerWords are the words of the register of documents and of what is around each of
// them.
type registerWords struct {
	Title, Lead, SearchLabel, SearchHint     string
	Sort, Relevance, Change, ByTitle         string
	Filter, MoreFilters, Places, All         string
	NoSystem, SinceDate, FromDate, Late      string
	Table, AboutList, SayRights, Feed        string
	AtMost, Compare, CompareChosen           string
	Differ, AddRemove                        string
	Filters, Type, Status, Organisation      string
	Theme, Data, Risk, Element, Place        string
	Remove, Clear, Nothing                   string
	Documents, Retired                       counted
	Statuses                                 map[register.Status]string
	Formats                                  string
	NearMe, NearNote, NearFailed, Kilometres string
	Nearest                                  string
	Overdue                                  counted
	Licence                                  string
	Accessibility, Register                  string
	Authored, Resolved, Linked, Markdown     string
	Proof, Verify                            string
	Since, Until, ReviewBy, Mobile           string
	Withheld, Address                        string
	Band                                     map[register.Status]string
	ReviewOverdue, Unpublished, Deprecated   string
	Outdated                                 string
	History, HistoryLead, EditionOf          string
	Current, First, Same, Changes, NoChanges string
	OldEdition, ToCurrent, LastEdition       string
	Withdrawn, Gone, Erased, Reason, NoText  string
	SignSame, SignChanged, SignUnknown       string
	Added, Removed, Changed                  string
	Fields                                   map[string]string
	Board                                    counted
	BoardLead, BoardChoose, Sign             string
}
