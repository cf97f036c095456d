// Package chip describes AVR microcontrollers as data: where each one puts its registers, bits, vectors and pads, how
// much memory it has, and what its sleep modes stop. Everything here is immutable and shared by all motes.
//
// A register address of 0 means that the chip lacks it. Names are the datasheets'. Vectors have the datasheets'
// numbers (reset is 1).
package chip

import (
	"fmt"
	"slices"
	"strings"

	"motehound/isa/avr"
	"motehound/mote/periph"
)

// Register names one address of the data space.
type Register struct {
	Addr uint16
	Name string
}

// Chip is one microcontroller.
type Chip struct {
	Name      string
	Signature [3]uint8
	Has       avr.Need // instructions beyond the common ones

	FlashSize  uint32 // bytes
	RAMBase    uint16 // data address of the first byte of SRAM
	RAMSize    uint32
	EEPROMSize uint32

	Registers []Register
	Vectors   []string // by number; "" where there is none
	Scratch   []uint16 // registers without function beyond holding a value

	// SingleBitIO: SBI and CBI touch one bit only. On older chips they read and write the whole register, which clears
	// flags in it.
	SingleBitIO bool

	Control    ControlConfig
	Ports      []periph.PortConfig
	ExtInt     *periph.ExtIntConfig
	PinChange  *periph.PinChangeConfig
	Prescaler  *periph.PrescalerConfig
	Timers     []periph.TimerConfig
	USARTs     []periph.USARTConfig
	SPI        *periph.SPIConfig
	TWI        *periph.TWIConfig
	ADC        *periph.ADCConfig
	Comparator *periph.ComparatorConfig
	EEPROM     *periph.EEPROMConfig
	SelfProg   *periph.SelfProgConfig
	Watchdog   *periph.WatchdogConfig
	Clock      *periph.ClockConfig
	Others     []periph.Maker // of which package mcu need not know what they are
}

// ControlConfig is where a chip has its sleep, reset and vector control bits.
type ControlConfig struct {
	SMCR              uint16 // register with the sleep bits (MCUCR on the ATmega128)
	SE                uint8  // bit numbers
	SM0, SM1, SM2     uint8
	MCUCR             uint16 // register with IVSEL and IVCE
	IVSEL, IVCE       uint8
	MCUSR             uint16 // reset flags (MCUCSR on the ATmega128)
	PORF, EXTRF, WDRF uint8
	PRR               []uint16 // power reduction registers
	KeepMCUCR         uint8    // bits of MCUCR that only hold their value
	KeepMCUSR         uint8    // likewise
	SPAtRAMEnd        bool     // the stack pointer starts at the end of SRAM rather than at 0

	BOOTRST, WDTON, CKDIV8 FuseBit
}

// FuseBit is a bit of a fuse byte: 1 is low, 2 high, 3 extended; 0 means that the chip lacks it. Programmed is 0.
type FuseBit struct{ Byte, Bit uint8 }

// All lists every chip, in the order in which help shows them.
func All() []*Chip { return []*Chip{&ATmega128, &ATmega1281, &ATmega2560, &ATmega328P} }

// Find looks a chip up by name, whatever its case.
func Find(name string) (*Chip, error) {
	return ByName(All(), func(c *Chip) string { return c.Name }, name, "chip")
}

// ByName looks up one of a kind by name, whatever its case.
func ByName[T any](all []*T, nameOf func(*T) string, name, kind string) (*T, error) {
	var names []string
	for _, x := range all {
		if strings.EqualFold(nameOf(x), name) {
			return x, nil
		}
		names = append(names, nameOf(x))
	}
	return nil, fmt.Errorf("unknown %s %q: choose one of %s", kind, name, strings.Join(names, ", "))
}

// RegisterName is the datasheet's name of a data-space address.
func (c *Chip) RegisterName(addr uint16) string {
	for _, r := range c.Registers {
		if r.Addr == addr {
			return r.Name
		}
	}
	return fmt.Sprintf("0x%02X", addr)
}

// HasPin tells whether the package has a pad for a pin.
func (c *Chip) HasPin(p periph.Pin) bool {
	return slices.ContainsFunc(c.Ports, func(x periph.PortConfig) bool { return x.Name-'A' == p.Port() && x.Pads>>p.Bit()&1 != 0 })
}

// loopName is the name of what is told apart as vector 0: the main loop of a program without a kernel.
const loopName = "main loop"

// VectorName is the datasheet's name of an interrupt vector.
func (c *Chip) VectorName(n uint8) string {
	if n == 0 {
		return loopName
	}
	if int(n) < len(c.Vectors) && c.Vectors[n] != "" {
		return c.Vectors[n]
	}
	return fmt.Sprintf("vector %d", n)
}

// Vector finds a vector by its number or name, with or without a trailing "_vect".
func (c *Chip) Vector(s string) (uint8, error) {
	want := strings.ToUpper(strings.TrimSuffix(strings.TrimSuffix(s, "_vect"), "_VECT"))
	if want == "LOOP" || strings.EqualFold(s, loopName) {
		return 0, nil
	}
	for n, name := range c.Vectors {
		if name != "" && (name == want || fmt.Sprint(n) == s) {
			return uint8(n), nil
		}
	}
	return 0, fmt.Errorf("%s has no interrupt vector %q: use a number (2..%d), a name such as %s, or loop", c.Name, s, len(c.Vectors)-1, c.Vectors[2])
}
