//go:build !raster

package main

import "github.com/datachain-go/datachain/adapters/explorer"

// addPictures gives pages no pictures: only programs with the tag raster draw them.
func (*program) addPictures(string, *explorer.Options) error { return nil }
