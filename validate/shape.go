package validate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// shape is a JSON Schema compiled for one question: does a value fit? The answer
// allocates nothing, since it is needed for every document and most fit. If a value
// does not fit, explainer asks jsonschema why.
//
// A shape has either alternatives and nothing else, or kinds and the constraints of
// each kind.
type shape struct {
	location string // the URL of the schema
	title    string // "" if the schema has none
	example  []byte // nil if the schema has none

	alternatives []*shape // anyOf
	kinds        kinds    // type

	// Strings.
	words    []string // enum
	nonEmpty bool     // minLength 1
	format   *format
	pattern  *regexp.Regexp

	// Numbers, which are integers.
	bounded bool
	minimum int64

	// Arrays.
	minItems int
	items    *shape

	// Objects.
	minProperties int
	fields        []field
	required      uint64 // one bit for each required field
	others        *shape // additionalProperties: a schema
	closed        bool   // additionalProperties: false
}

// field is a known member of an object.
type field struct {
	name  string
	shape *shape
}

// maxFields is the number of bits of shape.required.
const maxFields = 64

// requires reports whether field i is required.
func (s *shape) requires(i int) bool { return s.required&(1<<i) != 0 }

// kinds is a set of kinds of JSON values.
type kinds uint8

const (
	aNull kinds = 1 << iota
	aBoolean
	aString
	anInteger
	anArray
	anObject
)

// kindOf returns the kind of a value.
func kindOf(v document.Value) kinds {
	switch v.Kind() {
	case '"':
		return aString
	case '{':
		return anObject
	case '[':
		return anArray
	case '0':
		return anInteger // see fitsNumber
	case 't', 'f':
		return aBoolean
	}
	return aNull
}

// fits reports whether a value has the shape.
func (s *shape) fits(v document.Value) bool {
	if s.alternatives != nil {
		return slices.ContainsFunc(s.alternatives, func(a *shape) bool { return a.fits(v) })
	}
	kind := kindOf(v)
	if s.kinds&kind == 0 {
		return false
	}
	switch kind {
	case aString:
		return s.fitsText(v)
	case anObject:
		return s.fitsObject(v)
	case anArray:
		return s.fitsList(v)
	case anInteger:
		n, ok := integer(v.Raw())
		return ok && (!s.bounded || n >= s.minimum)
	}
	return true
}

func (s *shape) fitsObject(v document.Value) bool {
	if v.Len() < s.minProperties {
		return false
	}
	there, next := uint64(0), 0
	for m := range v.All() {
		i := s.find(m, next)
		switch {
		case i >= 0:
			there |= 1 << i
			next = i + 1
			if !s.fields[i].shape.fits(m) {
				return false
			}
		case s.closed, s.others != nil && !s.others.fits(m):
			return false
		}
	}
	return there&s.required == s.required
}

// find returns the index of the field of a member, or -1. Members are often in the
// order of the schema, so it starts with the field that would come next.
func (s *shape) find(m document.Value, next int) int {
	key := m.RawKey()
	key = key[1 : len(key)-1]
	for i := next; i < len(s.fields); i++ {
		if s.fields[i].name == string(key) {
			return i
		}
	}
	for i := range min(next, len(s.fields)) {
		if s.fields[i].name == string(key) {
			return i
		}
	}
	if bytes.IndexByte(key, '\\') < 0 {
		return -1
	}
	name := m.Key()
	return slices.IndexFunc(s.fields, func(f field) bool { return f.name == name })
}

func (s *shape) fitsList(v document.Value) bool {
	if v.Len() < s.minItems {
		return false
	}
	if s.items != nil {
		for item := range v.All() {
			if !s.items.fits(item) {
				return false
			}
		}
	}
	return true
}

func (s *shape) fitsText(v document.Value) bool {
	raw := v.Raw()
	if s.nonEmpty && len(raw) == len(`""`) {
		return false
	}
	if s.words == nil && s.format == nil && s.pattern == nil {
		return true
	}
	text := raw[1 : len(raw)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		text = []byte(v.Text())
	}
	switch {
	case s.words != nil && !slices.ContainsFunc(s.words, func(w string) bool { return w == string(text) }):
		return false
	case s.format != nil:
		return s.format.check(text) // implies the pattern
	case s.pattern != nil:
		return s.pattern.Match(text)
	}
	return true
}

// integer parses an integer, which can also be written as 2.0 or 2e1. Integers of
// strict documents fit an int64.
func integer(raw []byte) (n int64, ok bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, true
	}
	r, ok := new(big.Rat).SetString(string(raw))
	if !ok || !r.IsInt() {
		return 0, false
	}
	return r.Num().Int64(), true
}

