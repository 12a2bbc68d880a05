package sign

import (
	"context"
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/pages/sheet"
)

// em is the size in which text is set, before it is scaled.
const em = 1000

// typesetter sets texts. It is not safe for concurrent use.
type typesetter struct {
	ctx           context.Context // of the sign, asked before each text is set
	regular, bold []*font.Face
	segmenter     shaping.Segmenter
	shaper        shaping.HarfbuzzShaper
	wrapper       shaping.LineWrapper
}

func newTypesetter(ctx context.Context, f fonts) *typesetter {
	faces := func(list []*font.Font) (all []*font.Face) {
		for _, f := range list {
			all = append(all, font.NewFace(f))
		}
		return all
	}
	return &typesetter{ctx: ctx, regular: faces(f.regular), bold: faces(f.bold)}
}

// fallback finds the face for a letter.
type fallback []*font.Face

// ResolveFace returns the first face with a letter.
func (f fallback) ResolveFace(r rune) *font.Face {
	for _, face := range f {
		if _, ok := face.NominalGlyph(r); ok {
			return face
		}
	}
	return f[0]
}

// style is how a text is set.
type style struct {
	sheet.Lettering
	breaks bool // lines may end within words
}

// regular and bold are styles of paragraphs.
func regular(size float64) style {
	return style{Lettering: sheet.Lettering{Size: size, Leading: sheet.Leading}}
}

func bold(size float64) style {
	return style{Lettering: sheet.Lettering{Size: size, Bold: true, Leading: sheet.Leading}}
}

// block is a text in lines.
type block struct {
	style
	lines  []shaping.Line
	rtl    bool
	right  bool    // aligned at the right
	width  float64 // that it was set for, in mm
	height float64 // in mm
	widest float64 // of its lines, in mm
	// word is the first word that is too long for a line, and share how much of it fits.
	word  string
	share float64
	// ink is its colour, and level the box around it, or nil.
	ink   icons.Color
	level *sheet.Level
}

// set breaks a text into lines that fit a width in mm. Words that are longer than a line are divided,
// where it is as good as possible.
func (t *typesetter) set(text, locale string, width float64, s style) (*block, error) {
	b, long, err := t.wrap(text, locale, width, s)
	for c := parts; err == nil && len(long) > 0 && !b.rtl && c <= possible; c++ {
		for _, word := range long {
			text = strings.ReplaceAll(text, word, hyphenate(word, c))
		}
		word, share := b.word, b.share
		if b, long, err = t.wrap(text, locale, width, s); len(long) > 0 {
			b.word, b.share = word, share // as it was written
		}
	}
	return b, err
}

// wrap breaks a text into lines, and returns the words that are longer than a line.
func (t *typesetter) wrap(text, locale string, width float64, s style) (b *block, long []string, err error) {
	if err := t.ctx.Err(); err != nil {
		return nil, nil, err
	}
	b = &block{style: s, width: width, rtl: startsRTL(text)}
	b.right = b.rtl
	faces := t.regular
	if s.Bold {
		faces = t.bold
	}
	runes := []rune(text)
	if len(runes) == 0 {
		return b, nil, nil
	}
	direction := di.DirectionLTR
	if b.rtl {
		direction = di.DirectionRTL
	}
	runs, err := t.shape(runes, locale, direction, faces)
	if err != nil {
		return nil, nil, err
	}
	size := s.Size * points
	if wide := widthOf(runs); wide > math.MaxInt32 { // the wrapper adds widths in 32 bits
		b.word, b.share = text, width/(float64(wide)/64/em*size)
		return b, nil, nil
	}
	config := shaping.WrapConfig{Direction: direction, BreakPolicy: shaping.Never}
	if s.breaks {
		config.BreakPolicy = shaping.WhenNecessary
	}
	room := width / size * em
	var hyphen shaping.Output
	if !b.rtl && strings.Contains(text, softHyphen) { // lines have room for one
		hyphen = t.shaper.Shape(shaping.Input{Text: []rune("-"), RunEnd: 1, Direction: direction, Size: fixed.I(em), Face: faces[0]})
		room -= float64(hyphen.Advance) / 64
	}
	lines, _ := t.wrapper.WrapParagraph(config, int(room), runes, shaping.NewSliceIterator(runs))
	for i, line := range lines { // the wrapper uses its memory again
		kept, said := visual(line, runes)
		if i < len(lines)-1 && len(hyphen.Glyphs) > 0 && strings.HasSuffix(said, softHyphen) {
			kept = append(kept, hyphen)
		}
		b.lines = append(b.lines, kept)
		wide := advance(kept) * size
		b.widest = max(b.widest, wide)
		if wide <= width+0.1 {
			continue
		}
		word := strings.TrimSpace(said)
		if long = append(long, word); b.word == "" {
			b.word, b.share = word, width/wide
		}
	}
	b.height = float64(len(b.lines)) * size * s.Leading
	return b, long, nil
}

