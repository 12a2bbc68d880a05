package main

func Example() {
	main()
	// Output:
	// Somebody opens the document.
	// Somebody misspells an element.
	//   7:19-7:34 error: There is no element "device.staton" in sensor@2026-06-15-stable.
	//   and takes the quick fix.
	// Somebody adds a leaf and a comma.
	//   2:68-2:68 error: a comma stands where a value or the end should: remove it
	// Somebody takes the comma away.
	// Somebody writes German.
	//   2:23-2:27 warning: The locale "de" is not among those of sensor@2026-06-15-stable: en, fr, es.
}
