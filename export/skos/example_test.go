package skos_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/export/skos"
	"github.com/datachain-go/datachain/taxonomy"
)

// A version as a vocabulary for programs of libraries and archives.
func ExampleEncode() {
	store, err := taxonomies.Store()
	if err != nil {
		panic(err)
	}
	release, err := store.Release(context.Background(), taxonomy.MustVersion("ai@2026-11-15-stable"))
	if err != nil {
		panic(err)
	}
	turtle, err := skos.Encode(release, skos.Turtle, "https://example.org/datachain")
	if err != nil {
		panic(err)
	}
	_, concept, _ := strings.Cut(string(turtle), "\n<https://example.org/datachain/t/ai@2026-11-15-stable/e/decision.advised>")
	for i, line := range strings.Split(concept, "\n") {
		if i < 2 || strings.Contains(line, "skos:broader") {
			fmt.Println(strings.TrimSpace(line))
		}
		if strings.HasSuffix(line, " .") {
			break // the next concept follows
		}
	}
	// Output:
	// a skos:Concept ;
	// skos:prefLabel "A person decides with AI advice"@en , "Une personne décide, l’IA conseille"@fr , "Una persona decide y la IA aconseja"@es ;
	// skos:broader <https://example.org/datachain/t/ai@2026-11-15-stable/c/decision> ;
}
