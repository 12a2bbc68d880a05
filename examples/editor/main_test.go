package main

func Example() {
	main()
	// Output:
	// The user opens the document.
	// The user misspells an element.
	//   7:19-7:34 error: There is no element "device.staton" in sensor@2026-11-15-stable.
	//   The user applies the quick fix.
	// The user adds a leaf and a comma.
	//   2:68-2:68 error: extra comma: remove it
	// The user removes the comma.
	// The user writes German.
	//   2:23-2:27 warning: The locale "de" is not one of the locales of sensor@2026-11-15-stable: en, fr, es.
}
