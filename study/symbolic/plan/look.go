package plan

import (
	"errors"

	"motehound/firmware/image"
	"motehound/study/symbolic/engine"
	"motehound/study/symbolic/expr"
	"motehound/world"
	"motehound/world/scenario"
)

// look is states that occur together, as properties see them.
type look struct {
	cfg     *world.Config
	v       engine.View
	walk    *walk
	missing int // a mote that the property looks at and the view has not; -1 for none
}

var _ scenario.Unknowns = (*look)(nil)

func (l *look) Motes() int                { return len(l.cfg.Motes) }
func (l *look) ID(i int) uint16           { return l.cfg.Motes[i].ID }
func (l *look) Image(i int) *image.Image  { return l.cfg.Motes[i].Kind.Image }
func (l *look) Time() uint64              { return l.v.Now() }
func (l *look) FramesSent(int) uint32     { return l.counted() }
func (l *look) FramesReceived(int) uint32 { return l.counted() }

func (l *look) counted() uint32 {
	if l.walk.err == nil {
		l.walk.err = errors.New("symbolic does not count frames: use variables of the motes instead")
	}
	return 0
}

// has reports whether a mote can be looked at now.
func (l *look) has(mote int) bool {
	if l.v.Has(mote) {
		return true
	}
	if l.missing < 0 {
		l.missing = mote
	}
	return false
}

// LoadByte implements scenario.View. A byte that depends on inputs is each of its values in turn.
func (l *look) LoadByte(mote int, addr uint32) uint8 {
	if !l.has(mote) {
		return 0
	}
	v, x := l.v.Byte(mote, uint16(addr))
	if _, ok := l.v.Pool.Value(x); ok {
		return v
	}
	return uint8(l.walk.pick(x))
}

// Number implements scenario.Unknowns.
func (l *look) Number(f scenario.Field) scenario.Unknown {
	if !l.has(f.Mote) || f.Size > 8 {
		return nil
	}
	list := make([]expr.ID, f.Size)
	unknown := false
	for i := range f.Size {
		at := i
		if f.BigEndian {
			at = f.Size - 1 - i
		}
		_, list[at] = l.v.Byte(f.Mote, uint16(f.Addr+i))
		_, known := l.v.Pool.Value(list[at])
		unknown = unknown || !known
	}
	if !unknown {
		return nil
	}
	x := l.v.Pool.ConcatBytes(list...)
	if f.BitSize > 0 {
		x = l.v.Pool.Extract(x, int(f.BitOffset+f.BitSize)-1, int(f.BitOffset))
	}
	return &number{l.walk, x, f.Signed}
}

// Alive implements scenario.View.
func (l *look) Alive(i int) bool { return l.has(i) && l.v.Alive(i) }

// LEDs implements scenario.View.
func (l *look) LEDs(i int) uint32 {
	if !l.has(i) {
		return 0
	}
	return l.v.LEDs(i)
}

// Linked implements scenario.View.
func (l *look) Linked(from, to int) bool {
	net := l.cfg.Net
	if net == nil {
		return false
	}
	_, linked := net.Find(from, to)
	return linked && !net.IsCut(from, to, l.v.Now())
}
