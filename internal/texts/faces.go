package texts

import "github.com/datachain-go/datachain/taxonomy"

// Face are the words that all faces of a document share, in one language: the page, the
// row of a list, the sign, the board and the plain text show the same summary.
type Face struct {
	Lang string
	// Headings are the names of the points of a summary, by role.
	Headings map[taxonomy.Role]string
	// Nothing says that a document has nothing about a point, by role; the one of the
	// empty role is for points of taxonomies without roles.
	Nothing     map[taxonomy.Role]string
	AtMost      string // before the highest context value, as a sentence with a %s
	NoSafeguard string
	NoContact   string
	ScanToAsk   string // beside the code of a sign, if a right has a contact
	ScanToLearn string
	AsOf        string // before the date of an edition
	Icons       string // before the attribution of icons
}

// FaceIn returns the words in a language, or in English.
func FaceIn(locale string) *Face {
	for i := range faces {
		if Same(faces[i].Lang, locale) {
			return &faces[i]
		}
	}
	return &faces[0]
}

// roleWords are words for each point of a summary, in the order in which faces show them.
func roleWords(purpose, data, decision, risk, accountable, rights, other string) map[taxonomy.Role]string {
	return map[taxonomy.Role]string{
		taxonomy.RolePurpose: purpose, taxonomy.RoleData: data, taxonomy.RoleDecision: decision,
		taxonomy.RoleRisk: risk, taxonomy.RoleAccountable: accountable, taxonomy.RoleRights: rights, "": other,
	}
}

