package memory

import (
	"slices"

	"motehound/mote/block"
)

// remembered is what a tracker knew when a loop began that the mote waits in.
type remembered struct {
	small
	block   block.Block
	reports int
}

// Remember implements mcu.Settler.
func (m *tracker) Remember() {
	m.was.small, m.was.reports = m.small, m.reports
	m.was.block = append(m.was.block[:0], m.block...)
}

// Unchanged implements mcu.Settler: what happens to tags depends on them, on SP and on pointers, so what has led to the same tags once does so
// again.
func (m *tracker) Unchanged() bool {
	return m.was.small == m.small && m.was.reports == m.reports && slices.Equal(m.was.block, m.block)
}
