package codes

// sourceRemedies are those of schema lint: files, fields, ids and references.
var sourceRemedies = []remedy{
	{SourceUnreadable, Remedy{
		"Replace links by regular files inside the source tree, and check that the process may read them.",
		"elements/purpose.yaml -> /etc/passwd",
		"elements/purpose.yaml",
	}},
	{SourceTooLarge, Remedy{
		"Simplify the symbol, split a long file into several, or move what many elements repeat into fewer texts. The message names the limit.",
		"symbols/map.svg     3.1 MB",
		"symbols/map.svg     4 KB",
	}},
	{SourceSyntax, Remedy{
		"Write plain YAML or JSON: one document a file, in UTF-8, without tags, merge keys or deep aliases. The position says where reading stopped.",
		"id: !!binary aGk=",
		"id: hi",
	}},
	{SourceDuplicateKey, Remedy{
		"Keep one of the two keys and delete the other.",
		"id: purpose\nname: {en: Purpose}\nid: purposes",
		"id: purpose\nname: {en: Purpose}",
	}},
	{SourceFileMissing, Remedy{
		"Add the file. `datachain schema new` writes a complete version to begin with.",
		"ai/2026-09-01-beta/\n  categories/\n  elements/",
		"ai/2026-09-01-beta/\n  schema.yaml\n  categories/\n  elements/",
	}},
	{SourceFileUnknown, Remedy{
		"Rename the file so that it is read, or delete it.",
		"elements/purpose.txt",
		"elements/purpose.yaml",
	}},
	{VersionMalformed, Remedy{
		"Name the directory <date>-beta or <date>-stable, with a date that exists, inside a directory that is named for the datachain type.",
		"ai/2026-13-01-stable/",
		"ai/2026-12-01-stable/",
	}},
	{TooManyFindings, Remedy{
		"Fix the findings that are listed, then check again. Many findings of one kind often have one cause.",
		"1000 findings, and more that are not listed",
		"",
	}},

	{FieldUnknown, Remedy{
		"Write the key that the hint names, or delete the field.",
		"tilte: {en: Purpose}",
		"title: {en: Purpose}",
	}},
	{FieldMissing, Remedy{
		"Add the field.",
		"id: purpose.safety\ntitle: {en: Safety}",
		"id: purpose.safety\ncategory_id: purpose\ntitle: {en: Safety}",
	}},
	{FieldType, Remedy{
		"Write a value of the type that the message names. In YAML, true, false and numbers have no quotes.",
		`required: "yes"`,
		"required: true",
	}},
	{FieldValue, Remedy{
		"Write one of the values that the message lists.",
		"shape: triangle",
		"shape: hexagon",
	}},
	{FieldEmpty, Remedy{
		"Delete the key, or give it a value. Put a value that begins with # in quotes: without them YAML reads it as a comment.",
		"color: #C62828",
		`color: "#C62828"`,
	}},

	{IDMalformed, Remedy{
		"Use letters, digits, _ and - only, and at most 128 of them. The id of an element may have one period in the middle.",
		"id: my category",
		"id: my_category",
	}},
	{IDDuplicate, Remedy{
		"Rename one of the two, or delete it if it was copied by mistake.",
		"- id: purpose.safety\n- id: purpose.safety",
		"- id: purpose.safety\n- id: purpose.health",
	}},
	{IDCaseConflict, Remedy{
		"Rename one of the two, so that they differ in more than case.",
		"- id: purpose.Safety\n- id: purpose.safety",
		"- id: purpose.road_safety\n- id: purpose.safety",
	}},
	{IDReserved, Remedy{
		"Choose another id: default and dark are the icon variants that every element has, and stores keep other things in the directories documents and log.",
		"values:\n  - id: dark",
		"values:\n  - id: at_night",
	}},
	{DatachainTypeMismatch, Remedy{
		"Give the datachain type the name of its directory, or rename the directory.",
		"# ai/2026-09-01-beta/schema.yaml\ndatachain_type:\n  id: robot",
		"# ai/2026-09-01-beta/schema.yaml\ndatachain_type:\n  id: ai",
	}},
	{AliasMalformed, Remedy{
		"Begin the alias with a letter or a digit, and use only letters, digits, periods, _ and -. It must not look like a date.",
		"aliases: [latest!]",
		"aliases: [spring]",
	}},
	{AliasConflict, Remedy{
		"Remove the alias from one of the releases. latest and latest-beta are assigned automatically.",
		"# in two versions of ai\naliases: [v1]",
		"# in one version of ai\naliases: [v1]",
	}},
	{CategoryUnknown, Remedy{
		"Write the id of a category that is defined, or define it in categories/.",
		"category_id: purpos",
		"category_id: purpose",
	}},
	{CategoryUnlisted, Remedy{
		"Add the category to datachain_type.categories, at the place where readers should meet it.",
		"datachain_type:\n  categories: [purpose, decision]",
		"datachain_type:\n  categories: [purpose, risk, decision]",
	}},
	{CategoryEmpty, Remedy{
		"Add an element to the category, or delete the category.",
		"# categories/risk.yaml, and no element has\ncategory_id: risk",
		"# elements/risk.yaml\n- id: risk.error\n  category_id: risk",
	}},
	{CardinalityUnreachable, Remedy{
		"Lower the minimum, raise max_placements, or add elements.",
		"cardinality: {min: 3}   # two elements of max_placements 1",
		"cardinality: {min: 2}",
	}},
	{ElementUnknown, Remedy{
		"Write the id of an element that has the variable.",
		"applies_to: [purpose.saftey]",
		"applies_to: [purpose.safety]",
	}},
	{OptionNoneApplies, Remedy{
		"Add the element to applies_to of an option, or add an option without applies_to, which applies to every element.",
		"options:\n  - id: blurred\n    applies_to: [data.face]",
		"options:\n  - id: blurred\n    applies_to: [data.face]\n  - id: as_recorded",
	}},
	{OptionsMissing, Remedy{
		"Add options, or make it a variable of type text.",
		"type: select",
		"type: select\noptions:\n  - id: one_year\n    label: {en: One year}",
	}},
	{SymbolMissing, Remedy{
		"Write the id of an existing symbol, which the hint may name, or add the file to symbols/.",
		"symbol_id: sheild",
		"symbol_id: shield",
	}},
	{LeadAmbiguous, Remedy{
		"Keep lead on the one that readers should see first, such as the organisation that uses the system.",
		"values:\n  - id: deployer\n    lead: true\n  - id: vendor\n    lead: true",
		"values:\n  - id: deployer\n    lead: true\n  - id: vendor",
	}},
	{RoleDuplicate, Remedy{
		"Keep the role on the variable that readers should see.",
		"variables:\n  - id: title\n    role: name\n  - id: short_name\n    role: name",
		"variables:\n  - id: title\n    role: name\n  - id: short_name",
	}},
	{RoleUnused, Remedy{
		"Remove the role or the order, or add what it needs: values to the context, or type: text to the variable.",
		"order: rising\nvalues:\n  - id: personal",
		"order: rising\nvalues:\n  - id: anonymous\n  - id: personal",
	}},
	{SchemeUnknown, Remedy{
		"Correct the id of the scheme, or add the scheme to schemes in the schema file.",
		"schemes:\n  - id: gdpr\n\nmappings:\n  - {scheme: gdrp, id: Art. 13, relation: close}",
		"schemes:\n  - id: gdpr\n\nmappings:\n  - {scheme: gdpr, id: Art. 13, relation: close}",
	}},
	{SchemeUnused, Remedy{
		"Map categories or elements to the scheme, or remove it from schemes.",
		"schemes:\n  - id: gdpr",
		"",
	}},
	{SymbolUnused, Remedy{
		"Delete the file, or refer to it with symbol_id.",
		"symbols/draft.svg",
		"",
	}},
	{StableChanged, Remedy{
		"Undo the edit, and make it in a new version: copy the directory and give it a later date and the status beta.",
		"an edit in ai/2026-09-01-stable/",
		"the same edit in ai/2026-12-01-beta/",
	}},
}

