package pack

import (
	"bytes"
	"errors"
	"iter"
)

// Format is the format number of the packs that this package reads and writes.
const Format = 1

// The sections of a packed release; [Search] names those of search indexes.
const (
	// Icons is a [Table] of icons with keys of [IconKey].
	Icons = "icons"
	// Release is a form of the release that opens without decoding all of it.
	// Package taxonomy defines it.
	Release = "release"
	// Symbols is a [Table] of the symbols by id.
	Symbols = "symbols"
)

// Search names the section of the search index for a locale.
func Search(locale string) string { return "search/" + locale }

// IconKey returns the key of an icon in the table of the section [Icons].
func IconKey(elementID, variant string) string { return elementID + "/" + variant }

// MaxName is the maximum length of the name of a section in bytes.
const MaxName = 255

// Sizes of the fixed parts, in bytes.
const (
	align      = 8
	headerSize = 16
	entrySize  = 24
	footerSize = 32
)

// The marks at the beginning and at the end. The first has a byte outside ASCII
// and a line break, so that a pack that was copied as text is recognized.
const (
	headMark = "\x89DCPACK\n"
	footMark = "DCPKEND\n"
)

// Errors that [Open] wraps.
var (
	// ErrInvalid reports that data is not a pack, or was truncated or changed.
	ErrInvalid = errors.New("invalid pack")
	// ErrFormat reports a pack with a format number that is not [Format].
	ErrFormat = errors.New("unknown pack format")
)

// Pack is a pack in memory. It is immutable and safe for concurrent use.
type Pack struct {
	Directory
	data []byte
}

// Open opens a pack. It checks the header, the directory and the position of
// every section, but not what the sections contain. The pack keeps using data,
// which must not change.
func Open(data []byte) (*Pack, error) {
	d, err := ReadDirectory(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	return &Pack{*d, data}, nil
}

// padded rounds a size up to a multiple of align.
func padded(size uint64) uint64 { return (size + align - 1) &^ (align - 1) }

// Section returns the bytes of a section, which must not be changed, and reports
// whether there is one of that name.
func (p *Pack) Section(name string) ([]byte, bool) {
	at, ok := p.find(name)
	if !ok {
		return nil, false
	}
	return p.data[at.offset : at.offset+at.length : at.offset+at.length], true
}

// Sections yields the names of all sections, in order, with their bytes.
func (p *Pack) Sections() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, name := range p.names {
			if data, _ := p.Section(name); !yield(name, data) {
				return
			}
		}
	}
}
