package httpapi

// preface is what an HTTP/2 client sends first (RFC 9113, section 3.4).
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// The parts of a frame header (RFC 9113, sections 4.1 and 6).
const (
	frameHeader    = 9
	frameData      = 0x0
	frameHeaders   = 0x1
	frameCont      = 0x9
	flagEndHeaders = 0x4
)

// frames follows the frames that an HTTP/2 client sends, without reading their
// content.
type frames struct {
	begun  int // how much of the preface has arrived
	header [frameHeader]byte
	have   int    // how much of a frame header has arrived
	left   uint32 // how much of the frame is missing
	block  bool   // a header block has begun, and this frame does not end it
	data   bool   // the frame is data
}

// read follows the next bytes. It reports whether something other than a body has
// begun and is incomplete, and whether the connection can be HTTP/2 at all.
func (f *frames) read(b []byte) (unfinished, possible bool) {
	n := min(len(preface)-f.begun, len(b))
	if string(b[:n]) != preface[f.begun:f.begun+n] {
		return false, false
	}
	f.begun += n
	for b = b[n:]; len(b) > 0; {
		if f.left > 0 {
			n := min(f.left, uint32(len(b))) //nolint:gosec // a read is shorter than 4 GiB
			f.left -= n
			b = b[n:]
			continue
		}
		n := copy(f.header[f.have:], b)
		b = b[n:]
		if f.have += n; f.have == frameHeader {
			f.begin()
		}
	}
	return f.have > 0 || f.left > 0 && !f.data || f.block, true
}

// begin begins a frame whose header is complete.
func (f *frames) begin() {
	f.have = 0
	f.left = uint32(f.header[0])<<16 | uint32(f.header[1])<<8 | uint32(f.header[2])
	kind, flags := f.header[3], f.header[4]
	f.data = kind == frameData
	if kind == frameHeaders || kind == frameCont {
		f.block = flags&flagEndHeaders == 0
	}
}
