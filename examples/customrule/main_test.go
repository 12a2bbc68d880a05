package main

func Example() {
	main()
	// Output:
	// benefits.json: 0 findings
	// air-station.json: 3 findings
	//    warning lindenau_french_missing at title: "Air on the market square" is not translated into French. (add {"locale": "fr", "value": "…"})
	//    warning lindenau_french_missing at elements[3].variables[0].value: "Town of Lindenau" is not translated into French. (add {"locale": "fr", "value": "…"})
	//    warning lindenau_french_missing at elements[3].variables[1].value: "environment@lindenau.example" is not translated into French. (add {"locale": "fr", "value": "…"})
}
