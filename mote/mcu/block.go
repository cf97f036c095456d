package mcu

import (
	"motehound/mote/block"
	"motehound/mote/chip"
	"motehound/mote/periph"
)

// places is where a machine's plain data lies in its block: the state first, then what chips have more or less of, then
// the board's own.
type places struct {
	rooms                                      block.Layout
	ports, timers, usarts, scratch, ram, board int
	others                                     []int
}

var (
	stateSize = block.Size[state]()
	portSize  = block.Size[periph.PortState]()
	timerSize = block.Size[periph.TimerState]()
	usartSize = block.Size[periph.USARTState]()
)

// arrange finds room for everything, for a chip on a board that has so many bytes of its own.
func arrange(c *chip.Chip, board int) (p places) {
	p.rooms.Room(stateSize)
	p.ports = p.rooms.Room(len(c.Ports) * portSize)
	p.timers = p.rooms.Room(len(c.Timers) * timerSize)
	p.usarts = p.rooms.Room(len(c.USARTs) * usartSize)
	p.scratch = p.rooms.Room(int(c.RAMBase))
	p.ram = p.rooms.Room(int(c.RAMSize))
	p.board = p.rooms.Room(board)
	for _, o := range c.Others {
		p.others = append(p.others, p.rooms.Room(block.SizeOf(o.State())))
	}
	return p
}

// settle makes a block the machine's memory.
func (m *Machine) settle(b block.Block) {
	m.block, m.st = b, block.At[state](b, 0)
	m.scratch = block.Bytes(b, m.lay.places.scratch, int(m.chip.RAMBase))
	m.ram = block.Bytes(b, m.lay.ram, int(m.chip.RAMSize))
}

// devices are the states of which chips have different numbers.
func (m *Machine) devices() ([]periph.PortState, []periph.TimerState, []periph.USARTState) {
	return block.Slice[periph.PortState](m.block, m.lay.ports, len(m.chip.Ports)),
		block.Slice[periph.TimerState](m.block, m.lay.timers, len(m.chip.Timers)),
		block.Slice[periph.USARTState](m.block, m.lay.usarts, len(m.chip.USARTs))
}

// others are the devices that the chip's Others have made.
func (m *Machine) others() []periph.Other {
	if len(m.chip.Others) == 0 {
		return nil
	}
	return m.dev().others
}

// Board is the memory that Options.Board asked for. It is copied with the machine.
func (m *Machine) Board() block.Block { return m.block[m.lay.board:] }
