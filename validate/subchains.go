package validate

import (
	"context"
	"fmt"
	"iter"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var subchains = &Rule{
	Name: "subchains",
	Doc:  "Subchain instances refer to subchains of the datachain type and to placements, have unique ids, and placements refer to them.",
	Codes: []issue.Code{
		codes.InstanceSubchainUnknown, codes.InstanceSubchainInstanceIDDuplicate,
		codes.InstanceSubchainInstanceUnknown, codes.InstanceSubchainHeadUnknown,
	},
	// That an entry of head_refs or a subchain_instance_id is unknown depends on all ids that
	// it could refer to.
	DespiteShape: true,
	Run: func(_ context.Context, p *Pass) error {
		instances := p.Instance.SubchainInstances
		first := make(map[string]int, len(instances))
		for i := range instances {
			if !p.Next() {
				return nil
			}
			checkSubchain(p, i)
			if p.broken != nil && p.Broken(subchainPath(i).Key("id")) {
				continue
			}
			if k, taken := first[instances[i].ID]; taken {
				p.clash(codes.InstanceSubchainInstanceIDDuplicate, subchainPath(i).Key("id"), subchainPath(k).Key("id"),
					fmt.Sprintf("The id %q is already used by subchain_instances[%d].", wording.Clip(instances[i].ID), k),
					"write an id that no other subchain instance has")
				continue
			}
			first[instances[i].ID] = i
		}
		checkHeads(p, first)
		for placed := range p.Placements() {
			id := placed.SubchainInstanceID
			if _, there := first[id]; id == "" || there || p.unknown.has(AllSubchains) {
				continue
			}
			p.reportSimilarID(issue.Issue{
				Code: codes.InstanceSubchainInstanceUnknown, Path: placed.Path().Key("subchain_instance_id"),
				Message: fmt.Sprintf("There is no subchain instance %q in subchain_instances.", wording.Clip(id)),
				FixHint: "add it to subchain_instances, or remove subchain_instance_id",
			}, id, p.subchainInstanceIDs)
		}
		return nil
	},
}

var subchainsPath = issue.Root.Key("subchain_instances")

func subchainPath(i int) issue.Path { return subchainsPath.Index(i) }

// checkSubchain checks the subchain of subchain instance i.
func checkSubchain(p *Pass, i int) {
	typ, id := p.Schema.Type(), p.Instance.SubchainInstances[i].SubchainID
	if p.unknown.has(WholeSchema) || p.broken != nil && p.Broken(subchainPath(i).Key("subchain_id")) {
		return
	}
	if find(&p.index, typ, typ.Subchains, subchainID, id) >= 0 {
		return
	}
	message := fmt.Sprintf("The datachain type %s has no subchains, but subchain_id is %q.", ident.Name(typ.ID), wording.Clip(id))
	if all, n := listing(subchainIDs(typ)); n > 0 {
		message = fmt.Sprintf("The datachain type %s has no subchain %q; it has %s.", ident.Name(typ.ID), wording.Clip(id), all)
	}
	p.reportMisspelled(issue.Issue{
		Code: codes.InstanceSubchainUnknown, Path: subchainPath(i).Key("subchain_id"),
		Message: message,
		FixHint: oneOf(subchainIDs(typ), "remove the subchain instance"),
	}, id, subchainIDs(typ))
}

// checkHeads checks what the subchain instances start from. The keys of ids are the ids of
// the subchain instances.
func checkHeads(p *Pass, ids map[string]int) {
	for i := range p.Instance.SubchainInstances {
		for k, head := range p.Instance.SubchainInstances[i].HeadRefs {
			// These are warnings, so a full list is enough to end.
			if p.findings.truncated || !p.Next() {
				return
			}
			_, isPlacement := p.instancePositions()[head]
			_, isSubchain := ids[head]
			at := p.elementOccurrences()[head]
			if isPlacement || isSubchain || at.count == 1 || p.typos().elements[head] || p.mayBeBroken(at) {
				continue
			}
			if path := subchainPath(i).Key("head_refs").Index(k); !p.Broken(path) {
				reportHead(p, path, head, at.count)
			}
		}
	}
}

// mayBeBroken reports whether a head that is placed so often could name something whose id
// is broken. An element that is placed twice remains ambiguous unless a broken
// element_instance_id or subchain instance could be meant.
func (p *Pass) mayBeBroken(at occurrences) bool {
	return p.unknown.has(AllInstances|AllSubchains) || at.count < 2 && p.unknown.has(AllElements)
}

// reportHead reports a head that is placed more than once, or not at all.
func reportHead(p *Pass, at issue.Path, head string, count int) {
	i := issue.Issue{
		Code: codes.InstanceSubchainHeadUnknown, Severity: issue.SeverityWarning, Path: at,
		Message: fmt.Sprintf("There is no placement or subchain instance %q to start from.", wording.Clip(head)),
		FixHint: "write the element_instance_id of a placement, or its element_id if that is placed once",
	}
	if count > 1 {
		i.Message = fmt.Sprintf("The element %s is placed %d times, so the entry does not say which placement to start from.", ident.Name(head), count)
		i.FixHint = "give each placement an element_instance_id, and write that"
		p.Report(i)
		return
	}
	p.reportSimilarID(i, head, p.headRefs)
}

// headRefs yields the ids of what a subchain instance can start from.
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
	return idsOf(t.Subchains, subchainID)
}

func (p *Pass) subchainInstanceIDs(yield func(string) bool) {
	idsOf(p.Instance.SubchainInstances, func(s *taxonomy.SubchainInstance) string { return s.ID })(yield)
}