// alternative returns the shape that a value probably should have: the first
// alternative of its kind whose items are of the kind of its first item, else the
// first of its kind, else the first.
func (s *shape) alternative(v document.Value) *shape {
	if s.alternatives == nil {
		return s
	}
	var sameKind *shape
	for _, a := range s.alternatives {
		a = a.alternative(v)
		if a.kinds&kindOf(v) == 0 {
			continue
		}
		first, ok := v.At(0)
		if !ok || a.items == nil || a.items.alternative(first).kinds&kindOf(first) != 0 {
			return a
		}
		sameKind = cmp.Or(sameKind, a)
	}
	return cmp.Or(sameKind, s.alternatives[0].alternative(v))
}

// format is a form of strings that needs more than a pattern. A string of the format
// also matches the pattern of the schema, which is for programs that do not know the
// format.
type format struct {
	name string
	// is describes a valid string.
	is    string
	check func(text []byte) bool
	// hint says what to write instead of an invalid string, or "" if an example
	// is enough. The fix is nil if that is not clear.
	hint func(i *issue.Issue, text string)
}

// formats are the formats of the schemas.
var formats = []*format{
	{name: "datachain-version", is: "a canonical version id", check: isVersion, hint: versionHint},
	{name: "datachain-timestamp", is: "a date and time with a time zone", check: isTimestamp, hint: timestampHint},
	{name: "datachain-instance-id", is: "an id without white space or control characters", check: isInstanceID, hint: instanceIDHint},
	{name: "datachain-text", is: "a text that is not blank", check: isText, hint: func(*issue.Issue, string) {}},
}

// isVersion is [taxonomy.ParseVersion] without allocation.
func isVersion(text []byte) bool {
	typ, rest, _ := bytes.Cut(text, []byte("@"))
	if len(rest) < len(time.DateOnly) || !ident.IsID(string(typ)) {
		return false
	}
	_, err := time.Parse(time.DateOnly, string(rest[:len(time.DateOnly)]))
	status := string(rest[len(time.DateOnly):])
	return err == nil && (status == "-beta" || status == "-stable")
}

func versionHint(i *issue.Issue, text string) {
	const example = "2026-09-01-stable"
	i.FixHint = "write <type>@<YYYY-MM-DD>-<status>, such as <type>@" + example
	if ref, err := taxonomy.ParseRef(text); err == nil {
		i.FixHint = "write the canonical id of the alias, such as " + ref.Type() + "@" + example
	}
}

// isInstanceID reports whether a text is not empty and has no white space or control
// characters, which readers do not see and keys of other programs can't have.
func isInstanceID(text []byte) bool {
	return len(text) > 0 && !bytes.ContainsFunc(text, unseen)
}

