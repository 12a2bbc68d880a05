package view

import (
	"html/template"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/taxonomy"
)

// locales chooses among the languages of texts.
type locales struct {
	texts.Chooser
	rtl bool // the language of the page is written from right to left
}

// newLocales chooses the language of a page: the best match for the requested one among the
// languages of the datachain, or else the first of those.
func newLocales(p *datachain.Presentation, asked string) locales {
	chooser := texts.NewChooser(p.Locales(), asked)
	return locales{chooser, texts.Direction(chooser.Locale) == "rtl"}
}

// pick returns the text in the language of the page, or else in another.
func (l *locales) pick(t taxonomy.Localized) text {
	value, locale := l.Pick(t)
	if value == "" {
		return text{}
	}
	return l.text(value, locale)
}

// text returns a text with its language, if that is not the language of the page.
func (l *locales) text(value, locale string) text {
	t := plain(value)
	if locale == l.Locale {
		t.rtl = l.rtl
		return t
	}
	t.rtl = texts.Direction(locale) == "rtl"
	if !strings.EqualFold(locale, l.Locale) && texts.Valid(locale) {
		t.lang = locale
	}
	return t
}

// mark marks a text with its language if that differs from the page and from the text that
// it belongs to, unless the whole page is in that language.
func (pg *page) mark(t text, within string) text {
	if t.lang == "" || t.lang == within || t.lang == pg.foreign || texts.Same(t.lang, pg.Lang) {
		return t
	}
	if pg.marks[t.lang] == "" {
		// A bdi does not affect the direction of the element around it.
		name := template.HTMLEscapeString(pg.edition.Language + pg.edition.Colon + " " + texts.Tongue(t.lang))
		code := template.HTMLEscapeString(strings.ToUpper(texts.Language(t.lang)))
		pg.marks[t.lang] = ` <bdi class="tongue" role="img" lang="` + pg.edition.Lang + `" title="` + name + `" aria-label="` + name + `">` + code + `</bdi>`
	}
	t.mark = pg.marks[t.lang]
	return t
}

// findForeign checks whether all texts are in the language of the first one, and that is not
// the language of the page: a taxonomy may declare a language without having texts in it.
func (pg *page) findForeign(first string) {
	if first == "" || texts.Same(first, pg.Lang) {
		return
	}
	for _, s := range pg.Sections {
		if s.name.lang != first {
			return
		}
		for _, c := range s.Cards {
			if pg.locales.pick(c.element.Title).lang != first {
				return
			}
		}
	}
	pg.foreign = first
}

// words are the fixed texts of a page in one language. They are written unescaped, so they
// must not contain HTML.
type words struct {
	Lang                               string // the language
	InShort, Contents, Means           string // headings of the summary, of the contents and of explanations
	Letter, Report                     string // names of links to letters
	LetterText, ReportText             string // the letters: title and id of the document, and the right
	Flow, StartsFrom                   string // of subchains
	Suggested, NotGiven                string // of elements and values
	Why, Confidence, Quotes, WhyValues string // of the provenance of an element
	High, Medium, Low                  string
	Generated, Model                   string // of documents written by an AI system
	Sources, Given, Related            string // Given are the sources of the taxonomy
	Created, Updated, Edition          string
	Language                           string
	Document, Taxonomy, Hash           string // of the footer
	Retired, Verify                    string

	Colon string // between a name and its value
	comma string
}

