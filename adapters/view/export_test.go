package view

import "github.com/datachain-go/datachain/internal/texts"

// Words returns the words of the page and those that all faces share, in all languages.
func Words() (page []words, shared []texts.Face) {
	for i := range dictionary {
		shared = append(shared, *texts.FaceIn(dictionary[i].Lang))
	}
	return dictionary, shared
}
