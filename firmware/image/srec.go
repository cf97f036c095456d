package image

import (
	"fmt"
)

// srecAddr gives the number of address bytes of each record type S0 to S9
// (Motorola M68000 Family Programmer's Reference Manual, appendix C); S4 is reserved.
var srecAddr = [10]int{2, 2, 3, 4, 0, 2, 3, 4, 3, 2}

type srecReader struct {
	records
	count uint32 // data records so far, which S5 and S6 repeat
}

func (im *Image) parseSREC(data []byte) error {
	var r srecReader
	return r.parse(im, data, r.record, "end record", "S7, S8 or S9", "srec")
}

func (r *srecReader) record(line []byte) error {
	if line[0] != 'S' {
		return fmt.Errorf("a record starts with 'S', this line with %q; is the file SREC?", line[0])
	}
	if len(line) < 2 || line[1] < '0' || line[1] > '9' || line[1] == '4' {
		return fmt.Errorf("no record type S0 to S9 (S4 is reserved); the line is damaged")
	}
	kind := line[1] - '0'
	rec, err := recordBytes(line[2:])
	if err != nil {
		return err
	}
	addrLen := srecAddr[kind]
	if len(rec) < 1+addrLen+1 {
		return fmt.Errorf("record S%d of %d bytes, the shortest has %d; the line is cut short", kind, len(rec), addrLen+2)
	}
	if int(rec[0]) != len(rec)-1 {
		return fmt.Errorf("record says it holds %d bytes, but has %d; the line is damaged", rec[0], len(rec)-1)
	}
	if err := checkSum(rec, 0xFF); err != nil {
		return err
	}
	return r.apply(kind, bigEndian(rec[1:1+addrLen]), rec[1+addrLen:len(rec)-1])
}

func (r *srecReader) apply(kind byte, addr uint32, data []byte) error {
	switch kind {
	case 1, 2, 3:
		r.count++
		return r.place(addr, data)
	case 5, 6:
		if addr != r.count {
			return fmt.Errorf("record S%d says that %d data records came before, but %d did; lines are missing, make the file again", kind, addr, r.count)
		}
	case 7, 8, 9:
		r.entry, r.ended = addr, true
	}
	return nil
}