// faces has the words in all languages, English first.
var faces = []Face{
	{
		Lang:     "en",
		Headings: roleWords("What it is for", "Data", "Who decides", "Risk", "Who answers for it", "What you can do", ""),
		Nothing: roleWords("Nothing is said about what it is for.", "Nothing is said about data.", "Nothing is said about who decides.",
			"Nothing is said about risks.", "Nothing is said about who answers for it.", "Nothing is said about what you can do.", "Nothing is said about this."),
		AtMost: "At most: %s", NoSafeguard: "No safeguard is given.", NoContact: "No contact is given.",
		ScanToAsk: "Scan to ask or object", ScanToLearn: "Scan to learn more", AsOf: "As of", Icons: "Icons:",
	},
	{
		Lang:     "fr",
		Headings: roleWords("À quoi cela sert", "Données", "Qui décide", "Risque", "Qui en répond", "Ce que vous pouvez faire", ""),
		Nothing: roleWords("Rien n’est dit sur la finalité.", "Rien n’est dit sur les données.", "Rien n’est dit sur qui décide.",
			"Rien n’est dit sur les risques.", "Rien n’est dit sur qui en répond.", "Rien n’est dit sur ce que vous pouvez faire.", "Rien n’est dit à ce sujet."),
		AtMost: "Au plus\u00A0: %s", NoSafeguard: "Aucune mesure de protection n’est indiquée.", NoContact: "Aucun contact n’est indiqué.",
		ScanToAsk: "Scannez pour demander ou vous opposer", ScanToLearn: "Scannez pour en savoir plus", AsOf: "État au", Icons: "Icônes\u00A0:",
	},
	{
		Lang:     "es",
		Headings: roleWords("Para qué sirve", "Datos", "Quién decide", "Riesgo", "Quién responde", "Qué puede hacer usted", ""),
		Nothing: roleWords("No se dice para qué sirve.", "No se dice nada sobre los datos.", "No se dice quién decide.",
			"No se dice nada sobre los riesgos.", "No se dice quién responde.", "No se dice qué puede hacer usted.", "No se dice nada sobre esto."),
		AtMost: "Como máximo: %s", NoSafeguard: "No se indica ninguna medida de protección.", NoContact: "No se indica ningún contacto.",
		ScanToAsk: "Escanee para preguntar u oponerse", ScanToLearn: "Escanee para saber más", AsOf: "A fecha de", Icons: "Iconos:",
	},
	{
		Lang:     "de",
		Headings: roleWords("Wozu es dient", "Daten", "Wer entscheidet", "Risiko", "Wer dafür einsteht", "Was Sie tun können", ""),
		Nothing: roleWords("Zum Zweck ist nichts angegeben.", "Zu den Daten ist nichts angegeben.", "Wer entscheidet, ist nicht angegeben.",
			"Zu Risiken ist nichts angegeben.", "Wer dafür einsteht, ist nicht angegeben.", "Was Sie tun können, ist nicht angegeben.", "Dazu ist nichts angegeben."),
		AtMost: "Höchstens: %s", NoSafeguard: "Eine Schutzmaßnahme ist nicht angegeben.", NoContact: "Ein Kontakt ist nicht angegeben.",
		ScanToAsk: "Scannen, um zu fragen oder zu widersprechen", ScanToLearn: "Scannen, um mehr zu erfahren", AsOf: "Stand:", Icons: "Symbole:",
	},
	{
		Lang:     "it",
		Headings: roleWords("A che cosa serve", "Dati", "Chi decide", "Rischio", "Chi ne risponde", "Che cosa può fare", ""),
		Nothing: roleWords("Non si dice a che cosa serve.", "Non si dice nulla sui dati.", "Non si dice chi decide.",
			"Non si dice nulla sui rischi.", "Non si dice chi ne risponde.", "Non si dice che cosa può fare.", "Non si dice nulla al riguardo."),
		AtMost: "Al massimo: %s", NoSafeguard: "Non è indicata alcuna misura di protezione.", NoContact: "Non è indicato alcun contatto.",
		ScanToAsk: "Scansioni per chiedere od opporsi", ScanToLearn: "Scansioni per saperne di più", AsOf: "Aggiornato al", Icons: "Icone:",
	},
	{
		Lang:     "pt",
		Headings: roleWords("Para que serve", "Dados", "Quem decide", "Risco", "Quem responde", "O que pode fazer", ""),
		Nothing: roleWords("Não se diz para que serve.", "Nada se diz sobre os dados.", "Não se diz quem decide.",
			"Nada se diz sobre os riscos.", "Não se diz quem responde.", "Não se diz o que pode fazer.", "Nada se diz sobre isto."),
		AtMost: "No máximo: %s", NoSafeguard: "Não é indicada nenhuma medida de proteção.", NoContact: "Não é indicado nenhum contacto.",
		ScanToAsk: "Leia o código para perguntar ou opor-se", ScanToLearn: "Leia o código para saber mais", AsOf: "À data de", Icons: "Ícones:",
	},
	{
		Lang:     "nl",
		Headings: roleWords("Waar het voor is", "Gegevens", "Wie beslist", "Risico", "Wie verantwoordelijk is", "Wat u kunt doen", ""),
		Nothing: roleWords("Waar het voor is, staat er niet bij.", "Over gegevens staat er niets bij.", "Wie beslist, staat er niet bij.",
			"Over risico’s staat er niets bij.", "Wie verantwoordelijk is, staat er niet bij.", "Wat u kunt doen, staat er niet bij.", "Hierover staat er niets bij."),
		AtMost: "Hooguit: %s", NoSafeguard: "Er is geen beschermende maatregel vermeld.", NoContact: "Er is geen contact vermeld.",
		ScanToAsk: "Scan om te vragen of bezwaar te maken", ScanToLearn: "Scan voor meer informatie", AsOf: "Stand van", Icons: "Pictogrammen:",
	},
	{
		Lang:     "ar",
		Headings: roleWords("الغرض منه", "البيانات", "من يقرر", "الخطر", "من المسؤول عنه", "ما يمكنك فعله", ""),
		Nothing: roleWords("لم يُذكر شيء عن الغرض.", "لم يُذكر شيء عن البيانات.", "لم يُذكر من يقرر.",
			"لم يُذكر شيء عن المخاطر.", "لم يُذكر من المسؤول.", "لم يُذكر ما يمكنك فعله.", "لم يُذكر شيء عن هذا."),
		AtMost: "على الأكثر: %s", NoSafeguard: "لم تُذكر أي وسيلة حماية.", NoContact: "لم تُذكر وسيلة للتواصل.",
		ScanToAsk: "امسح الرمز للسؤال أو الاعتراض", ScanToLearn: "امسح الرمز لمعرفة المزيد", AsOf: "حتى تاريخ", Icons: "الأيقونات:",
	},
}
