package mote

import "motehound/mote/store"

// ExternalFlash is the contents of the flash beside the chip, or nil if the board has none. What is written to it is as if
// the flash had it by itself.
func (m *Mote) ExternalFlash() *store.Store {
	if m.Kind.Board.Flash == nil {
		return nil
	}
	return &m.flash
}
