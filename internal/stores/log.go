package stores

import (
	"context"

	"github.com/datachain-go/datachain/documents"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/ledger"
)

// logDir is the directory of the log of a store, and maxLogFile the size limit of its files:
// a bundle of 256 entries.
const (
	logDir     = "log/"
	maxLogFile = 17 << 20
)

// remoteLog is a store that reads the log of a server.
type remoteLog interface {
	ReadLog(ctx context.Context, name, tag string, limit int64) (text []byte, newTag string, err error)
}

// LogOf returns what reads the log of a store, or nil if it can't have one.
func LogOf(s taxonomy.Store) ledger.ReadFunc {
	if o, ok := s.(*Opened); ok {
		s = o.Store
	}
	var read func(ctx context.Context, name, tag string, limit int64) ([]byte, string, error)
	switch s := s.(type) {
	case remoteLog:
		read = s.ReadLog
	case documents.Files:
		read = s.ReadFile
	default:
		return nil
	}
	return func(ctx context.Context, name string) ([]byte, error) {
		text, _, err := read(ctx, logDir+name, "", maxLogFile)
		return text, err
	}
}
