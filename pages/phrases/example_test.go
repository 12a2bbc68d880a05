package phrases_test

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
)

// The summary of a document in the language of a reader.
func Example() {
	store, err := published.Store()
	if err != nil {
		panic(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err)
	}
	document, _ := documents.Find("library-chat.json")
	_, shown, err := service.Present(context.Background(), document.Text)
	if err != nil {
		panic(err)
	}
	chooser := phrases.NewChooser(shown.Locales(), "fr-CA")
	points := summary.Of(shown.Datachain, shown.Release, nil).Points
	for i := range points {
		point := phrases.NewPoint(&points[i], &chooser)
		fmt.Printf("%s : %s\n", point.Name, point.Line(60))
	}
	// Output:
	// À quoi cela sert : Répondre à vos questions
	// Données les plus sensibles : Ce que vous dites au service
	// Qui décide : L’IA ne fait qu’informer
	// Risque le plus élevé : Réponses inventées
	// Qui en répond : Bibliothèque municipale
	// Ce que vous pouvez faire : Parler à une personne; Demander une explication
}
