package world

import (
	"motehound/mote"
	"motehound/mote/digest"
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/mote/radio"
)

// env is the world as one of its motes sees it.
type env struct {
	w *World
	i int
}

// Sensor implements mote.Env.
func (e env) Sensor(m *mote.Mote, channel uint8) (uint16, uint32, uint32) {
	value, known := e.w.plan.reading(e.i, channel, e.w.per[e.i].boot+m.Time())
	switch {
	case known:
	case e.w.guided:
		value = e.w.per[e.i].readings.read(channel)
	default:
		value = uint16(e.w.ask(e.i, ChoiceSensor, 1024))
	}
	return value, 0, 0
}

// Reading implements mote.SensorReader: the comparator looks at a sensor, and will want to know when it changes.
func (e env) Reading(m *mote.Mote, channel uint8) (uint16, bool) {
	value, known := e.w.plan.reading(e.i, channel, e.w.per[e.i].boot+m.Time())
	if len(e.w.plan.sensors[e.i]) > 0 {
		e.w.planLines(e.i)
	}
	return value, known
}

// Sent implements mote.Env.
func (e env) Sent(_ *mote.Mote, usart uint8, c periph.SerialChar) {
	for _, f := range e.w.observe.serial {
		f(e.i, usart, c)
	}
}

// Pad implements mote.Env.
func (e env) Pad(m *mote.Mote, p periph.Pin, level bool) {
	for _, f := range e.w.observe.pad {
		f(e.i, e.w.per[e.i].boot+m.Time(), p, level)
	}
}

// LED implements mote.Env.
func (e env) LED(m *mote.Mote, led int, on bool) {
	for _, f := range e.w.observe.led {
		f(e.i, e.w.per[e.i].boot+m.Time(), led, on)
	}
}

// Draws implements mote.RadioWatcher.
func (e env) Draws(_ *mote.Mote, at uint64, d radio.Draw) {
	for _, f := range e.w.observe.draws {
		f(e.i, e.w.per[e.i].boot+at, d)
	}
}

// Interrupt implements mote.Env.
func (e env) Interrupt(m *mote.Mote, vector uint8) {
	for _, f := range e.w.observe.interrupt {
		f(e.i, m.Cycles(), vector)
	}
}

// Hook implements mote.Env.
func (e env) Hook(m *mote.Mote, pc uint32) bool {
	if len(e.w.plan.vars[e.i]) > 0 {
		e.w.reached(e.i, m, pc)
	}
	if e.w.observe.some {
		if k := e.w.observe.of[e.i]; k != nil {
			return k.reached(e.i, m.Cycles(), pc)
		}
	}
	return false
}

// Repeats implements mote.Watcher.
func (e env) Repeats(_ *mote.Mote, pc uint32) bool {
	return len(e.w.plan.vars[e.i]) == 0 && e.w.observe.some && e.w.observe.of[e.i].repeats(pc)
}

// AppendKept implements mote.Watcher.
func (e env) AppendKept(_ *mote.Mote, d *digest.Digest) {
	for _, kept := range e.w.observe.kept {
		kept(e.i, d)
	}
}

// Notice implements mote.Env.
func (e env) Notice(m *mote.Mote, n mcu.Note) {
	for _, f := range e.w.observe.notice {
		f(e.i, n)
	}
}