// visual returns a copy of a line with its runs from left to right, and the text of it.
func visual(line shaping.Line, runes []rune) (kept shaping.Line, said string) {
	kept = make(shaping.Line, len(line))
	first, end := len(runes), 0
	for _, run := range line {
		kept[run.VisualIndex] = run
		first, end = min(first, run.Runes.Offset), max(end, run.Runes.Offset+run.Runes.Count)
	}
	return kept, string(runes[min(first, end):end])
}

// widthOf returns the width of glyphs in 64ths of a unit of which [em] are the size.
func widthOf(runs []shaping.Output) (total int64) {
	for i := range runs {
		for j := range runs[i].Glyphs {
			total += int64(runs[i].Glyphs[j].Advance)
		}
	}
	return total
}

// shape returns the glyphs of a text. A character that no font has is an error.
func (t *typesetter) shape(runes []rune, locale string, direction di.Direction, faces []*font.Face) (runs []shaping.Output, err error) {
	for _, r := range runes {
		if unicode.IsGraphic(r) && !unicode.IsSpace(r) && !hasGlyph(faces, r) {
			return nil, fmt.Errorf("%w %q; add a TrueType font that has it, in a regular and a bold style, with --fonts, or print the sign as a page (.html) in a browser", sheet.ErrNoGlyph, r)
		}
	}
	for _, in := range t.segmenter.Split(shaping.Input{
		Text: runes, RunEnd: len(runes), Direction: direction, Size: fixed.I(em), Language: language.NewLanguage(locale),
	}, fallback(faces)) {
		runs = append(runs, t.shaper.Shape(in))
	}
	return runs, nil
}

func hasGlyph(faces []*font.Face, r rune) bool {
	for _, f := range faces {
		if _, ok := f.NominalGlyph(r); ok {
			return true
		}
	}
	return unicode.Is(unicode.Cf, r)
}

// startsRTL reports whether the first letter of a text belongs to a script that is written
// from right to left.
func startsRTL(text string) bool {
	for _, r := range text {
		if unicode.IsLetter(r) {
			return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam)
		}
	}
	return false
}

// advance returns the width of a line, as a part of the size.
func advance(line shaping.Line) float64 {
	total := 0.0
	for _, run := range line {
		total += float64(run.Advance) / 64 / em
	}
	return total
}

// draw adds the outlines of a block whose corner is at x and y. It is aligned at
// the side where it begins, unless it was changed.
func (b *block) draw(p *drawing, x, y float64) {
	if b.level != nil {
		b.drawLevel(p, x, y)
		return
	}
	size := b.Size * points
	path := p.add(icons.Figure{Fill: &icons.Paint{Color: b.ink, Opacity: 1}, Opacity: 1})
	for i, line := range b.lines {
		// The middle of capital letters is in the middle of the line.
		baseline := y + size*(b.Leading*(float64(i)+0.5)+0.357)
		at := x
		if b.right {
			at = x + b.width - advance(line)*size
		}
		for _, run := range line {
			for _, g := range run.Glyphs {
				outline, ok := run.Face.GlyphDataOutline(g.GlyphID)
				dx, dy := at+size*float64(g.XOffset)/64/em, baseline-size*float64(g.YOffset)/64/em
				scale := size / float64(run.Face.Upem())
				if ok {
					glyph(path, outline.Segments, dx, dy, scale)
				}
				at += size * float64(g.Advance) / 64 / em
			}
		}
	}
}

// glyph adds an outline to a path.
func glyph(path *path, segments []font.Segment, dx, dy, scale float64) {
	point := func(p opentype.SegmentPoint) (x, y float64) { return dx + scale*float64(p.X), dy - scale*float64(p.Y) }
	open := false
	var fromX, fromY float64
	for _, s := range segments {
		x, y := point(s.Args[0])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if open {
				path.close()
			}
			path.move(x, y)
			open = true
		case opentype.SegmentOpLineTo:
			path.line(x, y)
		case opentype.SegmentOpQuadTo:
			cx, cy := x, y
			x, y = point(s.Args[1])
			path.curve(fromX+2*(cx-fromX)/3, fromY+2*(cy-fromY)/3, x+2*(cx-x)/3, y+2*(cy-y)/3, x, y)
		case opentype.SegmentOpCubeTo:
			c1x, c1y := x, y
			c2x, c2y := point(s.Args[1])
			x, y = point(s.Args[2])
			path.curve(c1x, c1y, c2x, c2y, x, y)
		}
		fromX, fromY = x, y
	}
	if open {
		path.close()
	}
}
