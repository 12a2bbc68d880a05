package rest

import (
	"context"
	_ "embed" // a description
	"errors"
	"io/fs"
	"log/slog"
	"regexp"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

//go:embed log.json
var logPart []byte

// Log returns the routes of the signed log of a store:
//
//	GET /api/v2/log/checkpoint
//	GET /api/v2/log/tile/{file...}
//
// The function reads a file of the log, such as checkpoint or tile/0/000, or wraps [fs.ErrNotExist];
// nil means that there is no log. A nil logger is [slog.Default].
func Log(read func(ctx context.Context, name string) ([]byte, error), logger *slog.Logger) []httpapi.Route {
	if logger == nil {
		logger = slog.Default()
	}
	l := &logFiles{read, logger}
	return []httpapi.Route{
		{Pattern: "/api/v2/log/checkpoint", Read: l.checkpoint, OpenAPI: logPart},
		{Pattern: "/api/v2/log/tile/{file...}", Read: l.tile, OpenAPI: logPart},
	}
}

type logFiles struct {
	read   func(ctx context.Context, name string) ([]byte, error)
	logger *slog.Logger
}

func (l *logFiles) checkpoint(ctx context.Context, r *httpapi.Request) (*httpapi.Resource, error) {
	return l.serve(ctx, r, signedlog.CheckpointFile, "text/plain; charset=utf-8", "no-cache")
}

// tileName matches the names of tiles and of bundles of entries (C2SP tlog-tiles), without
// tile/ before them. A partial one has its width.
var tileName = regexp.MustCompile(`^(?:[0-9]|[1-5][0-9]|6[0-3]|entries)/(?:x[0-9]{3}/)*[0-9]{3}(\.p/(?:[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5]))?$`)

// tile serves a tile of the log, or a bundle of its entries. Those never change; partial ones
// are needed only for a while.
func (l *logFiles) tile(ctx context.Context, r *httpapi.Request) (*httpapi.Resource, error) {
	file := r.PathValue("file")
	parts := tileName.FindStringSubmatch(file)
	if parts == nil {
		return nil, r.NotFound("use the names of C2SP tlog-tiles, such as tile/0/000 or tile/entries/000.p/5")
	}
	caching := "public, max-age=31536000, immutable"
	if parts[1] != "" {
		caching = "public, max-age=3600"
	}
	return l.serve(ctx, r, "tile/"+file, "application/octet-stream", caching)
}

func (l *logFiles) serve(ctx context.Context, r *httpapi.Request, name, contentType, caching string) (*httpapi.Resource, error) {
	text, err := []byte(nil), fs.ErrNotExist
	if l.read != nil {
		text, err = l.read(ctx, name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && name == signedlog.CheckpointFile:
		return nil, &datachain.Error{Issue: issue.Issue{
			Code: issue.CodeNotFound, Message: "The store of this server has no signed log.", FixHint: "verify what this server serves by its content hashes",
		}}
	case errors.Is(err, fs.ErrNotExist):
		return nil, r.NotFound("see " + r.URL("/api/v2/log/checkpoint") + " for the size of the log")
	case err != nil && ctx.Err() == nil:
		l.logger.WarnContext(ctx, "reading the log of the store failed", "file", name, "error", err)
		return nil, &datachain.Error{Issue: issue.Issue{Code: issue.CodeUpstreamError, Message: "The log of the store could not be read.", FixHint: "try again later"}}
	case err != nil:
		return nil, err
	}
	return &httpapi.Resource{Body: &httpapi.Body{ContentType: contentType, CacheControl: caching, Bytes: text}}, nil
}
