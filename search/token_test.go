package search_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/datachain-go/datachain/search"
)

// TestTokens shows the terms of texts in many scripts.
func TestTokens(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"nothing but punctuation", " \t\n…!?—«»()[]'’ ", ""},
		{"en", "The Camera's image, kept by City-Hall.", "the camera image kept by cityhall city hall"},
		{"en, contractions", "Don’t rock'n'roll in O'Neill’s '90s", "don rock roll in neill 90s"},
		{"fr", "L'image d’un œuvre où l’élève paraît naïf", "image un oeuvre ou eleve parait naif"},
		{"fr, decomposed", "e\u0301le\u0300ve FRANC\u0327AIS", "eleve francais"},
		{"es", "¿Qué cámara, señor? Cigüeña", "que camara senor ciguena"},
		{"de", "Straße Übergrößenträger STRASSE ẞ", "strasse ubergrossentrager strasse ss"},
		{"nordic", "Ærø smørrebrød łódź Þór", "aero smorrebrod lodz þor"},
		{"tr", "İstanbul ISPARTA ılık şeker", "istanbul isparta ilik seker"},
		{"el", "ΣΟΦΌΣ Άνθρωπος σοφός ᾳ", "σοφοσ ανθρωποσ σοφοσ αι"},
		{"ru", "Ёлка ДАННЫЕ й", "елка данные и"},
		{"uk", "Її їжак", "іі іжак"},
		{"ja", "個人情報を守る", "個人 人情 情報 報を を守 守る"},
		{"ja, one letter", "目", "目"},
		{"ja, Katakana", "データセンター", "デー ータ タセ セン ンタ ター"},
		{"ja, half width", "ｶﾞｲﾄﾞﾊﾟｽ", "ガイ イド ドパ パス"},
		{"ja, full width", "ガイドパス", "ガイ イド ドパ パス"},
		{"ja, decomposed", "か\u3099いと\u3099", "がい いど"},
		{"ja, mixed", "東京2020年のGPS・カメラ", "東京 2020 年の gps カメ メラ"},
		{"zh", "视频监控，隐私", "视频 频监 监控 隐私"},
		{"zh, beyond the basic plane", "𠮷野家", "𠮷野 野家"},
		{"zh, with a variation selector", "葛\U000E0100城", "葛城"},
		{"th", "กล้องวงจรปิด", "กล้ ล้อ อง งว วง งจ จร รปิ ปิด"},
		{"km", "កាមេរ៉ា", "កាមេ មេរ៉ា"},
		{"lo", "ກ້ອງ", "ກ້ອ ອງ"},
		{"my", "ကင်မရာ", "ကင် င်မ မရာ"},
		{"hi", "कैमरा हिन्दी में", "कैमरा हिन्दी में"},
		{"ar", "الكاميرا، كَامِيرَا", "الكاميرا كاميرا"},
		{"fa", "می\u200cخواهم", "میخواهم"},
		{"he", "מַצְלֵמָה מצלמה", "מצלמה מצלמה"},
		{"ko", "감시 카메라를", "감시 카메라를"},
		{"ko, decomposed", "\u1100\u1161\u11b7\u1109\u1175", "감시"},
		{"chr", "Ꭰ ᏸ ꭰ Ᏸ", "Ꭰ Ᏸ Ꭰ Ᏸ"},
		{"full width", "ＧＰＳ　１２３", "gps 123"},
		{"ligatures", "ﬁnal eﬀort ŉ Ǆ", "final effort ʼn dz"},
		{"mathematical", "𝒟𝒶𝓉𝒶 ℕ", "data n"},
		{"numbers", "1,000 3.14 10% №5 x² ½", "1,000 3.14 10 5 x 2 1⁄2"},
		{"addresses", "a.b@example.org https://www.example.org/x?y=1", "a.b example.org https www.example.org x y 1"},
		{"joined", "snake_case AI-based and/or C++", "snake_case aibased ai based and or c"},
		{"hyphens", "Wi-Fi e\u2010mail vis\u2011à-vis 24-7", "wifi wi fi email e mail visavis vis a vis 247 24 7"},
		{"hyphens and apostrophes", "l’e-mail of the City-Hall's aujourd’hui-même", "email mail of the cityhall city hall huimeme aujourd hui meme"},
		{"hyphens that join nothing", "-a b- c -- d e--f g - h -1 i-. j–k l-個人", "a b c d e f g h 1 i j k l 個人"},
		{"hyphens and variables", "a-{{b}}-c{{d}}-e-f", "a c ef e f"},
		{"ar, with hamza and madda", "أَحْمَد آلة إلى", "احمد الة الى"},
		{"emoji", "👩‍🔬 🇫🇷 x👍🏽y ❤️ 1️⃣", "x y 1\u20e3"},
		{"marks without a base", "\u0301abc \u0301 \u3099", "abc"},
		{"soft hyphens", "data\u00adbase", "database"},
		{"bidirectional controls", "\u202edata\u202c \u2066base\u2069 da\u200fta", "data base data"},
		{"joiners", "da\u200dta ba\u2060se \ufeffdata", "data base data"},
		{"a filler alone", "\u3164 \u115f", ""},
		{"variables", "Kept for {{time}}, by{{who}}data", "kept for by data"},
		{"no variables", "a {{b c", "a b c"},
		{"braces", "{{{one}}} two {{a {b}} three {{}} four {x} }} five", "two a b three four x five"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var terms []string
			for _, token := range search.Tokens(c.text) {
				terms = append(terms, token.Term)
			}
			require.Equal(t, strings.Fields(c.want), append([]string{}, terms...))
		})
	}
}

