package mcu

import (
	"motehound/isa/avr"
	"motehound/mote/periph"
	"motehound/mote/store"
)

// wiring holds the devices of one machine: each is a pointer to its immutable config and one to its state inside the
// machine. It is built when it is first needed, and never changes.
type wiring struct {
	control    control
	ports      [maxPorts]periph.Port
	extInt     periph.ExtInt
	pinChange  periph.PinChange
	prescaler  periph.Prescaler
	timers     [maxTimers]periph.Timer
	usarts     [maxUSARTs]periph.USART
	spi        periph.SPI
	twi        periph.TWI
	adc        periph.ADC
	comparator periph.Comparator
	eeprom     periph.EEPROM
	selfProg   periph.SelfProg
	watchdog   periph.Watchdog
	clock      periph.SystemClock
	others     []periph.Other

	devs [maxDevices]periph.Device     // by ID
	pins [maxDevices]periph.PinWatcher // those of them that watch pads
	held avr.Held
}

// dev is the machine's devices. A snapshot that nobody runs never has them made.
func (m *Machine) dev() *wiring {
	if m.wires == nil {
		m.wires = new(wiring)
		m.wire(nil)
	}
	return m.wires
}

// wire connects the devices to their configs and states. The order here is the order of IDs, and so of events that
// fall on the same cycle. Visit, if not nil, is told of each device.
func (m *Machine) wire(visit func(periph.ID, periph.Device)) {
	c, d, s := m.chip, m.wires, m.st
	ports, timers, usarts := m.devices()
	id := boardID
	add := func(dev periph.Device) {
		d.devs[id] = dev
		d.pins[id], _ = dev.(periph.PinWatcher)
		if visit != nil {
			visit(id, dev)
		}
	}
	next := func() periph.ID { id++; return id }

	next()
	d.control = control{cfg: &c.Control, s: &s.control, sleep: sleepBits(&c.Control)}
	add(&d.control)
	for i := range c.Ports {
		d.ports[i] = periph.Port{ID: next(), Cfg: &c.Ports[i], S: &ports[i], Sink: m}
		add(&d.ports[i])
	}
	if c.ExtInt != nil {
		d.extInt = periph.ExtInt{ID: next(), Cfg: c.ExtInt, S: &s.extInt}
		add(&d.extInt)
	}
	if c.PinChange != nil {
		d.pinChange = periph.PinChange{ID: next(), Cfg: c.PinChange, S: &s.pinChange, Gate: m}
		add(&d.pinChange)
	}
	d.prescaler = periph.Prescaler{ID: next(), Cfg: c.Prescaler, S: &s.prescaler}
	add(&d.prescaler)
	for i := range c.Timers {
		d.timers[i] = periph.Timer{ID: next(), Cfg: &c.Timers[i], S: &timers[i], CrystalHz: m.opt.CrystalHz}
		add(&d.timers[i])
	}
	for i := range c.USARTs {
		u := &c.USARTs[i]
		d.usarts[i] = periph.USART{ID: next(), Cfg: u, S: &usarts[i], Line: m.out, Index: uint8(i)}
		add(&d.usarts[i])
	}
	d.spi = periph.SPI{ID: next(), Cfg: c.SPI, S: &s.spi, Bus: m.out}
	add(&d.spi)
	d.twi = periph.TWI{ID: next(), Cfg: c.TWI, S: &s.twi, Bus: m.out}
	add(&d.twi)
	d.adc = periph.ADC{ID: next(), Cfg: c.ADC, S: &s.adc, Source: m.out, AREF: m.opt.AREF, AVCC: m.opt.AVCC}
	add(&d.adc)
	d.comparator = periph.Comparator{ID: next(), Cfg: c.Comparator, S: &s.comparator, Levels: m.out, Mux: &d.adc}
	add(&d.comparator)
	d.eeprom = periph.EEPROM{ID: next(), Cfg: c.EEPROM, S: &s.eeprom, Contents: &m.eeprom, CPU: m, Flash: &d.selfProg}
	add(&d.eeprom)
	d.selfProg = periph.SelfProg{ID: next(), Cfg: c.SelfProg, S: &s.selfProg, Page: &m.page, Flash: m, EEPROM: &d.eeprom, CPU: m,
		Fuses: m.opt.Fuses, OSCCAL: factoryOSCCAL}
	add(&d.selfProg)
	d.watchdog = periph.Watchdog{ID: next(), Cfg: c.Watchdog, S: &s.watchdog, Chip: resetter{m}, WDTON: m.fuse(c.Control.WDTON)}
	add(&d.watchdog)
	d.clock = periph.SystemClock{ID: next(), Cfg: c.Clock, S: &s.clock, Control: m, CKDIV8: m.fuse(c.Control.CKDIV8)}
	add(&d.clock)
	for i, o := range c.Others {
		d.others = append(d.others, o.Make(next(), m.block, m.lay.others[i]))
		add(d.others[i])
	}
	m.hold()
}

// factoryOSCCAL is the calibration byte in the signature row; every real chip has its own.
const factoryOSCCAL = 0x9F

// Init is New, in place.
func (d *Design) Init(m *Machine, p *avr.Program, flash, eeprom []byte, out Outside) {
	m.chip, m.opt, m.lay, m.out = d.Chip, d.Options, d.lay, out
	m.settle(d.lay.rooms.New())
	m.flash = store.New(flash, d.Chip.FlashSize, 0xFF)
	m.eeprom = store.New(eeprom, d.Chip.EEPROMSize, 0xFF)
	m.core.Init(m, p, m.ram, d.Chip.RAMBase)
	m.core.ROM = flash
}
