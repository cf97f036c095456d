package recipe

import (
	"encoding/hex"
	"fmt"
	"slices"

	"motehound/mote"
	"motehound/world"
)

// Poke is memory that gets another content when a mote reaches an instruction: how a run has inputs of which symbolic made the
// variables unknown.
type Poke struct {
	Mote int    `json:"mote"`
	PC   uint32 `json:"pc"`  // the instruction's byte address in flash
	Nth  int    `json:"nth"` // at which time that the mote gets there, from 0
	Addr uint16 `json:"addr"`
	Hex  string `json:"hex"`
}

// Edit is a byte of a frame that reaches a mote with another value than it was sent with; see world.Edit.
type Edit struct {
	Mote   int   `json:"mote"`           // that receives
	Sent   bool  `json:"sent,omitempty"` // or, if this is set, that sends
	Wire   *int  `json:"wire,omitempty"` // on the air, if nil
	Nth    int   `json:"nth"`            // which frame, from 0
	Offset int   `json:"offset"`
	Value  uint8 `json:"value"`
}

// EditOf is an edit of a world.
func EditOf(e world.Edit) Edit {
	x := Edit{Mote: e.Mote, Sent: e.Sent, Nth: e.Nth, Offset: e.Offset, Value: e.Value}
	if e.Wire != world.None {
		x.Wire = &e.Wire
	}
	return x
}

func (e *Edit) world() world.Edit {
	x := world.Edit{Mote: e.Mote, Sent: e.Sent, Wire: world.None, Nth: e.Nth, Offset: e.Offset, Value: e.Value}
	if e.Wire != nil {
		x.Wire = *e.Wire
	}
	return x
}

// Symbolic is what is wrong in a run that symbolic has found. What the instruction at PC does is looked at if there is one, a property of
// the scenario otherwise at the moment At.
type Symbolic struct {
	Property string `json:"property"`
	Kind     string `json:"kind"` // property, assertion, bounds, pointer or builtin
	Mote     int    `json:"mote"` // -1 for the network
	At       uint64 `json:"at_ps"`
	Function string `json:"function,omitempty"` // of a built-in check: where, as far as that is known
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	PC       uint32 `json:"pc,omitempty"`  // a byte address in flash
	Reg      int    `json:"reg,omitempty"` // of an assertion: the register that must not be 0
	Lo       uint32 `json:"lo,omitempty"`  // of bounds and pointer: where an address must be, from lo and up to hi
	Hi       uint32 `json:"hi,omitempty"`
	Detail   string `json:"detail,omitempty"`
	// Inputs are those that symbolic chose, for people.
	Inputs []string `json:"inputs,omitempty"`
}

// pokes has a world do the recipe's pokes.
func (r *Recipe) poke(w *world.World) (*poker, error) {
	if len(r.Pokes) == 0 {
		return nil, nil
	}
	p := &poker{w: w, seen: map[spot]int{}}
	for _, x := range r.Pokes {
		b, err := hex.DecodeString(x.Hex)
		if err != nil {
			return nil, fmt.Errorf("poke %q: %w", x.Hex, err)
		}
		if x.Mote < 0 || x.Mote >= len(r.Motes) {
			return nil, fmt.Errorf("a poke is for mote %d, but there are %d", x.Mote, len(r.Motes))
		}
		if int(x.Addr)+len(b) > 1<<16 || x.PC%2 != 0 {
			return nil, fmt.Errorf("a poke at pc %#x writes %d bytes to %#x: that is no instruction or no memory", x.PC, len(b), x.Addr)
		}
		p.list = append(p.list, poke{spot{x.Mote, x.PC / 2}, x.Nth, x.Addr, b})
	}
	w.Observe(world.Observer{Code: p.code, CodeAt: p.at})
	return p, nil
}

// Repeatable is World for those who clone it and put it back. What the recipe pokes comes at moments, which a run finds out; stop, which may be nil, ends
// that early, and then there is no world.
func (r *Recipe) Repeatable(open Opener, stop func() bool) (*world.World, error) {
	cfg, err := r.Config(open)
	if err != nil {
		return nil, err
	}
	w, err := r.worldOf(cfg)
	if err != nil {
		return nil, err
	}
	p, err := r.poke(w)
	if err != nil || p == nil {
		return w, err
	}
	if !w.RunUnless(stop, r.Until) {
		return nil, nil
	}
	poked := *cfg
	poked.Pokes = p.done
	return r.worldOf(&poked)
}

// poker does pokes. It counts by itself how often a place was reached: a world that is put back must be made anew.
type poker struct {
	w    *world.World
	list []poke
	seen map[spot]int
	done []world.Poke // what it has done
}

type poke struct {
	at   spot
	nth  int
	addr uint16
	data []byte
}

type spot struct {
	mote int
	pc   uint32 // in words
}

func (p *poker) at(*mote.Kind) (list []uint32) {
	for _, x := range p.list {
		if !slices.Contains(list, x.at.pc) {
			list = append(list, x.at.pc)
		}
	}
	return list
}

func (p *poker) code(i int, cycle uint64, pc uint32) bool {
	here := spot{i, pc}
	nth := p.seen[here]
	p.seen[here]++
	for _, x := range p.list {
		if x.at == here && x.nth == nth {
			p.done = append(p.done, world.Poke{At: p.w.TimeOf(i, cycle), Mote: i, Addr: x.addr, Data: x.data})
			mem := p.w.Motes()[i].Memory()
			for k, b := range x.data {
				mem.StoreByte(uint32(x.addr)+uint32(k), b)
			}
		}
	}
	return false
}
