package validate

import (
	"fmt"
	"iter"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var subchains = &Rule{
	Name: "subchains",
	Doc:  "Subchain instances are of subchains of the datachain type, have ids of their own, start from what is there, and placements refer to them.",
	Codes: []issue.Code{
		issue.CodeInstanceSubchainUnknown, issue.CodeInstanceSubchainInstanceIDDuplicate,
		issue.CodeInstanceSubchainInstanceUnknown, issue.CodeInstanceSubchainHeadUnknown,
	},
	Run: func(p *Pass) {
		instances := p.Instance.SubchainInstances
		first := make(map[string]int, len(instances))
		for i := range instances {
			if !p.goOnAt(i) {
				return
			}
			checkSubchain(p, i)
			if k, taken := first[instances[i].ID]; taken {
				p.fail(issue.CodeInstanceSubchainInstanceIDDuplicate, subchainPath(i).Key("id"),
					fmt.Sprintf("The id %q is that of subchain_instances[%d] already.", prose.Clip(instances[i].ID), k),
					"write another id, one that no other subchain instance has")
				continue
			}
			first[instances[i].ID] = i
		}
		checkHeads(p, first)
		for placed := range p.Placements() {
			id := placed.SubchainInstanceID
			if _, there := first[id]; id == "" || there {
				continue
			}
			p.alike(issue.Issue{
				Code: issue.CodeInstanceSubchainInstanceUnknown, Path: placed.Path().Key("subchain_instance_id"),
				Message: fmt.Sprintf("There is no subchain instance %q in subchain_instances.", prose.Clip(id)),
				FixHint: "add it to subchain_instances, or remove subchain_instance_id",
			}, id, p.subchainInstanceIDs)
		}
	},
}

func subchainPath(i int) issue.Path { return issue.Root.Key("subchain_instances").Index(i) }

// checkSubchain looks for the subchain of the i-th subchain instance.
func checkSubchain(p *Pass, i int) {
	typ, id := p.Schema.Type(), p.Instance.SubchainInstances[i].SubchainID
	if p.index.find(typ, len(typ.Subchains), func(k int) string { return typ.Subchains[k].ID }, id) >= 0 {
		return
	}
	message := fmt.Sprintf("The datachain type %s has no subchains, so %q can't be one.", name(typ.ID), prose.Clip(id))
	if all := some(subchainIDs(typ)); all != "" {
		message = fmt.Sprintf("The datachain type %s has no subchain %q; it has %s.", name(typ.ID), prose.Clip(id), all)
	}
	p.misspelt(issue.Issue{
		Code: issue.CodeInstanceSubchainUnknown, Path: subchainPath(i).Key("subchain_id"),
		Message: message,
		FixHint: oneOf(subchainIDs(typ), "remove the subchain instance"),
	}, id, subchainIDs(typ))
}

// checkHeads looks for what the subchain instances start from. Ids are those of
// all subchain instances.
func checkHeads(p *Pass, ids map[string]int) {
	var byInstance map[string]int
	n := 0
	for i := range p.Instance.SubchainInstances {
		for k, head := range p.Instance.SubchainInstances[i].HeadRefs {
			// All that is found here are warnings.
			if n++; p.findings.more || !p.goOnAt(n) {
				return
			}
			if byInstance == nil {
				byInstance = p.instancePlaces()
			}
			_, isPlacement := byInstance[head]
			_, isSubchain := ids[head]
			if at := p.elementPlaces()[head]; !isPlacement && !isSubchain && at.count != 1 {
				reportHead(p, subchainPath(i).Key("head_refs").Index(k), head, at.count)
			}
		}
	}
}

// reportHead reports a head that is placed many times, or not at all.
func reportHead(p *Pass, at issue.Path, head string, count int) {
	issue := issue.Issue{
		Code: issue.CodeInstanceSubchainHeadUnknown, Severity: issue.SeverityWarning, Path: at,
		Message: fmt.Sprintf("There is no placement and no subchain instance %q to start from.", prose.Clip(head)),
		FixHint: "write the element_instance_id of a placement, or its element_id if that is placed once",
	}
	if count > 1 {
		issue.Message = fmt.Sprintf("The element %s is placed %d times, so the entry does not say which placement to start from.", name(head), count)
		issue.FixHint = "give each of the placements an element_instance_id, and write that"
		p.Report(issue)
		return
	}
	p.alike(issue, head, p.headRefs)
}

// headRefs yields what a subchain instance can start from.
func (p *Pass) headRefs(yield func(string) bool) {
	more := true
	p.provenanceKeys(func(id string) bool {
		more = yield(id)
		return more
	})
	if more {
		p.subchainInstanceIDs(yield)
	}
}

func subchainIDs(t *taxonomy.Type) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range t.Subchains {
			if !yield(t.Subchains[i].ID) {
				return
			}
		}
	}
}

func (p *Pass) subchainInstanceIDs(yield func(string) bool) {
	for i := range p.Instance.SubchainInstances {
		if !yield(p.Instance.SubchainInstances[i].ID) {
			return
		}
	}
}
