package search

import (
	"strings"
	"sync"
)

// functionWords are the grammatical words of each language: articles, pronouns,
// auxiliaries, prepositions, conjunctions and question words. Questions are full of them,
// and one that is rare in a release would count more than the subject.
//
// Words that are also nouns, such as the French son (sound), and words that carry the
// meaning of a question (not, without, why, combien) are omitted. The words are spelled
// normally and folded as all words are.
var functionWords = map[string]string{
	"en": `a an the this that these those there here
		i me my mine myself you your yours yourself he him his she her hers it its we us our ours they them their theirs
		someone somebody anyone anybody something anything
		am is are was were be been being have has had having do does did doing done
		will would shall should can could may might must get gets got
		of in on at by for from to into onto with about as than through during between
		and or but if so because while
		who whom whose what which how when where`,
	"fr": `le la les l un une des du de d au aux ce cet cette ces cela ça c ceci
		je j me m moi tu te t toi il elle on nous vous ils elles lui leur leurs eux se s y en
		mon ma mes ton ta tes sa ses notre nos votre vos
		suis es est sommes êtes sont étais était étaient être sera seront soit
		ai as a avons avez ont avait avaient avoir aura fait font faire peut peuvent puis doit doivent
		à dans par pour sur sous avec chez entre vers depuis pendant
		et ou mais donc si que qu
		qui quoi quel quelle quels quelles dont où comment quand lequel laquelle`,
	"es": `el la los las lo un una unos unas al del este esta esto estos estas ese esa eso esos esas aquel aquella
		yo me mí mi mis tú te ti tu tus él ella ello usted ustedes nosotros nos ellos ellas le les se su sus nuestro nuestra
		soy eres es somos son era eran ser sea fue fueron siendo sido está están estoy estar estaba
		he ha han hay haber había hace hacen hacer puede pueden puedo debe deben tiene tienen
		a ante con de desde durante en entre hacia hasta para por sobre
		y e o u pero si ni que porque
		quién quiénes qué cuál cuáles cómo cuándo dónde adónde cuyo`,
	"de": `der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem
		ich mich mir du dich dir er ihn ihm sie ihr ihnen es wir uns man sich
		mein meine meinen meinem meiner dein deine sein seine seinen ihre ihren ihrem ihrer unser unsere euer
		bin bist ist sind seid war waren wird werden wurde wurden worden habe hast hat haben hatte hatten
		kann können könnte darf dürfen muss müssen soll sollen sollte will wollen
		in im an am auf aus bei beim mit nach von vom vor zu zum zur für über unter durch um bis zwischen
		und oder aber wenn dass ob als weil
		wer wen wem wessen was welche welcher welches wie wann wo wohin woher`,
	"it": `il lo la i gli le l un uno una del dello della dei degli delle al allo alla ai agli alle dal dalla dai
		nel nella nei nelle sul sulla sui sulle questo questa questi queste quello quella quelli quelle
		io me mi tu te ti lui lei noi ci voi vi loro si ne
		mio mia miei mie tuo tua suo sua suoi sue nostro nostra vostro vostra
		sono sei è siamo siete era erano essere sia stato stata viene vengono
		ho hai ha abbiamo avete hanno avere può possono posso deve devono
		di a da in con su per tra fra
		e ed o ma se che
		chi cosa quale quali come quando dove`,
	"pt": `o a os as um uma uns umas do da dos das no na nos nas ao à aos às pelo pela pelos pelas
		este esta isto estes estas esse essa isso esses essas aquele aquela aquilo
		eu me mim meu minha meus minhas tu te você vocês ele ela eles elas nós lhe lhes se seu sua seus suas nosso nossa
		sou é somos são era eram ser seja foi foram sendo sido está estão estou estar
		há tem têm tenho ter pode podem posso deve devem faz fazem
		de em com para por sobre até entre desde durante
		e ou mas que porque
		quem qual quais como quando onde cujo`,
	"nl": `de het een deze dit die dat er hier daar
		ik me mij mijn je jij jou jouw u uw hij hem zijn zij ze haar wij we ons onze jullie hun hen zich men
		ben bent is was waren wordt worden werd werden heb hebt heeft hebben had hadden
		kan kunnen kunt mag mogen moet moeten zal zullen wil willen doet doen
		van in op aan bij met voor door naar uit over om te tot tussen tijdens
		en of maar als omdat
		wie wat welke hoe wanneer waar waarmee waarheen`,
}

// functionSets returns functionWords, folded once for all indexes.
var functionSets = sync.OnceValue(func() map[string]map[string]bool {
	sets := make(map[string]map[string]bool, len(functionWords))
	var f folder
	for base, text := range functionWords {
		terms := make(map[string]bool)
		for w := range strings.FieldsSeq(text) {
			terms[string(f.fold(w))] = true
		}
		sets[base] = terms
	}
	return sets
})
