package image

import (
	"errors"
	"fmt"
	"math"
)

// maxObject is the AVR's data space: nothing larger can be a variable.
const maxObject = 0x10000

// Indirect reports whether the path goes through a pointer, so that where it ends
// depends on the memory.
func (r Ref) Indirect() bool { return len(r.hops) > 0 }

// Resolve follows the pointers on the way and gives the address in r.Space.
func (r Ref) Resolve(m Memory) (uint32, error) {
	base := uint32(0)
	for _, h := range r.hops {
		at := base + h.off
		base = uint32(m.LoadByte(at&0xFFFF)) | uint32(m.LoadByte((at+1)&0xFFFF))<<8
		if base == 0 {
			return 0, fmt.Errorf("%s: %s is a null pointer now", r.Path, h.path)
		}
	}
	if r.Indirect() {
		return (base + r.Addr) & 0xFFFF, nil
	}
	return r.Addr, nil
}

// memory is the memory of r's space, and r's address in it.
func (r Ref) memory(m Memory) (Memory, uint32, error) {
	if r.Type == nil {
		return nil, 0, fmt.Errorf("%s has no type that could be read", r.Path)
	}
	addr, err := r.Resolve(m)
	if err != nil || r.Space == Data {
		return m, addr, err
	}
	if s, ok := m.(Spaces); ok {
		if in := s.In(r.Space); in != nil {
			return in, addr, nil
		}
	}
	return nil, 0, fmt.Errorf("%s lies in %s, and only the data space can be reached here", r.Path, r.Space)
}

// bytes is how many bytes hold r.
func (r Ref) bytes() uint32 {
	if r.BitSize > 0 {
		return (r.BitOffset + r.BitSize + 7) / 8
	}
	return r.Type.Size
}

// Read gives the value that is in memory now.
func (r Ref) Read(m Memory) (Value, error) {
	m, addr, err := r.memory(m)
	if err != nil {
		return Value{}, err
	}
	n := r.bytes()
	if s := r.Type.Strip(); n > maxObject || n == 0 && (s == nil || s.Kind != KindArray) {
		return Value{}, fmt.Errorf("%s is %s, of unknown or impossible size (%d bytes)", r.Path, r.Type, n)
	}
	raw := make([]byte, n)
	for i := range raw {
		raw[i] = m.LoadByte(addr + uint32(i))
	}
	v, err := r.im.decode(r.Type, raw, r.BitOffset, r.BitSize)
	if err != nil {
		return Value{}, fmt.Errorf("%s: %w", r.Path, err)
	}
	return v, nil
}

// Settable finds a variable that can be set to a number: it is in RAM, and can hold it. Of one behind a pointer that is known only when it is
// written.
func (im *Image) Settable(path string, v int64) (Ref, error) {
	ref, err := im.Lookup(path)
	switch {
	case err != nil:
		return Ref{}, err
	case ref.Space != Data:
		return Ref{}, fmt.Errorf("%s lies in %s, which cannot be set", path, ref.Space)
	case !ref.Indirect():
		err = ref.Write(nowhere{}, v)
	}
	return ref, err
}

// nowhere is memory that forgets.
type nowhere struct{}

func (nowhere) LoadByte(uint32) uint8   { return 0 }
func (nowhere) StoreByte(uint32, uint8) {}

// Write stores a number. One that the variable cannot hold is refused, and nothing
// is written.
func (r Ref) Write(m Memory, v int64) error {
	m, addr, err := r.memory(m)
	if err != nil {
		return err
	}
	bits, little, err := r.encode(v)
	if err != nil {
		return err
	}
	n := r.bytes()
	for i := range n {
		at := i
		if !little {
			at = n - 1 - i
		}
		if r.BitSize == 0 {
			m.StoreByte(addr+at, uint8(bits>>(8*i)))
			continue
		}
		mask, value := fieldByte(i, r.BitOffset, r.BitSize, bits)
		m.StoreByte(addr+at, m.LoadByte(addr+at)&^mask|value)
	}
	return nil
}

// fieldByte gives the bits of byte i that belong to a bit-field, and their value.
func fieldByte(i, offset, size uint32, bits uint64) (mask, value uint8) {
	for b := range uint32(8) {
		at := 8*i + b
		if at < offset || at >= offset+size {
			continue
		}
		mask |= 1 << b
		value |= uint8(bits>>(at-offset)&1) << b
	}
	return mask, value
}

