package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/answer"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func (a *api) getSymbol(ctx context.Context, res *response, r *http.Request) error {
	id, ok := strings.CutSuffix(res.file, ".svg")
	if !ok {
		return noResource(r.URL.Path, "end the URL in .svg")
	}
	if err := datachain.CheckSymbolID(id); err != nil {
		return err
	}
	schema, err := a.open(ctx, res)
	if err != nil {
		return err
	}
	return a.respond(ctx, res, r, reading{schema: schema, id: id}, (*api).createSymbol)
}

func (a *api) createSymbol(ctx context.Context, _ *response, q *reading) (*answer.Answer, error) {
	svg, err := q.schema.Symbol(ctx, q.id)
	if err != nil {
		return nil, err
	}
	release := q.schema.Release()
	return a.about(newSVG(caching(release, forever, "public, max-age=3600"), svg), release, "/symbols/"+q.id+".svg", ""), nil
}

func (a *api) getIcon(ctx context.Context, res *response, r *http.Request) error {
	variant, err := iconVariant(res, r)
	if err != nil {
		return err
	}
	schema, err := a.open(ctx, res)
	if err != nil {
		return err
	}
	return a.respond(ctx, res, r, reading{schema: schema, id: res.elementID, icon: variant}, (*api).createIcon)
}

// createIcon reads a baked icon or composes it. A composed icon of a beta expires
// soon, because it may be baked meanwhile.
func (a *api) createIcon(ctx context.Context, res *response, q *reading) (*answer.Answer, error) {
	icon, err := q.schema.Icon(ctx, q.id, q.icon)
	if err != nil {
		return nil, err
	}
	release, beta, file := q.schema.Release(), "public, max-age=3600", "icon."+q.icon+".svg"
	if q.icon == taxonomy.VariantDefault {
		file = "icon.svg"
	}
	if !icon.Baked {
		beta = "public, max-age=60"
		a.Logger.LogAttrs(ctx, slog.LevelInfo, "icon_miss_fallback",
			slog.String("version", release.Version().String()), slog.String("element_id", q.id),
			slog.String("variant", q.icon), slog.String("request_id", res.id[0]))
	}
	ans := a.about(newSVG(caching(release, forever, beta), icon.SVG), release, "/elements/"+q.id+"/"+file, "")
	if !icon.Baked && release.Version().Status() == taxonomy.Beta {
		ans.Expires = time.Now().Add(time.Minute)
	}
	return ans, nil
}

// iconVariant returns the variant of icon.svg or icon.<variant>.svg.
func iconVariant(res *response, r *http.Request) (string, error) {
	if res.file == "icon.svg" {
		return taxonomy.VariantDefault, nil
	}
	variant, isIcon := strings.CutPrefix(res.file, "icon.")
	variant, isSVG := strings.CutSuffix(variant, ".svg")
	if !isIcon || !isSVG {
		return "", noResource(r.URL.Path, "use icon.svg or icon.<variant>.svg")
	}
	if !taxonomy.ValidID(variant) {
		return "", problem(issue.CodeBadRequest, "use letters, digits, _ and -", "The variant %q is malformed.", prose.Plain(variant))
	}
	return variant, nil
}
