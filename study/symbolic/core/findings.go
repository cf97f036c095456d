package core

import (
	"fmt"
	"path"

	"motehound/firmware/image"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
)

// Kind is what is wrong.
type Kind uint8

const (
	Assertion   Kind = iota + 1 // mh_assert can fail
	Bounds                      // an address that depends on inputs can leave the object that it was made from
	Pointer                     // an address that depends on inputs alone can be anything
	Distributed                 // an assertion about several motes can fail: who explores them finds that
)

func (k Kind) String() string {
	return [...]string{"", "assertion", "bounds", "pointer", "distributed"}[k]
}

// Finding is something that is wrong for some inputs.
type Finding struct {
	Kind  Kind
	Mote  int
	Cycle uint64
	PC    uint32 // flash byte address
	Place
	Message string
	Reg     int         // of an Assertion: the register that must not be 0; else -1
	Lo, Hi  uint32      // of Bounds and Pointer: where an address should be, from and up to
	Model   expr.Model  // inputs that show it
	Path    *solver.Set // all of them
}

func (f Finding) String() string {
	if f.Place == (Place{}) {
		return f.Message
	}
	return fmt.Sprintf("%s: %s", f.Place, f.Message)
}

// Place is a place in the source.
type Place struct {
	Function string
	File     string
	Line     int
}

func (p Place) String() string {
	switch {
	case p.File == "":
		return p.Function
	case p.Function == "":
		return fmt.Sprintf("%s:%d", path.Base(p.File), p.Line)
	}
	return fmt.Sprintf("%s, %s:%d", p.Function, path.Base(p.File), p.Line)
}

// PlaceOf is where a word address is in the source.
func PlaceOf(im *image.Image, pc uint32) Place {
	p := Place{Function: fmt.Sprintf("%#x", pc*2)}
	if stack := im.InlineStack(pc * 2); len(stack) > 0 && stack[0].Name != "" {
		p.Function = image.Readable(stack[0].Name)
	}
	if l, ok := im.LineAt(pc * 2); ok {
		p.File, p.Line = l.File, l.Line
	}
	return p
}

func (t *table) place(pc uint32) Place { return PlaceOf(t.kind.Image, pc) }
