//go:build !raster

package main

import (
	"context"

	"github.com/datachain-go/datachain/adapters/explorer"
)

// addPictures gives pages no pictures: only programs with the tag raster draw them.
func (*program) addPictures(context.Context, string, *explorer.Options) error { return nil }