func unseen(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// instanceIDHint joins the words of an id. That is not a fix, since the id can be used
// elsewhere in the document.
func instanceIDHint(i *issue.Issue, text string) {
	if joined := strings.Join(strings.FieldsFunc(wording.Clip(text), unseen), "-"); joined != "" {
		i.FixHint = "write " + string(quote(joined)) + ", also where the document refers to it"
		i.Choices = []issue.Fix{{Title: "Write " + string(quote(joined)), Value: quote(joined)}}
	}
}

// isText reports whether a text is more than white space.
func isText(text []byte) bool { return len(bytes.TrimSpace(text)) > 0 }

// isTimestamp reports whether a text is an ISO 8601 date and time with a time zone,
// such as 2026-06-01T10:00Z. The seconds and their fraction are optional.
func isTimestamp(text []byte) bool {
	const minutes, seconds = "2006-01-02T15:04", "2006-01-02T15:04:05"
	clock, utc := bytes.CutSuffix(text, []byte("Z"))
	if !utc {
		n := max(len(text)-len("+02:00"), 0)
		if clock = text[:n]; n == 0 || text[n] != '+' && text[n] != '-' || !isClock(text[n+1:]) {
			return false
		}
	}
	if len(clock) < len(minutes) || !isClock(clock[len("2006-01-02T"):len(minutes)]) || bytes.IndexByte(clock, ',') >= 0 {
		return false
	}
	layout := minutes
	if len(clock) > len(minutes) {
		layout = seconds // time.Parse also takes a fraction
	}
	_, err := time.Parse(layout, string(clock))
	return err == nil
}

// isClock reports whether a text is hh:mm. time.Parse also takes h:mm.
func isClock(text []byte) bool {
	_, err := time.Parse("15:04", string(text))
	return err == nil && len(text) == len("15:04")
}

// timestampHint corrects common ways to write a date and time.
func timestampHint(i *issue.Issue, text string) {
	const longest = len("2006-01-02T15:04:05.000000000+00:00")
	fixed := strings.ToUpper(strings.Replace(strings.TrimSpace(text[:min(len(text), longest)]), " ", "T", 1))
	guess := "" // a time of day or a time zone, which only the author knows
	switch {
	case len(text) > longest:
		i.FixHint = "write a date and time with a time zone, such as 2026-06-01T10:00Z"
	case isTimestamp([]byte(fixed)):
		i.FixHint, i.Fix = "write "+fixed, &issue.Fix{Value: quote(fixed)}
	case isTimestamp([]byte(fixed + "Z")):
		guess = fixed + "Z"
		i.FixHint = "write " + guess + " if the time is in UTC, or add the time zone, such as +02:00"
	case isTimestamp([]byte(fixed + "T00:00Z")):
		guess = fixed + "T10:00Z"
		i.FixHint = "add a time and a time zone, such as " + guess
	default:
		i.FixHint = "write a date and time with a time zone, such as 2026-06-01T10:00Z"
	}
	if guess != "" {
		i.Choices = []issue.Fix{{Title: "Write " + guess, Value: quote(guess)}}
	}
}

// shapes are the compiled schemas by name.
var shapes = sync.OnceValue(func() map[string]*shape {
	c := newShapeCompiler(readSchema)
	byName := make(map[string]*shape)
	for _, name := range JSONSchemaNames() {
		s, err := c.compile(name, "")
		if err != nil {
			panic("validate: " + err.Error())
		}
		byName[name] = s
	}
	return byName
})

func instanceShape() *shape { return shapes()["instance"] }

func resolvedShape() *shape { return shapes()["resolved"] }

// shapeCompiler compiles schemas to shapes. It refuses keywords that the embedded
// schemas do not use, since an ignored keyword would not be checked.
type shapeCompiler struct {
	read   func(name string) *document.Document
	files  map[string]*document.Document
	shapes map[string]*shape // by location
}

func newShapeCompiler(read func(name string) *document.Document) *shapeCompiler {
	return &shapeCompiler{read: read, files: make(map[string]*document.Document), shapes: make(map[string]*shape)}
}

// compile returns the shape of the part of a schema at a JSON pointer.
func (c *shapeCompiler) compile(name, pointer string) (*shape, error) {
	at := name + "#" + pointer
	if s, ok := c.shapes[at]; ok {
		if s == nil {
			return nil, fmt.Errorf("schema %s: refers to itself", at)
		}
		return s, nil
	}
	c.shapes[at] = nil // being compiled
	v, ok := c.find(name, pointer)
	if !ok || v.Kind() != '{' {
		return nil, fmt.Errorf("schema %s: not found", at)
	}
	k := keywords{c: c, name: name, pointer: pointer, s: &shape{location: schemaBase + name + schemaSuffix + "#" + pointer}}
	if err := k.read(v); err != nil {
		return nil, fmt.Errorf("schema %s: %w", at, err)
	}
	c.shapes[at] = k.s
	return k.s, nil
}

// find returns the part of a schema at a JSON pointer, whose keys have neither / nor
// ~.
func (c *shapeCompiler) find(name, pointer string) (v document.Value, ok bool) {
	if c.files[name] == nil {
		c.files[name] = c.read(name)
	}
	v = c.files[name].Root()
	for key := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer == "" {
			break
		}
		if i, err := strconv.Atoi(key); err == nil && v.Kind() == '[' {
			v, ok = v.At(i)
		} else {
			v, ok = v.Get(key)
		}
		if !ok {
			return v, false
		}
	}
	return v, true
}

// keywords reads the keywords of one schema.
type keywords struct {
	c             *shapeCompiler
	name, pointer string
	s             *shape
	required      []string
	isRef         bool
}

func (k *keywords) read(v document.Value) error {
	if ref, ok := v.Get("$ref"); ok {
		target, err := k.c.compile(splitRef(k.name, ref.Text()))
		if err != nil {
			return err
		}
		location := k.s.location
		*k.s = *target
		k.s.location = location
		k.isRef = true
	}
	for m := range v.All() {
		if err := k.keyword(m.Key(), m); err != nil {
			return fmt.Errorf("%s: %w", m.Key(), err)
		}
	}
	if k.s.kinds == 0 && k.s.alternatives == nil {
		return errors.New("has neither type nor anyOf nor $ref")
	}
	for _, name := range k.required {
		i := slices.IndexFunc(k.s.fields, func(f field) bool { return f.name == name })
		if i < 0 {
			return fmt.Errorf("required: %s is not a property", name)
		}
		k.s.required |= 1 << i
	}
	return k.consistent()
}

