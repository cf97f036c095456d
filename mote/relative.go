package mote

import (
	"motehound/firmware/image"
	"motehound/mote/digest"
	"motehound/mote/relative"
)

var stateTable = relative.Of[state]()

// AppendRelative feeds the mote's state to a digest as it looks from now (package relative): motes of one Kind with the same digest, at
// whatever times by their clocks, do the same from now on if the same reaches them. It changes nothing in the mote. It is for a mote
// that is not in the middle of an instruction or an event.
//
// What is left out: counts of what has happened, notes, memory that the program does not use (see beyond), and what devices remember
// of things that are over. Input on serial lines that is still to come counts, since it is the mote that plans it.
func (m *Mote) AppendRelative(h *digest.Digest) {
	now := m.Clocks()
	m.Machine.AppendRelative(h, &now, m.Kind.beyond)
	m.appendBoard(h, &now)
	m.appendInput(h, now[relative.Real])
	h.Word(m.flash.Hash())
	if m.bus != nil {
		digest.Struct(h, m.bus)
	}
	if m.radio != nil {
		m.radio.AppendRelative(h, &now)
	}
}

// appendBoard takes the board's own state. The exact moment of a radio's event counts only while the event is planned.
func (m *Mote) appendBoard(h *digest.Digest, now *relative.Now) {
	c := *m.st
	for kind, at := range c.radioAt {
		if m.Planned(kindRadio + uint8(kind)) {
			h.Word(relative.Distance(at, now[relative.Real]))
		}
	}
	c.flash.Forget()
	c.serialID.Forget(now[relative.Real])
	stateTable.Append(h, &c, now)
}

// appendInput takes the serial input that has not been sent yet.
func (m *Mote) appendInput(h *digest.Digest, now uint64) {
	for usart := range m.input {
		rest := m.input[usart][m.st.feed[usart].input:]
		h.Word(uint64(len(rest)))
		for _, in := range rest {
			h.Word(relative.Distance(max(in.At, now), now))
			digest.Slice(h, in.Bytes)
			h.Word(uint64(len(in.Bytes)))
		}
	}
}

// heapSymbols tell where a program's variables end: the first address that is neither theirs nor the stack's.
var heapSymbols = []string{"_end", "__heap_start", "__bss_end"}

// everything is an address beyond all RAM.
const everything = 0x10000

// beyond is the first data address behind the program's variables: what lies between it and the stack is dead. A program that calls
// malloc (avr-libc's has a __brkval) uses it, and of one without symbols nothing is known.
func beyond(symbol func(name string) (image.Symbol, bool)) uint32 {
	if _, heap := symbol("__brkval"); heap {
		return everything
	}
	end := uint32(0)
	for _, name := range heapSymbols {
		if s, ok := symbol(name); ok && s.Space == image.Data {
			end = max(end, s.Addr)
		}
	}
	if end == 0 {
		return everything
	}
	return end
}
