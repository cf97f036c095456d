package mcu

import "motehound/isa/avr"

// SetShadow lets a shadow follow what the core executes; nil ends it. A machine that has programmed itself has none from
// then on: the shadow knows only the program that it was made for.
func (m *Machine) SetShadow(s avr.Shadow) {
	m.core.Shadow = s
	m.rehook()
}

// shade puts the shadow's marks over the program that rehook has chosen.
func (m *Machine) shade() {
	if m.core.Shadow != nil {
		m.core.Program = m.core.Shadow.Over(m.core.Plain, m.core.Program)
	}
}
