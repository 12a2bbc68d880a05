package issue

import "github.com/datachain-go/datachain/internal/codes"

// changeRemedies are those of changes since the last stable version.
var changeRemedies = []remedy{
	{codes.TranslationStale, Remedy{
		"Read the new text and adapt the translation. If it still says the same, leave it: the warning ends with the next stable version.",
		"title: {en: Public safety, fr: Sécurité}",
		"title: {en: Public safety, fr: Sécurité publique}",
	}},
	{codes.AllowedChangeUnknown, Remedy{
		"Write the id of a breaking rule, as `datachain schema breaking` prints it in brackets.",
		"- {rule: element-remove, subject: data.speed, reason: No document uses it.}",
		"- {rule: element-removed, subject: data.speed, reason: No document uses it.}",
	}},
	{codes.AllowedChangeUnused, Remedy{
		"Remove the exception, or correct its subject: the id of the category or element, or the id, a slash and the field.",
		"- {rule: element-removed, subject: data.sped, reason: No document uses it.}",
		"- {rule: element-removed, subject: data.speed, reason: No document uses it.}",
	}},
}