// TestTokenPlaces has the positions of terms, in bytes.
func TestTokenPlaces(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string // the parts of the text that the terms stand for
	}{
		{"The Camera's image", []string{"The", "Camera", "image"}},
		{"« L’élève »", []string{"élève"}},
		{"{{who}} sees É{{what}}è", []string{"sees", "É", "è"}},
		{"目的は安全", []string{"目的", "的は", "は安", "安全"}},
		{"ｶﾞｲﾄﾞ", []string{"ｶﾞｲ", "ｲﾄﾞ"}},
		{"กล้อง", []string{"กล้", "ล้อ", "อง"}},
		{"e\u0301cole da\u00adta", []string{"e\u0301cole", "da\u00adta"}},
	} {
		t.Run(c.text, func(t *testing.T) {
			var got []string
			for _, token := range search.Tokens(c.text) {
				got = append(got, c.text[token.Start:token.End])
			}
			require.Equal(t, c.want, got)
		})
	}
}

// TestFold checks every character, and strings of them: a term is folded, in NFKC, and
// independent of the composition of the word.
func TestFold(t *testing.T) {
	check := func(word string) {
		term := search.Fold(word)
		if search.Fold(term) != term || !utf8.ValidString(term) || !norm.NFKC.IsNormalString(term) || search.Fold(norm.NFD.String(word)) != term {
			t.Errorf("%+q gives %+q, and that %+q", word, term, search.Fold(term))
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.Is(unicode.Unified_Ideograph, r) && r%256 != 0 {
			continue // one is like the other
		}
		if testing.Short() && r%16 != 0 {
			continue
		}
		if unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf) {
			check(string(r))
			check("e" + string(r) + "\u0301")
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		word := make([]rune, 1+rng.IntN(6))
		for i := range word {
			word[i] = rune(rng.IntN(0x3200))
		}
		check(string(word))
	}
}

// TestFoldCase checks every letter with a simple case mapping.
func TestFoldCase(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if upper := unicode.ToUpper(r); upper != r && r != 'ı' {
			require.Equal(t, search.Fold(string(upper)), search.Fold(string(r)), "%U", r)
		}
	}
}
