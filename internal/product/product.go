// Package product opens services for the programs of this repository: with what the product adds to
// the service.
package product

import (
	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
)

// New is [datachain.New] for programs: it adds what the product knows to the options, such as rules.
func New(store taxonomy.Store, o *datachain.Options) (*datachain.Service, error) {
	return datachain.New(store, o)
}
