package main

func Example() {
	main()
	// Output:
	// saved 35298 bytes
	// Counting visitors by Wi-Fi, written for sensor@2026-11-15-stable: valid true
	// - Planning and improving this place
	// - Wi-Fi or Bluetooth receiver
	// - Signals from phones
	// - Processed inside the device
	// - Added up into totals
	// - Nothing is kept
	// - Everyone
	// - Organisation in charge
	// - Choose another way
}
