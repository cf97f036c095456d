package image

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"iter"
)

// Record types of Intel's "Hexadecimal Object File Format Specification", rev. A.
const (
	hexData         = 0
	hexEnd          = 1
	hexSegment      = 2
	hexStartSegment = 3
	hexLinear       = 4
	hexStartLinear  = 5
)

// records is what the records of a file add up to.
type records struct {
	layout
	entry uint32
	ended bool
}

// parse reads a file of records, one per line. End is the name of the last one, example shows it, format is objcopy's name of the format.
func (r *records) parse(im *Image, data []byte, record func(line []byte) error, end, example, format string) error {
	r.later = true
	lines := 0
	for number, line := range textLines(data) {
		lines = number
		if r.ended {
			return fmt.Errorf("%s:%d: more after the %s; two files run together? give one", im.Path, number, end)
		}
		if err := record(line); err != nil {
			return fmt.Errorf("%s:%d: %w", im.Path, number, err)
		}
	}
	if !r.ended {
		return fmt.Errorf("%s:%d: no %s (%s), so the file is cut short; make it again with avr-objcopy -O %s", im.Path, lines, end, example, format)
	}
	im.Entry = r.entry
	return r.fill(im)
}

// hexReader carries the address state from record to record.
type hexReader struct {
	records
	base      uint32
	segmented bool // base came from an 02 record: offsets wrap at 64 KiB
}

func (im *Image) parseHEX(data []byte) error {
	var r hexReader
	return r.parse(im, data, r.record, "end-of-file record", ":00000001FF", "ihex")
}

// textLines yields the lines that are not blank, numbered from 1.
func textLines(data []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for number := 1; len(data) > 0; number++ {
			var line []byte
			if i := bytes.IndexByte(data, '\n'); i >= 0 {
				line, data = data[:i], data[i+1:]
			} else {
				line, data = data, nil
			}
			if line = bytes.TrimSpace(line); len(line) > 0 && !yield(number, line) {
				return
			}
		}
	}
}

func (r *hexReader) record(line []byte) error {
	if line[0] != ':' {
		return fmt.Errorf("a record starts with ':', this line with %q; is the file Intel HEX?", line[0])
	}
	rec, err := recordBytes(line[1:])
	if err != nil {
		return err
	}
	if len(rec) < 5 {
		return fmt.Errorf("record of %d bytes, the shortest has 5; the line is cut short", len(rec))
	}
	if want := int(rec[0]) + 5; len(rec) != want {
		return fmt.Errorf("record says it holds %d bytes, but has %d; the line is damaged", rec[0], len(rec)-5)
	}
	if err := checkSum(rec, 0); err != nil {
		return err
	}
	return r.apply(rec[3], uint32(rec[1])<<8|uint32(rec[2]), rec[4:len(rec)-1])
}

func (r *hexReader) apply(kind byte, offset uint32, data []byte) error {
	sizes := map[byte]int{hexEnd: 0, hexSegment: 2, hexStartSegment: 4, hexLinear: 2, hexStartLinear: 4}
	if want, ok := sizes[kind]; ok && len(data) != want {
		return fmt.Errorf("record of type %02d holds %d bytes, should hold %d; the line is damaged", kind, len(data), want)
	}
	switch kind {
	case hexData:
		return r.data(offset, data)
	case hexEnd:
		r.ended = true
	case hexSegment:
		r.base, r.segmented = bigEndian(data)<<4, true
	case hexLinear:
		r.base, r.segmented = bigEndian(data)<<16, false
	case hexStartSegment: // CS:IP
		r.entry = bigEndian(data[:2])<<4 + bigEndian(data[2:])
	case hexStartLinear:
		r.entry = bigEndian(data)
	default:
		return fmt.Errorf("record type %02X is not one of Intel HEX's 00 to 05; the line is damaged", kind)
	}
	return nil
}

// data places one data record; under an 02 record the offset wraps, under an 04
// record the address runs on (specification, sections "Data Record").
func (r *hexReader) data(offset uint32, data []byte) error {
	if r.segmented && int(offset)+len(data) > 0x10000 {
		n := 0x10000 - int(offset)
		if err := r.place(r.base, data[n:]); err != nil {
			return err
		}
		data = data[:n]
	}
	if uint64(r.base)+uint64(offset) > 0xFFFFFFFF {
		return fmt.Errorf("address %#x+%#x is past 32 bits; the file is damaged", r.base, offset)
	}
	return r.place(r.base+offset, data)
}

// checkSum compares the sum of a record's bytes, of which the last is there for that, with what it must be.
func checkSum(rec []byte, want byte) error {
	var sum byte
	for _, b := range rec {
		sum += b
	}
	if last := rec[len(rec)-1]; sum != want {
		return fmt.Errorf("checksum is %#02x, should be %#02x; the line is damaged, make the file again", last, last-(sum-want))
	}
	return nil
}

// recordBytes decodes the hexadecimal digits of a record.
func recordBytes(digits []byte) ([]byte, error) {
	if len(digits)%2 != 0 {
		return nil, fmt.Errorf("odd number of hexadecimal digits (%d); the line is cut short", len(digits))
	}
	out := make([]byte, len(digits)/2)
	if _, err := hex.Decode(out, digits); err != nil {
		for i, c := range digits {
			if !isHexDigit(c) {
				return nil, fmt.Errorf("%q at column %d is not a hexadecimal digit; the line is damaged", c, i+2)
			}
		}
	}
	return out, nil
}

func isHexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func bigEndian(b []byte) uint32 {
	var v uint32
	for _, c := range b {
		v = v<<8 | uint32(c)
	}
	return v
}