// consistent refuses combinations of keywords that a shape can't represent.
func (k *keywords) consistent() error {
	s := k.s
	switch {
	case s.alternatives != nil && s.kinds != 0:
		return errors.New("has both anyOf and type")
	case s.words != nil && s.kinds != aString:
		return errors.New("enum is supported for strings only")
	case s.format != nil && s.pattern == nil:
		return errors.New("format needs a pattern for programs that do not know it")
	case len(s.fields) > maxFields:
		return fmt.Errorf("has more than %d properties", maxFields)
	}
	return nil
}

// keyword reads one keyword. A schema with a $ref can have only annotations and
// further properties.
func (k *keywords) keyword(name string, v document.Value) (err error) {
	switch name {
	case "$schema", "$id", "$ref", "$defs", "description", "default":
	case "title":
		k.s.title = v.Text()
	case "examples":
		if first, ok := v.At(0); ok {
			k.s.example = first.Raw()
		}
	case "properties":
		err = k.properties(v)
	case "required":
		for item := range v.All() {
			k.required = append(k.required, item.Text())
		}
	default:
		if k.isRef {
			return errors.New("is not supported with a $ref")
		}
		return k.assertion(name, v)
	}
	return err
}

// assertion reads a keyword that is not supported with a $ref.
func (k *keywords) assertion(name string, v document.Value) (err error) {
	s := k.s
	switch name {
	case "anyOf":
		for i := range v.Len() {
			alternative, err := k.sub(fmt.Sprintf("/anyOf/%d", i))
			if err != nil {
				return err
			}
			s.alternatives = append(s.alternatives, alternative)
		}
	case "type":
		return k.kinds(v)
	case "enum":
		for word := range v.All() {
			s.words = append(s.words, word.Text())
		}
	case "minLength":
		if s.nonEmpty = string(v.Raw()) == "1"; !s.nonEmpty {
			return fmt.Errorf("is %s, but only 1 is supported", v.Raw())
		}
	case "pattern":
		s.pattern, err = regexp.Compile(v.Text())
	case "format":
		i := slices.IndexFunc(formats, func(f *format) bool { return f.name == v.Text() })
		if i < 0 {
			var known []string
			for _, f := range formats {
				known = append(known, f.name)
			}
			return fmt.Errorf("unknown format %s: use %s, or add it to formats in validate/shape.go", v.Text(), wording.Or(known))
		}
		s.format = formats[i]
	case "minimum":
		s.minimum, s.bounded = integer(v.Raw())
	case "minItems":
		s.minItems, err = strconv.Atoi(string(v.Raw()))
	case "minProperties":
		s.minProperties, err = strconv.Atoi(string(v.Raw()))
	case "items":
		s.items, err = k.sub("/items")
	case "additionalProperties":
		if s.closed = v.Kind() == 'f'; !s.closed {
			s.others, err = k.sub("/additionalProperties")
		}
	default:
		return errors.New("is not a supported keyword")
	}
	return err
}

// sub compiles a schema inside this one.
func (k *keywords) sub(pointer string) (*shape, error) {
	return k.c.compile(k.name, k.pointer+pointer)
}

func (k *keywords) properties(v document.Value) error {
	if k.isRef { // added to those of the target
		k.s.fields, k.s.example = slices.Clone(k.s.fields), nil
	}
	for m := range v.All() {
		name := m.Key()
		if slices.ContainsFunc(k.s.fields, func(f field) bool { return f.name == name }) {
			return fmt.Errorf("%s is also a property of the $ref", name)
		}
		s, err := k.sub("/properties/" + name)
		if err != nil {
			return err
		}
		k.s.fields = append(k.s.fields, field{name, s})
	}
	return nil
}

func (k *keywords) kinds(v document.Value) error {
	known := map[string]kinds{
		"null": aNull, "boolean": aBoolean, "string": aString, "integer": anInteger, "array": anArray, "object": anObject,
	}
	names := slices.Collect(v.All())
	if v.Kind() == '"' {
		names = []document.Value{v}
	}
	for _, name := range names {
		if known[name.Text()] == 0 {
			return fmt.Errorf("unknown type %q", name.Text())
		}
		k.s.kinds |= known[name.Text()]
	}
	return nil
}
