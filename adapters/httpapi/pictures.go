package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func (a *api) getShape(ctx context.Context, res *response, r *http.Request) error {
	name, err := cutFile(res, r, ".svg")
	if err != nil {
		return err
	}
	svg, err := datachain.Shape(name)
	if err != nil {
		return err
	}
	return a.cached(ctx, res, r, nil, name, "", func() (*answer, error) {
		return newAnswer(typeSVG, "public, max-age=31536000, immutable", svg), nil
	})
}

func (a *api) getSymbol(ctx context.Context, res *response, r *http.Request) error {
	id, err := cutFile(res, r, ".svg")
	if err != nil {
		return err
	}
	if err := datachain.CheckSymbolID(id); err != nil {
		return err
	}
	schema, err := a.service.Open(ctx, res.version)
	if err != nil {
		return err
	}
	release := schema.Release()
	return a.cached(ctx, res, r, release, id, "", func() (*answer, error) {
		svg, err := schema.Symbol(ctx, id)
		if err != nil {
			return nil, err
		}
		return newAnswer(typeSVG, pictureCaching(release, "3600"), svg).of(a, release, "/symbols/"+id+".svg", ""), nil
	})
}

// missAge is how long the icon of a beta may be kept that had to be composed.
const missAge = time.Minute

func (a *api) getIcon(ctx context.Context, res *response, r *http.Request) error {
	variant, err := iconVariant(res, r)
	if err != nil {
		return err
	}
	schema, e, err := a.element(ctx, res)
	if err != nil {
		return err
	}
	release := schema.Release()
	return a.cached(ctx, res, r, release, e.ID, variant, func() (*answer, error) {
		icon, err := schema.Icon(ctx, e.ID, variant)
		if err != nil {
			return nil, err
		}
		age := "3600"
		if !icon.Baked {
			age = "60"
			a.Logger.LogAttrs(ctx, slog.LevelInfo, "icon_miss_fallback",
				slog.String("version", release.Version().String()), slog.String("element_id", e.ID),
				slog.String("variant", variant), slog.String("request_id", res.id[0]))
		}
		ans := newAnswer(typeSVG, pictureCaching(release, age), icon.SVG).of(a, release, "/elements/"+e.ID+"/"+iconFile(variant), "")
		if !icon.Baked && release.Version().Status() == taxonomy.Beta {
			ans.expires = time.Now().Add(missAge)
		}
		return ans, nil
	})
}

// iconFile is the name of an icon.
func iconFile(variant string) string {
	if variant == taxonomy.VariantDefault {
		return "icon.svg"
	}
	return "icon." + variant + ".svg"
}

// iconVariant reads the variant from the name of an icon: icon.svg,
// icon.<variant>.svg. What is no icon is nothing at all.
func iconVariant(res *response, r *http.Request) (string, error) {
	file := res.file
	if file == "icon.svg" {
		return taxonomy.VariantDefault, nil
	}
	variant, isIcon := strings.CutPrefix(file, "icon.")
	variant, isSVG := strings.CutSuffix(variant, ".svg")
	if !isIcon || !isSVG {
		return "", problem(issue.CodeNotFound, "use icon.svg or icon.<variant>.svg", "There is nothing at %s.", prose.Plain(r.URL.Path))
	}
	if !taxonomy.ValidID(variant) {
		return "", problem(issue.CodeBadRequest, "use letters, digits, _ and -", "The variant %q is malformed.", prose.Plain(variant))
	}
	return variant, nil
}
