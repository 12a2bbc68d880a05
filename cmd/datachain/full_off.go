//go:build !full

package main

import (
	"errors"

	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/internal/sign"
)

// addPictures gives pages no pictures: only programs with the tag full draw them.
func (*program) addPictures(string, bool, *explorer.Options) error { return nil }

// signDrawer reads what draws signs.
func (*program) signDrawer(string) (sign.Drawer, error) {
	return nil, errors.New("this program was built without drawing signs; build it with 'go build -tags full ./cmd/datachain', or make an .html file and print it in a browser")
}