// textRemedies are those of schema lint: languages, texts, colours and symbols.
var textRemedies = []remedy{
	{LocaleMalformed, Remedy{
		"Write a BCP 47 language tag, such as en, pt-BR or zh-Hant.",
		"locales: [english!]",
		"locales: [en]",
	}},
	{LocaleNotAllowed, Remedy{
		"Add the language to locales in schema.yaml, or delete the text.",
		"locales: [en, fr]\n\ntitle: {en: Purpose, de: Zweck}",
		"locales: [en, fr, de]\n\ntitle: {en: Purpose, de: Zweck}",
	}},
	{LocaleDuplicate, Remedy{
		"Keep one of the two. Case does not distinguish languages.",
		"locales: [en, EN]",
		"locales: [en]",
	}},
	{LocalizedEmpty, Remedy{
		"Write the text, or delete the language.",
		`title: {en: ""}`,
		"title: {en: Purpose}",
	}},
	{TranslationMissing, Remedy{
		"Add the text in that language. Until then readers see it in the first language of the version.",
		"locales: [en, fr]\n\ntitle: {en: Purpose}",
		"locales: [en, fr]\n\ntitle: {en: Purpose, fr: Finalité}",
	}},
	{PlaceholderUndeclared, Remedy{
		"Write the id of a variable of the element or its category, or declare the variable.",
		"description: {en: \"Kept for {{tme}}.\"}\nvariables:\n  - id: time",
		"description: {en: \"Kept for {{time}}.\"}\nvariables:\n  - id: time",
	}},
	{PlaceholderBraces, Remedy{
		"Double the braces if the value of the variable is meant.",
		`description: {en: "Kept for {time}."}`,
		`description: {en: "Kept for {{time}}."}`,
	}},
	{PlaceholderUntranslated, Remedy{
		"Use the variable in the translation, too; otherwise its readers do not see the value.",
		"en: \"Kept for {{time}}\"\nfr: \"Conservé\"",
		"en: \"Kept for {{time}}\"\nfr: \"Conservé pendant {{time}}\"",
	}},

	{ColorMalformed, Remedy{
		"Write the colour as # and six hexadecimal digits, in quotes.",
		"color: red",
		`color: "#C62828"`,
	}},
	{ContrastLow, Remedy{
		"Choose a darker or lighter colour, or let the symbol use currentColor, which always contrasts.",
		`<path fill="#808080" d="…"/>   on #777777`,
		`<path fill="currentColor" d="…"/>`,
	}},
	{SymbolMalformed, Remedy{
		"Export the symbol again as plain SVG, or close the element that the position points to.",
		`<svg …><path d="M0 0"></svg>`,
		`<svg …><path d="M0 0"/></svg>`,
	}},
	{SymbolRoot, Remedy{
		"Let the file begin with <svg xmlns=\"http://www.w3.org/2000/svg\">.",
		`<svg viewBox="0 0 36 36">`,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">`,
	}},
	{SymbolViewBox, Remedy{
		"Draw the symbol in a square of 36 by 36, and say so in its viewBox.",
		`<svg … viewBox="0 0 24 24">`,
		`<svg … viewBox="0 0 36 36">`,
	}},
	{SymbolUnsafe, Remedy{
		"Remove the content that the message names. Symbols are drawings: shapes, groups, gradients and local references.",
		`<svg … onload="start()">`,
		"<svg …>",
	}},
	{SymbolNotAllowed, Remedy{
		"Convert text and effects to paths, which every drawing program can do, and use plain values.",
		"<text>Hi</text>",
		`<path d="M4 8v20M4 18h8M12 8v20"/>`,
	}},
	{SymbolTooComplex, Remedy{
		"Combine shapes into one path, simplify paths, and set masks, clip paths and opacity once on a group. Cut off what lies outside of the viewBox. A symbol is drawn at 36 by 36: fine details are not visible.",
		`<rect … mask="url(#m)"/><rect … mask="url(#m)"/>…`,
		`<g mask="url(#m)"><path d="…"/></g>`,
	}},
	{SymbolDropped, Remedy{
		"Nothing has to be done. Save as plain SVG to keep the file free of it.",
		`<g inkscape:label="Layer 1">`,
		"<g>",
	}},
	{SymbolBlank, Remedy{
		"Give the paths a fill or a stroke.",
		`<path fill="none" d="M4 8h28"/>`,
		`<path fill="none" stroke="currentColor" d="M4 8h28"/>`,
	}},
}