// dictionary has the words in all languages, English first.
var dictionary = []words{
	{
		Lang: "en", Colon: ":", comma: ", ",
		InShort: "In short", Contents: "Contents", Means: "What does this mean?", Letter: "Write a letter", Report: "Report an error",
		LetterText: "Hello,\n\nI am writing about “%[1]s” (%[2]s).\nMy request: %[3]s.\n\nWhen and where it was:\n\nWhat I would like to know or object to:\n\nMy name and address:\n",
		ReportText: "Hello,\n\nI found an error in “%[1]s” (%[2]s).\n\nWhat is wrong:\n\nWhat would be right:\n",
		Flow:       "Step by step", StartsFrom: "Starts from",
		Suggested: "Suggested, not part of the taxonomy", NotGiven: "not given",
		Why: "Why this is here", Confidence: "Confidence", Quotes: "Based on", WhyValues: "Why these values",
		High: "high", Medium: "medium", Low: "low",
		Generated: "An AI system wrote this description.", Model: "Model",
		Sources: "Sources", Given: "Sources named by the taxonomy", Related: "Related datachains",
		Created: "Created", Updated: "Updated", Edition: "Edition", Language: "Language",
		Document: "Document", Taxonomy: "Taxonomy", Hash: "Content hash",
		Retired: "This version of the taxonomy is no longer published; the document contains a copy of the parts that it uses.",
		Verify:  "Anyone can check the document behind this page against the published taxonomy:",
	},
	{
		Lang: "fr", Colon: "\u00A0:", comma: ", ",
		InShort: "En bref", Contents: "Sommaire", Means: "Qu’est-ce que cela signifie\u00A0?", Letter: "Écrire une lettre", Report: "Signaler une erreur",
		LetterText: "Bonjour,\n\nJe vous écris au sujet de «\u00A0%[1]s\u00A0» (%[2]s).\nMa demande\u00A0: %[3]s.\n\nQuand et où\u00A0:\n\nCe que je veux savoir ou contester\u00A0:\n\nMon nom et mon adresse\u00A0:\n",
		ReportText: "Bonjour,\n\nJ’ai trouvé une erreur dans «\u00A0%[1]s\u00A0» (%[2]s).\n\nCe qui est faux\u00A0:\n\nCe qui serait juste\u00A0:\n",
		Flow:       "Étape par étape", StartsFrom: "Part de",
		Suggested: "Proposé, ne fait pas partie de la taxonomie", NotGiven: "non précisé",
		Why: "Pourquoi cet élément", Confidence: "Confiance", Quotes: "Sur quoi cela repose", WhyValues: "Pourquoi ces valeurs",
		High: "élevée", Medium: "moyenne", Low: "faible",
		Generated: "Cette description a été rédigée par un système d’IA.", Model: "Modèle",
		Sources: "Sources", Given: "Sources citées par la taxonomie", Related: "Datachains liées",
		Created: "Créé le", Updated: "Mis à jour le", Edition: "Édition", Language: "Langue",
		Document: "Document", Taxonomy: "Taxonomie", Hash: "Empreinte du contenu",
		Retired: "Cette version de la taxonomie n’est plus publiée\u00A0; le document contient sa propre copie de ce qu’il utilise.",
		Verify:  "Chacun peut vérifier le document à l’origine de cette page par rapport à la taxonomie publiée\u00A0:",
	},
	{
		Lang: "es", Colon: ":", comma: ", ",
		InShort: "En resumen", Contents: "Contenido", Means: "¿Qué significa esto?", Letter: "Escribir una carta", Report: "Informar de un error",
		LetterText: "Hola:\n\nLes escribo sobre «%[1]s» (%[2]s).\nMi solicitud: %[3]s.\n\nCuándo y dónde fue:\n\nLo que quiero saber o a lo que me opongo:\n\nMi nombre y mi dirección:\n",
		ReportText: "Hola:\n\nHe encontrado un error en «%[1]s» (%[2]s).\n\nQué está mal:\n\nQué sería correcto:\n",
		Flow:       "Paso a paso", StartsFrom: "Parte de",
		Suggested: "Propuesto, no forma parte de la taxonomía", NotGiven: "sin indicar",
		Why: "Por qué está aquí", Confidence: "Confianza", Quotes: "En qué se basa", WhyValues: "Por qué estos valores",
		High: "alta", Medium: "media", Low: "baja",
		Generated: "Un sistema de IA redactó esta descripción.", Model: "Modelo",
		Sources: "Fuentes", Given: "Fuentes citadas por la taxonomía", Related: "Datachains relacionadas",
		Created: "Creado el", Updated: "Actualizado el", Edition: "Edición", Language: "Idioma",
		Document: "Documento", Taxonomy: "Taxonomía", Hash: "Huella del contenido",
		Retired: "Esta versión de la taxonomía ya no está publicada; el documento lleva su propia copia de lo que usa.",
		Verify:  "Cualquiera puede comprobar el documento de esta página con la taxonomía publicada:",
	},
	{
		Lang: "de", Colon: ":", comma: ", ",
		InShort: "Kurz gesagt", Contents: "Inhalt", Means: "Was bedeutet das?", Letter: "Brief schreiben", Report: "Fehler melden",
		LetterText: "Guten Tag,\n\nich schreibe Ihnen wegen „%[1]s“ (%[2]s).\nMein Anliegen: %[3]s.\n\nWann und wo es war:\n\nWas ich wissen möchte oder wogegen ich bin:\n\nMein Name und meine Anschrift:\n",
		ReportText: "Guten Tag,\n\nin „%[1]s“ (%[2]s) habe ich einen Fehler gefunden.\n\nWas falsch ist:\n\nWas richtig wäre:\n",
		Flow:       "Schritt für Schritt", StartsFrom: "Beginnt mit",
		Suggested: "Vorgeschlagen, nicht Teil der Taxonomie", NotGiven: "keine Angabe",
		Why: "Warum das hier steht", Confidence: "Sicherheit", Quotes: "Worauf es sich stützt", WhyValues: "Warum diese Angaben",
		High: "hoch", Medium: "mittel", Low: "gering",
		Generated: "Ein KI-System hat diese Beschreibung geschrieben.", Model: "Modell",
		Sources: "Quellen", Given: "Quellen laut Taxonomie", Related: "Verwandte Datachains",
		Created: "Erstellt am", Updated: "Aktualisiert am", Edition: "Ausgabe", Language: "Sprache",
		Document: "Dokument", Taxonomy: "Taxonomie", Hash: "Prüfsumme des Inhalts",
		Retired: "Diese Version der Taxonomie ist nicht mehr veröffentlicht; das Dokument enthält selbst, was es davon verwendet.",
		Verify:  "Jeder kann das Dokument hinter dieser Seite mit der veröffentlichten Taxonomie vergleichen:",
	},
	{
		Lang: "it", Colon: ":", comma: ", ",
		InShort: "In breve", Contents: "Indice", Means: "Che cosa significa?", Letter: "Scrivere una lettera", Report: "Segnalare un errore",
		LetterText: "Buongiorno,\n\nvi scrivo a proposito di «%[1]s» (%[2]s).\nLa mia richiesta: %[3]s.\n\nQuando e dove:\n\nChe cosa voglio sapere o a che cosa mi oppongo:\n\nIl mio nome e indirizzo:\n",
		ReportText: "Buongiorno,\n\nho trovato un errore in «%[1]s» (%[2]s).\n\nChe cosa è sbagliato:\n\nChe cosa sarebbe giusto:\n",
		Flow:       "Passo dopo passo", StartsFrom: "Parte da",
		Suggested: "Proposto, non fa parte della tassonomia", NotGiven: "non indicato",
		Why: "Perché è qui", Confidence: "Affidabilità", Quotes: "Su cosa si basa", WhyValues: "Perché questi valori",
		High: "alta", Medium: "media", Low: "bassa",
		Generated: "Questa descrizione è stata scritta da un sistema di IA.", Model: "Modello",
		Sources: "Fonti", Given: "Fonti citate dalla tassonomia", Related: "Datachain collegate",
		Created: "Creato il", Updated: "Aggiornato il", Edition: "Edizione", Language: "Lingua",
		Document: "Documento", Taxonomy: "Tassonomia", Hash: "Impronta del contenuto",
		Retired: "Questa versione della tassonomia non è più pubblicata; il documento contiene la propria copia di ciò che usa.",
		Verify:  "Chiunque può verificare il documento di questa pagina con la tassonomia pubblicata:",
	},
	{
		Lang: "pt", Colon: ":", comma: ", ",
		InShort: "Em resumo", Contents: "Conteúdo", Means: "O que significa isto?", Letter: "Escrever uma carta", Report: "Comunicar um erro",
		LetterText: "Bom dia,\n\nEscrevo sobre «%[1]s» (%[2]s).\nO meu pedido: %[3]s.\n\nQuando e onde foi:\n\nO que quero saber ou a que me oponho:\n\nO meu nome e morada:\n",
		ReportText: "Bom dia,\n\nEncontrei um erro em «%[1]s» (%[2]s).\n\nO que está errado:\n\nO que seria correto:\n",
		Flow:       "Passo a passo", StartsFrom: "Parte de",
		Suggested: "Sugerido, não faz parte da taxonomia", NotGiven: "não indicado",
		Why: "Por que está aqui", Confidence: "Confiança", Quotes: "Em que se baseia", WhyValues: "Por que estes valores",
		High: "alta", Medium: "média", Low: "baixa",
		Generated: "Um sistema de IA escreveu esta descrição.", Model: "Modelo",
		Sources: "Fontes", Given: "Fontes citadas pela taxonomia", Related: "Datachains relacionadas",
		Created: "Criado em", Updated: "Atualizado em", Edition: "Edição", Language: "Idioma",
		Document: "Documento", Taxonomy: "Taxonomia", Hash: "Resumo do conteúdo",
		Retired: "Esta versão da taxonomia já não está publicada; o documento traz a sua própria cópia do que usa.",
		Verify:  "Qualquer pessoa pode verificar o documento desta página com a taxonomia publicada:",
	},
	{
		Lang: "nl", Colon: ":", comma: ", ",
		InShort: "In het kort", Contents: "Inhoud", Means: "Wat betekent dit?", Letter: "Een brief schrijven", Report: "Een fout melden",
		LetterText: "Goedendag,\n\nIk schrijf u over “%[1]s” (%[2]s).\nMijn verzoek: %[3]s.\n\nWanneer en waar het was:\n\nWat ik wil weten of waartegen ik bezwaar heb:\n\nMijn naam en adres:\n",
		ReportText: "Goedendag,\n\nIk heb een fout gevonden in “%[1]s” (%[2]s).\n\nWat niet klopt:\n\nWat juist zou zijn:\n",
		Flow:       "Stap voor stap", StartsFrom: "Begint bij",
		Suggested: "Voorgesteld, geen deel van de taxonomie", NotGiven: "niet opgegeven",
		Why: "Waarom dit hier staat", Confidence: "Zekerheid", Quotes: "Waarop het berust", WhyValues: "Waarom deze waarden",
		High: "hoog", Medium: "gemiddeld", Low: "laag",
		Generated: "Een AI-systeem heeft deze beschrijving geschreven.", Model: "Model",
		Sources: "Bronnen", Given: "Bronnen volgens de taxonomie", Related: "Verwante datachains",
		Created: "Gemaakt op", Updated: "Bijgewerkt op", Edition: "Uitgave", Language: "Taal",
		Document: "Document", Taxonomy: "Taxonomie", Hash: "Controlegetal van de inhoud",
		Retired: "Deze versie van de taxonomie is niet meer gepubliceerd; het document bevat zelf wat het ervan gebruikt.",
		Verify:  "Iedereen kan het document achter deze pagina vergelijken met de gepubliceerde taxonomie:",
	},
	{
		Lang: "ar", Colon: ":", comma: "، ",
		InShort: "باختصار", Contents: "المحتويات", Means: "ماذا يعني هذا؟", Letter: "اكتب رسالة", Report: "الإبلاغ عن خطأ",
		LetterText: "مرحبًا،\n\nأكتب إليكم بشأن «%[1]s» (%[2]s).\nطلبي: %[3]s.\n\nمتى وأين:\n\nما أريد معرفته أو أعترض عليه:\n\nاسمي وعنواني:\n",
		ReportText: "مرحبًا،\n\nوجدت خطأ في «%[1]s» (%[2]s).\n\nما هو الخطأ:\n\nما هو الصحيح:\n",
		Flow:       "خطوة بخطوة", StartsFrom: "يبدأ من",
		Suggested: "مقترح وليس جزءًا من التصنيف", NotGiven: "غير مذكور",
		Why: "سبب وجود هذا العنصر", Confidence: "درجة الثقة", Quotes: "ما يستند إليه", WhyValues: "سبب هذه القيم",
		High: "عالية", Medium: "متوسطة", Low: "منخفضة",
		Generated: "كُتب هذا الوصف بواسطة نظام ذكاء اصطناعي.", Model: "النموذج",
		Sources: "المصادر", Given: "مصادر يذكرها التصنيف", Related: "سلاسل بيانات ذات صلة",
		Created: "أُنشئ في", Updated: "حُدّث في", Edition: "الإصدار", Language: "اللغة",
		Document: "الوثيقة", Taxonomy: "التصنيف", Hash: "بصمة المحتوى",
		Retired: "لم تعد هذه النسخة من التصنيف منشورة، وتحمل الوثيقة نسختها الخاصة مما تستخدمه.",
		Verify:  "يمكن لأي شخص التحقق من الوثيقة التي وراء هذه الصفحة بمقارنتها بالتصنيف المنشور:",
	},
}