// encode gives the bits that stand for v, and their byte order in memory.
func (r Ref) encode(v int64) (bits uint64, little bool, err error) {
	if nx, ok := r.Type.network(); ok && r.BitSize == 0 {
		return uint64(v), nx.little, r.fits(v, 8*nx.size, nx.signed)
	}
	t := r.Type.Strip()
	if t == nil {
		return 0, true, fmt.Errorf("%s has no type that could be written", r.Path)
	}
	width := 8 * t.Size
	if r.BitSize > 0 {
		width = r.BitSize
	}
	switch t.Kind {
	case KindInt:
		return uint64(v), true, r.fits(v, width, true)
	case KindUint, KindPointer, KindEnum:
		signed := t.Kind == KindEnum && v < 0
		return uint64(v), true, r.fits(v, width, signed)
	case KindBool:
		return uint64(v), true, r.fits(v, 1, false)
	case KindFloat:
		if t.Size == 4 {
			return uint64(math.Float32bits(float32(v))), true, nil
		}
		return math.Float64bits(float64(v)), true, nil
	}
	return 0, true, fmt.Errorf("%s is %s; only numbers can be written, name one of its parts", r.Path, r.Type)
}

func (r Ref) fits(v int64, width uint32, signed bool) error {
	switch {
	case width == 0 || width > 64:
		return fmt.Errorf("%s: a number of %d bits cannot be written", r.Path, width)
	case width == 64 && signed:
		return nil
	}
	lo, hi := int64(0), int64(math.MaxInt64)
	switch {
	case signed:
		lo, hi = -1<<(width-1), 1<<(width-1)-1
	case width < 63:
		hi = 1<<width - 1
	}
	if v < lo || v > hi {
		return fmt.Errorf("%d does not fit into %s (%s), which holds %d to %d", v, r.Path, r.Type, lo, hi)
	}
	return nil
}

// ReadLocal gives the value of a parameter or local variable when the CPU is at
// regs.PC inside f.
func (im *Image) ReadLocal(f *Function, local *Local, regs Regs, m Memory) (Value, error) {
	pieces, err := im.locate(f, local, regs, m)
	if err == nil && local.Type == nil {
		err = errors.New("it has no type")
	}
	if err != nil {
		return Value{}, fmt.Errorf("%s: %w", local.Name, err)
	}
	raw, err := im.gather(pieces, local.Type.Size, regs, m)
	if err != nil {
		return Value{}, fmt.Errorf("%s: %w", local.Name, err)
	}
	return im.decode(local.Type, raw, 0, 0)
}

// gather collects the bytes of a variable from its pieces.
func (im *Image) gather(pieces []valuePiece, size uint32, regs Regs, m Memory) ([]byte, error) {
	if size == 0 || size > maxObject {
		return nil, fmt.Errorf("unknown or impossible size (%d bytes)", size)
	}
	var raw []byte
	for _, p := range pieces {
		n := p.Size
		if n == 0 {
			n = size
		}
		if uint64(len(raw))+uint64(n) > maxObject {
			return nil, errors.New("its pieces are larger than the variable")
		}
		for i := range n {
			b, err := im.pieceByte(p, i, regs, m)
			if err != nil {
				return nil, err
			}
			raw = append(raw, b)
		}
	}
	if uint32(len(raw)) < size {
		return nil, fmt.Errorf("only %d of its %d bytes have a location here", len(raw), size)
	}
	return raw[:size], nil
}

func (im *Image) pieceByte(p valuePiece, i uint32, regs Regs, m Memory) (byte, error) {
	switch p.Kind {
	case inRegister:
		if n := p.Reg + int(i); n < len(regs.R) {
			return regs.R[n], nil
		}
		return 0, fmt.Errorf("register %d does not exist", p.Reg+int(i))
	case inMemory:
		if p.Space == Flash && int(p.Addr+i) < len(im.Flash) {
			return im.Flash[p.Addr+i], nil
		}
		if m == nil || p.Space != Data {
			return 0, fmt.Errorf("it lies in %s, which was not given", p.Space)
		}
		return m.LoadByte((p.Addr + i) & 0xFFFF), nil
	case inValue:
		if i < 8 {
			return byte(p.Value >> (8 * i)), nil
		}
		return 0, nil
	}
	return 0, fmt.Errorf("optimised away at this address: %s", p.Why)
}
