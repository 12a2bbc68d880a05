package issue

import "github.com/datachain-go/datachain/internal/codes"

// evolutionRemedies are those of schema lint: what changed since earlier versions.
var evolutionRemedies = []remedy{
	{codes.SuccessorUnknown, Remedy{
		"Write the id of an element of this version, which the hint may name, or remove the successor.",
		"replaced_by: purpose.saftey",
		"replaced_by: purpose.safety",
	}},
	{codes.SuccessorCycle, Remedy{
		"Name an element that stays: following successors must end there.",
		"id: purpose.old\nstatus: deprecated\nreplaced_by: purpose.old",
		"id: purpose.old\nstatus: deprecated\nreplaced_by: purpose.safety",
	}},
	{codes.SuccessorRemoved, Remedy{
		"Name the successor of the removed element instead.",
		"removed:\n  - {id: purpose.a, replaced_by: purpose.b, since: 2026-06-01-stable}\n  - {id: purpose.b, replaced_by: purpose.c, since: 2026-09-01-stable}",
		"removed:\n  - {id: purpose.a, replaced_by: purpose.c, since: 2026-06-01-stable}\n  - {id: purpose.b, replaced_by: purpose.c, since: 2026-09-01-stable}",
	}},
	{codes.SuccessorDeprecated, Remedy{
		"Name an element that is not deprecated, so that documents need to change only once.",
		"replaced_by: purpose.old",
		"replaced_by: purpose.safety",
	}},
	{codes.SuccessorMissing, Remedy{
		"Name the elements to place instead in replaced_by. If there are none, explain the removal in a note.",
		"removed:\n  - {id: purpose.fun, since: 2026-09-01-stable}",
		"removed:\n  - id: purpose.fun\n    note: {en: Remove the placement. Nobody used the element.}\n    since: 2026-09-01-stable",
	}},
	{codes.ElementNotDeprecated, Remedy{
		"Add status: deprecated, or remove replaced_by.",
		"replaced_by: purpose.safety",
		"status: deprecated\nreplaced_by: purpose.safety",
	}},
	{codes.RemovedExists, Remedy{
		"Delete the file of the element, or remove the entry from the list. To phase out an element that stays for now, give it status: deprecated.",
		"removed:\n  - {id: purpose.safety, since: 2026-09-01-stable}",
		"",
	}},
	{codes.SinceInvalid, Remedy{
		"Write the id of the first version without the element: a version of the same datachain type, and this one at the latest.",
		"since: latest",
		"since: ai@2026-09-01-stable",
	}},
	{codes.RenameConflict, Remedy{
		"Keep the former id at the one thing that documents should follow it to, and only if nothing has that id today.",
		"- {id: one_year, renamed_from: year}\n- {id: two_years, renamed_from: year}",
		"- {id: one_year, renamed_from: year}\n- {id: two_years}",
	}},
	{codes.IDReused, Remedy{
		"Give the new thing an id that no version has had. If the old one came back with its old meaning, record that in evolution.yaml, beside the versions of the type.",
		"id: camera\ntitle: {en: Audit}",
		"revived:\n  - {kind: element, id: camera, since: 2026-09-01-beta, reason: Removed by mistake}",
	}},
	{codes.SynonymsMalformed, Remedy{
		"Give each group at least two different words or short phrases.",
		"synonyms: {en: [[camera]]}",
		"synonyms: {en: [[camera, cctv]]}",
	}},
}