// changeRemedies are those of changes since the last stable version.
var changeRemedies = []remedy{
	{TranslationStale, Remedy{
		"Read the new text and adapt the translation. If it still says the same, leave it: the warning ends with the next stable version.",
		"title: {en: Public safety, fr: Sécurité}",
		"title: {en: Public safety, fr: Sécurité publique}",
	}},
	{AllowedChangeUnknown, Remedy{
		"Write the id of a breaking rule, as `datachain schema breaking` prints it in brackets.",
		"- {rule: element-remove, subject: data.speed, reason: No document uses it.}",
		"- {rule: element-removed, subject: data.speed, reason: No document uses it.}",
	}},
	{AllowedChangeUnused, Remedy{
		"Remove the exception, or correct its subject: the id of the category or element, or the id, a slash and the field.",
		"- {rule: element-removed, subject: data.sped, reason: No document uses it.}",
		"- {rule: element-removed, subject: data.speed, reason: No document uses it.}",
	}},
}

// evolutionRemedies are those of schema lint: what changed since earlier versions.
var evolutionRemedies = []remedy{
	{SuccessorUnknown, Remedy{
		"Write the id of an element of this version, which the hint may name, or remove the successor.",
		"replaced_by: purpose.saftey",
		"replaced_by: purpose.safety",
	}},
	{SuccessorCycle, Remedy{
		"Name an element that stays: following successors must end there.",
		"id: purpose.old\nstatus: deprecated\nreplaced_by: purpose.old",
		"id: purpose.old\nstatus: deprecated\nreplaced_by: purpose.safety",
	}},
	{SuccessorRemoved, Remedy{
		"Name the successor of the removed element instead.",
		"removed:\n  - {id: purpose.a, replaced_by: purpose.b, since: 2026-06-01-stable}\n  - {id: purpose.b, replaced_by: purpose.c, since: 2026-09-01-stable}",
		"removed:\n  - {id: purpose.a, replaced_by: purpose.c, since: 2026-06-01-stable}\n  - {id: purpose.b, replaced_by: purpose.c, since: 2026-09-01-stable}",
	}},
	{SuccessorDeprecated, Remedy{
		"Name an element that is not deprecated, so that documents need to change only once.",
		"replaced_by: purpose.old",
		"replaced_by: purpose.safety",
	}},
	{SuccessorMissing, Remedy{
		"Name the elements to place instead in replaced_by. If there are none, explain the removal in a note.",
		"removed:\n  - {id: purpose.fun, since: 2026-09-01-stable}",
		"removed:\n  - id: purpose.fun\n    note: {en: Remove the placement. Nobody used the element.}\n    since: 2026-09-01-stable",
	}},
	{ElementNotDeprecated, Remedy{
		"Add status: deprecated, or remove replaced_by.",
		"replaced_by: purpose.safety",
		"status: deprecated\nreplaced_by: purpose.safety",
	}},
	{RemovedExists, Remedy{
		"Delete the file of the element, or remove the entry from the list. To phase out an element that stays for now, give it status: deprecated.",
		"removed:\n  - {id: purpose.safety, since: 2026-09-01-stable}",
		"",
	}},
	{SinceInvalid, Remedy{
		"Write the id of the first version without the element: a version of the same datachain type, and this one at the latest.",
		"since: latest",
		"since: ai@2026-09-01-stable",
	}},
	{RenameConflict, Remedy{
		"Keep the former id at the one thing that documents should follow it to, and only if nothing has that id today.",
		"- {id: one_year, renamed_from: year}\n- {id: two_years, renamed_from: year}",
		"- {id: one_year, renamed_from: year}\n- {id: two_years}",
	}},
	{IDReused, Remedy{
		"Give the new thing an id that no version has had. If the old one came back with its old meaning, record that in evolution.yaml, beside the versions of the type.",
		"id: camera\ntitle: {en: Audit}",
		"revived:\n  - {kind: element, id: camera, since: 2026-09-01-beta, reason: Removed by mistake}",
	}},
	{SynonymsMalformed, Remedy{
		"Give each group at least two different words or short phrases.",
		"synonyms: {en: [[camera]]}",
		"synonyms: {en: [[camera, cctv]]}",
	}},
}
