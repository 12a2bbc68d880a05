package stores

import (
	"errors"

	"github.com/datachain-go/datachain/documents"
)

func openMirror(at string, o *Options) (documents.Origin, error) {
	return nil, errors.New("not yet")
}
