package explore

import (
	"fmt"

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

// sentAt looks for a byte that E writes to the outside in neither order; nil if there is none.
func (s *System) sentAt(i int, o *outlook, at spot, f *contact) (*race, error) {
	kind, alone, k := s.sh.motes[i].kind, at.alone, at.k
	if len(kind.outputs(alone[k:])) == 0 {
		return nil, nil
	}
	im, base, told := kind.scalars, kind.kind.Board.Chip.RAMBase, s.without(i, f)
	nothing := image.Scalar{} // an update that is lost shows in its variable
	r := straddled(im, alone, k, told, &nothing, base, numbers)
	if r == nil || r.kind != tornRead {
		if r = straddled(im, alone, k, told, &nothing, base, wholes); r == nil {
			return nil, nil
		}
	}
	last := kind.outputs(alone)
	var runs [3][]output
	for n, how := range []order{{middle: true, after: at.after}, {first: true}, {wait: f.takes}} {
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
