package image

import (
	"fmt"
)

// region is one memory as the AVR tools number it: avr-ld and avr-objcopy put
// all of them into one address space (the linker scripts avr*.x of binutils).
type region struct {
	base, size uint32
	space      Space
}

// maxFlash is far above the 384 KiB of the largest AVR, and small enough to
// allocate whatever a file claims.
const maxFlash = 4 << 20

var regions = [...]region{
	{0, maxFlash, Flash},
	{0x800000, 0x10000, Data},
	{0x810000, 0x10000, EEPROM},
	{0x820000, 0x400, Fuse},
	{0x830000, 0x400, LockBits},
	{0x840000, 0x400, SignatureRow},
}

// Two ranges which real files fill and no mote has: the user signature row of
// XMEGA parts, and simavr's .mmcu notes.
var ignoredRegions = [...]Range{{0x850000, 0x850400}, {0x910000, 0x920000}}

// split turns an address as the tools number it into a space and an address in it.
func split(addr uint32) (Space, uint32, bool) {
	for _, r := range regions {
		if addr >= r.base && addr-r.base < r.size {
			return r.space, addr - r.base, true
		}
	}
	return Absolute, addr, false
}

// layout collects the bytes of a file, in the order of the file.
type layout struct {
	later  bool // where an address is given twice the later byte counts, as for programmers that read text files
	twice  []twice
	chunks [Absolute][]chunk
	ends   [Absolute]uint32
	total  int
}

// twice is an address that a file gives two different bytes.
type twice struct {
	space         Space
	addr          uint32
	first, second byte
}

type chunk struct {
	addr uint32
	data []byte
}

// place puts data at a tools' address. Its errors say what is wrong; the caller
// says where in the file.
func (l *layout) place(addr uint32, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	for _, r := range ignoredRegions {
		if r.Contains(addr) {
			return nil
		}
	}
	space, off, ok := split(addr)
	if !ok {
		return fmt.Errorf("%d bytes at address %#x, where no AVR has memory (flash ends below %#x); check the linker's section addresses", len(data), addr, uint32(maxFlash))
	}
	if space == Data {
		return fmt.Errorf("%d bytes to be loaded into RAM at %#x, which a programmer cannot do; link with .data's load address in flash", len(data), addr)
	}
	for _, r := range regions {
		if r.space == space && uint64(off)+uint64(len(data)) > uint64(r.size) {
			return fmt.Errorf("%d bytes at address %#x run past the end of the %s region at %#x; check the linker's section addresses", len(data), addr, space, r.base+r.size)
		}
	}
	l.chunks[space] = append(l.chunks[space], chunk{off, data})
	l.ends[space] = max(l.ends[space], off+uint32(len(data)))
	l.total += len(data)
	return nil
}

// build assembles one space: its bytes, 0xFF where nothing was placed, and what
// was covered.
func (l *layout) build(space Space) ([]byte, []Range, error) {
	end := l.ends[space]
	if end == 0 {
		return nil, nil, nil
	}
	out, covered := make([]byte, end), make([]bool, end)
	for i := range out {
		out[i] = 0xFF
	}
	for _, c := range l.chunks[space] {
		for i, b := range c.data {
			at := c.addr + uint32(i)
			if covered[at] && out[at] != b {
				if !l.later {
					return nil, nil, fmt.Errorf("%s address %#x is given twice, as %#02x and as %#02x; build the file again (were two programs merged?)", space, at, out[at], b)
				}
				l.twice = append(l.twice, twice{space, at, out[at], b})
			}
			out[at], covered[at] = b, true
		}
	}
	return out, coveredRanges(covered), nil
}

func coveredRanges(covered []bool) []Range {
	var ranges []Range
	for i := 0; i < len(covered); i++ {
		if !covered[i] {
			continue
		}
		lo := i
		for i < len(covered) && covered[i] {
			i++
		}
		ranges = append(ranges, Range{uint32(lo), uint32(i)})
	}
	return ranges
}

// note says what was given twice.
func (l *layout) note() string {
	if len(l.twice) == 0 {
		return ""
	}
	t, more := l.twice[0], ""
	if n := len(l.twice) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more bytes)", n)
	}
	return fmt.Sprintf("%s address %#x is given twice, as %#02x and as %#02x%s: the later counts, as it does for avrdude; were two programs merged?", t.space, t.addr, t.first, t.second, more)
}

// fill moves the collected bytes into the image.
func (l *layout) fill(im *Image) error {
	if l.total == 0 {
		return fmt.Errorf("%s: holds nothing to load; give the linked program", im.Path)
	}
	var err error
	if im.Flash, im.FlashUsed, err = l.build(Flash); err != nil {
		return fmt.Errorf("%s: %w", im.Path, err)
	}
	for _, m := range []struct {
		space Space
		dst   *[]byte
	}{{EEPROM, &im.EEPROM}, {Fuse, &im.Fuses}, {LockBits, &im.Lock}, {SignatureRow, &im.Signature}} {
		if *m.dst, _, err = l.build(m.space); err != nil {
			return fmt.Errorf("%s: %w", im.Path, err)
		}
	}
	if n := l.note(); n != "" {
		im.Notes = append(im.Notes, n)
	}
	return nil
}
