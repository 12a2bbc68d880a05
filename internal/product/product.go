// Package product opens services for the programs of this repository: with what the product adds to
// the service.
package product

import (
	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/register/rule"
	"github.com/datachain-go/datachain/taxonomy"
)

// New is [datachain.New] for programs: it adds what the product knows to the options, rules and what
// became of ids.
func New(store taxonomy.Store, o *datachain.Options) (*datachain.Service, error) {
	var own datachain.Options
	if o != nil {
		own = *o
	}
	own.Rules = append(rule.All(), own.Rules...)
	own.Lineage = history.For
	return datachain.New(store, &own)
}
