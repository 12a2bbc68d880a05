package icons_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

func ExampleSanitize() {
	symbol, issues := icons.Sanitize([]byte(`<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" width="36" height="36">
  <title>Ring</title>
  <circle id="ring" style="fill:none; stroke:currentColor" cx="18" cy="18" r="12.0"/>
</svg>`))
	for _, issue := range issues {
		fmt.Println(issue.Position, issue.Code)
	}
	fmt.Printf("%s\n", symbol.SVG())
	fmt.Println(symbol.Paints())
	// Output:
	// 3:3 symbol_dropped
	// <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" fill="none" r="12" stroke="currentColor"/></svg>
	// [currentColor]
}

func ExampleSanitize_refused() {
	_, issues := icons.Sanitize([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">
  <path d="M2 2h32" onclick="alert(1)"/>
</svg>`))
	for _, issue := range issues {
		fmt.Println(issue)
	}
	// Output:
	// 2:21: error symbol_unsafe: The attribute onclick="alert(1)" of <path> could run or load something. (remove the attribute; a symbol cannot have scripts)
}

func ExampleSet() {
	store, err := published.Store()
	if err != nil {
		panic(err)
	}
	ref, err := taxonomy.ParseRef("ai@2026-09-01-stable")
	if err != nil {
		panic(err)
	}
	release, err := taxonomy.Open(context.Background(), store, ref)
	if err != nil {
		panic(err)
	}
	set, err := icons.NewSet(release, nil)
	if err != nil {
		panic(err)
	}
	icon, err := set.Icon("purpose.triage", "dark")
	if err != nil {
		panic(err)
	}
	fmt.Println(string(icon))

	_, err = set.Icon("purpose.triage", "pink")
	fmt.Println(err)
	// Output:
	// <svg xmlns="http://www.w3.org/2000/svg" width="36" height="36" viewBox="0 0 36 36"><polygon points="18,0.8 32.9,9.4 32.9,26.6 18,35.2 3.1,26.6 3.1,9.4" fill="#000000" stroke="#FFFFFF" stroke-width="1.5" stroke-dasharray="none" stroke-linejoin="round"/><g color="#FFFFFF" fill-rule="nonzero" stroke-dasharray="none" stroke-miterlimit="4" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"><path d="M15 10h6v5h5v6h-5v5h-6v-5h-5v-6h5z"/></g></svg>
	// icons: release ai@2026-09-01-stable: icon of purpose.triage in variant "pink": not found (valid variants: default, dark, trial, in_use, ending)
}

func ExampleShape() {
	circle, ok := icons.Shape(taxonomy.Circle)
	fmt.Printf("%s %v\n", circle, ok)
	// Output:
	// <svg xmlns="http://www.w3.org/2000/svg" width="36" height="36" viewBox="0 0 36 36"><circle cx="18" cy="18" r="17.25" fill="#FFFFFF" stroke="#000000" stroke-width="1.5" stroke-dasharray="none"/></svg> true
}

func ExampleAppend() {
	symbol, _ := icons.Sanitize([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path fill="currentColor" d="M12 12h12v12H12z"/></svg>`))
	gold, _ := icons.ParseColor("#FFD700")
	icon, err := icons.Append(nil, taxonomy.Circle, symbol, icons.FilledColors(gold), &icons.Options{Title: "Kept for a year"})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(icon))
	// Output:
	// <svg xmlns="http://www.w3.org/2000/svg" width="36" height="36" viewBox="0 0 36 36" role="img"><title>Kept for a year</title><circle cx="18" cy="18" r="17.25" fill="#FFD700" stroke="#000000" stroke-width="1.5" stroke-dasharray="none"/><g color="#000000" fill="#000000" fill-rule="nonzero" stroke="none"><path d="M12 12h12v12H12z" fill="currentColor"/></g></svg>
}

func ExampleColor_Contrast() {
	ink, _ := icons.ParseColor("#000000")
	ground, _ := icons.ParseColor("#ffd700")
	fmt.Printf("%s on %s: %.1f to 1\n", ink, ground, ink.Contrast(ground))
	// Output:
	// #000000 on #FFD700: 15.0 to 1
}

func BenchmarkSanitize(b *testing.B) {
	for _, name := range []string{"figma", "inkscape"} {
		src, err := os.ReadFile("testdata/symbols/" + name + ".svg")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if symbol, issues := icons.Sanitize(src); symbol == nil {
					b.Fatal(issues)
				}
			}
		})
	}
}
