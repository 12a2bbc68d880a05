package document

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// number reads a number.
func (s *scanner) number() (integer, ok bool) {
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else if !s.digits() {
		return false, false
	}
	integer = true
	if s.peek() == '.' {
		integer = false
		if s.at++; !s.digits() {
			return false, false
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		integer = false
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		if !s.digits() {
			return false, false
		}
	}
	return integer, true
}

// safeDigits is how many digits of an integer a float64 always holds.
const safeDigits = 15

// checkNumber returns why a number can't be kept, or "".
func checkNumber(raw []byte) string {
	if len(raw) > MaxNumberLength {
		return fmt.Sprintf("a number can have at most %d characters: write it as a string", MaxNumberLength)
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	mantissa, _, _ := bytes.Cut(bytes.ToLower(raw), []byte("e"))
	switch {
	case err != nil || math.Abs(f) > MaxSafeInteger:
		return fmt.Sprintf("the number %s is beyond ±%d, so JSON readers would change it: write it as a string", raw, int64(MaxSafeInteger))
	case f == 0 && bytes.ContainsAny(mantissa, "123456789"):
		return fmt.Sprintf("the number %s is too small for a 64-bit float: write it as a string", raw)
	}
	return ""
}

// digits reads digits and reports whether there are any.
func (s *scanner) digits() bool {
	start := s.at
	for s.at < len(s.text) && digit(s.text[s.at]) {
		s.at++
	}
	return s.at > start
}
