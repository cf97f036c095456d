package verdict

import (
	"fmt"
	"slices"

	"motehound/mote"
	"motehound/world"
	"motehound/world/medium"
)

// Unheard says what motes listen to while nothing ever comes: a line on which nobody sends, or a radio that nobody reaches. Code
// that is for what comes in was not exercised then.
func Unheard(cfg *world.Config) []string {
	var list []string
	for i := range cfg.Motes {
		m := &cfg.Motes[i]
		for n := range m.Kind.Board.Chip.USARTs {
			if Serial(m.Kind, n) && !fed(cfg, i, uint8(n)) {
				list = append(list, fmt.Sprintf("mote %d listens on USART %d, but nothing comes in (use --serial-in, or serial or wire in a scenario)", m.ID, n))
			}
		}
		if Radio(m.Kind) && !reached(cfg, i) {
			list = append(list, fmt.Sprintf("mote %d uses its radio, but no other mote can send to it (use --nodes 2, --frame, or links in a scenario)", m.ID))
		}
	}
	return list
}

// Serial reports whether a firmware has a handler for what a USART receives.
func Serial(k *mote.Kind, usart int) bool {
	return listens(k, fmt.Sprintf("USART%d_RX", usart), "USART_RX")
}

// listens tells whether a firmware has a handler for one of some vectors.
func listens(k *mote.Kind, names ...string) bool {
	handlers := k.Handlers()
	for n, name := range k.Board.Chip.Vectors {
		if slices.Contains(names, name) && handlers[n] != 0 {
			return true
		}
	}
	return false
}

// Radio reports whether a firmware serves its board's radio.
func Radio(k *mote.Kind) bool {
	stream, pins := k.RadioVectors()
	for n, handler := range k.Handlers() {
		if (stream|pins)>>n&1 != 0 && handler != 0 {
			return true
		}
	}
	return false
}

// fed tells whether anything comes in on a mote's line.
func fed(cfg *world.Config, mote int, usart uint8) bool {
	if slices.ContainsFunc(cfg.Serial, func(s world.Serial) bool { return s.Mote == mote && s.USART == usart && len(s.Bytes) > 0 }) {
		return true
	}
	return cfg.Net != nil && slices.ContainsFunc(cfg.Net.Wires, func(w medium.Wire) bool {
		return w.A.Mote == mote && w.A.USART == usart || w.B.Mote == mote && w.B.USART == usart
	})
}

// reached tells whether somebody's transmissions reach a mote.
func reached(cfg *world.Config, mote int) bool {
	if slices.ContainsFunc(cfg.Events, func(e world.Event) bool { return e.Mote == mote && e.Kind == world.HearFrame }) {
		return true
	}
	return cfg.Net != nil && slices.ContainsFunc(cfg.Net.Links(), func(l medium.Link) bool { return l.To == mote })
}

// Idle says which of the faults that a scenario allows never had an occasion: no frame came that they are about, or none ended where a
// mote's power could have failed. Offered tells whether a fault had one.
func Idle(cfg *world.Config, offered func(fault int) bool) []string {
	var list []string
	for n := range cfg.Faults {
		f := &cfg.Faults[n]
		if f.Max == 0 || offered(n) {
			continue
		}
		whose := ""
		if f.Mote != world.Everyone {
			whose = fmt.Sprintf(" of mote %d", cfg.Motes[f.Mote].ID)
		}
		list = append(list, fmt.Sprintf("%s%s could not happen", f.Kind, whose))
	}
	return list
}
