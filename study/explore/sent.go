package explore

import (
	"fmt"
	"strings"

	"motehound/firmware/image"
	"motehound/mote"
)

// Wrong values that never reach a variable. What E writes to a UART's data register, a port or the EEPROM behind V is compared, byte by byte, with
// what it writes there in the two orders without interruption. A byte that it writes in neither is wrong, if E makes as many such writes to the
// same registers in all runs, and the byte does not depend on when E begins. As for variables, E must read something on both sides of V that V writes.

// output is a byte that a transition writes to the outside.
type output struct {
	addr  uint16
	value uint8
	pc    uint32
}

// outlets names, by address, the registers through which bytes get outside.
func outlets(k *mote.Kind) []string {
	c := k.Board.Chip
	names := make([]string, c.RAMBase)
	for _, u := range c.USARTs {
		names[u.UDR] = "the data register of " + u.Name
	}
	for _, p := range c.Ports {
		names[p.PORT] = fmt.Sprintf("PORT%c", p.Name)
	}
	if c.EEPROM != nil {
		names[c.EEPROM.EEDR] = "EEDR"
	}
	return names
}

// outputs are the bytes that some instructions write to the outside.
func (k *kind) outputs(list []entry) (out []output) {
	for i := range list {
		e := &list[i]
		if e.touches && e.touch.Write && !e.touch.Read && int(e.touch.Addr) < len(k.outlets) && k.outlets[e.touch.Addr] != "" {
			out = append(out, output{e.touch.Addr, e.value, e.pc})
		}
	}
	return out
}

// writes runs E and V, and gives what E writes to the outside.
func (s *System) writes(i int, o *outlook, v *point, how order) (out []output, ok bool, err error) {
	t, err := s.onStage(i, o)
	if err != nil {
		return nil, false, err
	}
	defer t.leave()
	log := s.newSteps(i, v.vector)
	ok = t.perform(v, how, log) && len(log.list) < longestAlone
	return s.sh.motes[i].kind.outputs(log.list), ok, nil
}

// tornAt finds what E reads on both sides of V that V writes, or parts of which E writes on both; nil if there is nothing. What gets wrong by it is not a variable.
func (s *System) tornAt(i int, at *spot, f *contact) *race {
	kind, told := s.sh.motes[i].kind, s.without(i, f)
	nothing := image.Scalar{} // an update that is lost shows in its variable
	for _, how := range []scope{numbers, wholes} {
		r := straddled(kind.scalars, at.alone, at.k, told, &nothing, kind.kind.Board.Chip.RAMBase, how)
		if r != nil && (how == wholes || r.kind == tornRead) {
			return r
		}
	}
	return nil
}

// drivenAt looks for a port that keeps what it keeps in neither order, since what E has read decides whether it drives it; nil if there is none.
func (s *System) drivenAt(i int, at *spot, mixed *end, r *orders, f *contact) *race {
	for n, l := range s.sh.motes[i].kind.latches {
		is, first, last := mixed.ports[n:n+1], r.first.ports[n:n+1], r.last.ports[n:n+1]
		if is[0] == first[0] || is[0] == last[0] || last[0] != r.late.ports[n] {
			continue
		}
		if found := s.tornAt(i, at, f); found != nil && !found.pinwise(is[0], first[0], last[0]) {
			found.wrong, found.is, found.first, found.last = l.Scalar, is, first, last
			return found
		}
	}
	return nil
}

// pinwise tells whether elements of an array are from before and behind V, and each pin of a port is as in one of the orders: each element may be about pins of its own, as the
// channels of a lamp are.
func (r *race) pinwise(is, first, last byte) bool {
	return r.kind == mixedSnapshot && strings.HasSuffix(r.shared.Name, "]") && (is^first)&(is^last) == 0
}

// sentAt looks for a byte that E writes to the outside in neither order; nil if there is none.
func (s *System) sentAt(i int, o *outlook, at spot, both *orders, f *contact) (*race, error) {
	kind, alone := s.sh.motes[i].kind, at.alone
	if len(kind.outputs(alone[at.k:])) == 0 {
		return nil, nil
	}
	r := s.tornAt(i, &at, f)
	if r == nil {
		return nil, nil
	}
	last := kind.outputs(alone)
	var runs [3][]output
	for n, how := range []order{{middle: true, after: at.after}, {first: true}, both.delay} {
		out, ok, err := s.writes(i, o, at.v, how)
		if err != nil || !ok || len(out) != len(last) {
			return nil, err
		}
		runs[n] = out
	}
	mixed, first, late := runs[0], runs[1], runs[2]
	for n := range last {
		if a := last[n].addr; mixed[n].addr != a || first[n].addr != a || late[n].addr != a {
			return nil, nil
		}
		if x := mixed[n].value; x != first[n].value && x != last[n].value && last[n].value == late[n].value {
			r.wrong, r.sent = image.Scalar{Name: kind.outlets[last[n].addr], Addr: uint32(last[n].addr), Size: 1}, mixed[n].pc
			r.is, r.first, r.last = []byte{x}, []byte{first[n].value}, []byte{last[n].value}
			return r, nil
		}
	}
	return nil, nil
}
