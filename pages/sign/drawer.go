// Package sign draws signs as SVG and PDF files, with text as outlines and with the fonts in the
// directory fonts. What is on a sign is decided by pages/sheet, which writes the same sign
// as a page for browsers.
//
//	drawer, err := sign.New(nil)
//	if err != nil {
//		return err
//	}
//	pdf, err := drawer.PDF(ctx, &sheet.Options{Size: sheet.A4}, subject)
//
// It is a module of its own, so that only programs that draw depend on what reads fonts. The
// pages take a [Drawer] as an option.
//
// # Experimental
//
// This package may change in a minor version.
package sign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/pages/sheet"
)

// Drawer draws signs. It is safe for concurrent use.
type Drawer struct {
	fonts func() (fonts, error)
}

var _ sheet.Drawer = (*Drawer)(nil)

// New returns a Drawer with the embedded fonts, which are read with the first sign, and those in a
// directory, which can be nil.
func New(dir fs.FS) (*Drawer, error) {
	var others fonts
	if dir != nil {
		var err error
		if others, err = readFonts(dir); err != nil {
			return nil, err
		}
		if len(others.regular) == 0 || len(others.bold) == 0 {
			return nil, errors.New("there are not at least one regular and one bold TrueType font (*.ttf, such as NotoSansThai-Regular.ttf and NotoSansThai-Bold.ttf)")
		}
	}
	return &Drawer{sync.OnceValues(func() (fonts, error) {
		own, err := fs.Sub(embedded, "fonts")
		if err != nil {
			return fonts{}, err
		}
		all, err := readFonts(own)
		return fonts{append(all.regular, others.regular...), append(all.bold, others.bold...)}, err
	})}, nil
}

// SVG draws a sign.
func (a *Drawer) SVG(ctx context.Context, s *sheet.Subject, o *sheet.Options) ([]byte, error) {
	l, err := a.layout(ctx, s, o)
	if err != nil {
		return nil, err
	}
	return l.drawing.svg(), nil
}

// PDF draws each sign on a page of its own.
func (a *Drawer) PDF(ctx context.Context, o *sheet.Options, subjects ...*sheet.Subject) ([]byte, error) {
	if len(subjects) == 0 {
		return nil, errors.New("there are no signs to draw")
	}
	var drawings []*drawing
	locale := ""
	for _, s := range subjects {
		l, err := a.layout(ctx, s, o)
		if err != nil {
			return nil, err
		}
		drawings = append(drawings, l.drawing)
		locale = cmp.Or(locale, l.Languages[0].Locale)
	}
	return writePDF(drawings, locale)
}

// layout draws a sign in the setting of the content, or if its fonts are wider in the next one with
// which all texts fit. If what sets
// texts panics, that is an error of this sign, so that others are drawn.
func (a *Drawer) layout(ctx context.Context, s *sheet.Subject, o *sheet.Options) (l *layout, err error) {
	c, err := sheet.NewContent(s, o)
	if err != nil {
		return nil, err
	}
	all, err := a.fonts()
	if err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v; print it as a page (.html) in a browser", sheet.ErrNotSet, p)
		}
	}()
	l = &layout{Content: c, typesetter: newTypesetter(ctx, all)}
	for _, setting := range c.Settings() {
		l.brief = setting.Brief
		l.drawing = &drawing{width: c.Paper.Width, height: c.Paper.Height, title: c.Languages[0].Title}
		l.texts, l.long = nil, nil
		l.large, l.text = setting.Scale*c.Paper.Large, setting.Scale*c.Paper.Text
		switch c.Kind {
		case sheet.Label:
			l.label()
		case sheet.Card:
			l.card()
		default:
			l.paper()
		}
		if len(l.long) == 0 || l.err != nil {
			break
		}
	}
	l.drawing.text = strings.Join(l.texts, "\n")
	return l, cmp.Or(l.err, l.Fit(l.long))
}
