package mote

import (
	"slices"

	"motehound/mote/cell"
)

// Decider is an Env that wants to know of symbolic bytes whose value has decided something.
type Decider interface{ Decided(m *Mote, c cell.Cell) }

// Decided implements cell.Decider.
func (o outside) Decided(c cell.Cell) {
	if d, ok := o.env.(Decider); ok {
		d.Decided(o.Mote, c)
	}
}

// Decided implements cell.Decider for the radio.
func (h radioHost) Decided(c cell.Cell) { outside{h.m}.Decided(c) }

// Joiner is an Env that makes expressions of parts of two, and of inverted ones: see cell.Joiner and cell.Inverter.
type Joiner interface {
	Join(m *Mote, high, low cell.Cell, n uint8) cell.Cell
	Invert(m *Mote, c cell.Cell) cell.Cell
}

// Join implements cell.Joiner for the radio.
func (h radioHost) Join(high, low cell.Cell, n uint8) cell.Cell {
	if j, ok := h.m.env.(Joiner); ok {
		return j.Join(h.m, high, low, n)
	}
	if h.m.Marked() { // it has the number of the byte that it begins in
		return cell.Symbolic(high.V()<<n|low.V()>>(8-n), high.Expr())
	}
	return cell.Of(cell.Decide(h, high)<<n | cell.Decide(h, low)>>(8-n))
}

// Invert implements cell.Inverter for the radio.
func (h radioHost) Invert(c cell.Cell) cell.Cell {
	if j, ok := h.m.env.(Joiner); ok {
		return j.Invert(h.m, c)
	}
	if h.m.Marked() {
		return cell.Symbolic(^c.V(), c.Expr())
	}
	return cell.Of(^cell.Decide(h, c))
}

// EachCell visits the cells that chip, radio, parts and serial lines hold. SRAM has bytes only.
func (m *Mote) EachCell(visit func(*cell.Cell)) {
	m.Machine.EachCell(visit)
	m.flash.EachCell(visit)
	if m.radio != nil {
		m.radio.EachCell(visit)
	}
	for usart := range m.input {
		m.input[usart] = eachInput(m.input[usart], int(m.st.feed[usart].input), visit)
	}
}

// eachInput visits what is still to come. Inputs are shared, so changed ones are copies.
func eachInput(list []Input, from int, visit func(*cell.Cell)) []Input {
	own := false
	for i := from; i < len(list); i++ {
		bytes := slices.Clone(list[i].Bytes)
		for k := range bytes {
			visit(&bytes[k])
		}
		if slices.Equal(bytes, list[i].Bytes) {
			continue
		}
		if !own {
			list, own = slices.Clone(list), true
		}
		list[i].Bytes = bytes
	}
	return list
}
