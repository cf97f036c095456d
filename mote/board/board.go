// Package board describes boards as data: which chip they carry, at which clock and with which fuses, and what is soldered
// to which pad. A board has no behaviour of its own; package mote runs it.
package board

import (
	"fmt"

	"motehound/mote/chip"
	"motehound/mote/periph"
	"motehound/mote/radio"
)

// Board is one kind of board.
type Board struct {
	Name  string
	About string
	Chip  *chip.Chip

	Hertz     uint64   // the CPU's oscillator
	CrystalHz uint32   // on TOSC1 and TOSC2; 0 for none
	AREF      uint16   // millivolts at the chip's AREF pin; 0 when only decoupled
	AVCC      uint16   // millivolts
	Fuses     [3]uint8 // low, high, extended
	WakeUp    uint32   // cycles that the oscillator takes to start (fuses CKSEL, SUT)

	LEDs     []LED
	Pulls    []Pull
	Radio    *RadioWiring
	SerialID periph.Pin   // DS2401 silicon serial number
	Flash    *FlashWiring // AT45DB041B
	Devices  []Device     // on the TWI and the SPI
	Console  uint8        // the USART that leads to the host
	Draw     *Draw        // what its parts draw; nil if that is not known
	// ResetOnOpen: the host resets the board when it opens the serial port (DTR through a capacitor).
	ResetOnOpen bool
}

// LED is a light and the pad that switches it.
type LED struct {
	Name      string
	Pin       periph.Pin
	ActiveLow bool
}

// Pull is a resistor or a driver of the board at a pad.
type Pull struct {
	Pin   periph.Pin
	Drive periph.Drive
}

// MaxDevices is how many a board can have.
const MaxDevices = 8

// Device is a part on a bus that answers from a table. The first byte that it is sent chooses a register; each byte that is read is the
// next register's. What else it is sent moves on by a register, and changes nothing.
type Device struct {
	Address uint8      // on the TWI, 7 bits
	Select  periph.Pin // on the SPI: low while the device is chosen; NoPin for a device on the TWI
	Table   [256]uint8
}

// FlashWiring is how a board reaches its external flash: pads, bit by bit.
type FlashWiring struct {
	Select, Clock, In, Out periph.Pin // In and Out as seen from the flash
}

// RadioWiring is how a board reaches its radio; their data goes over the chip's SPI.
type RadioWiring struct {
	*radio.Model
	Pins    []periph.Pin // by the radio's numbers
	Crystal uint32       // Hz, if the radio must know
	Meter   uint8        // the ADC channel of a radio.Meter
}

// pin is short for the tables below.
func pin(port byte, bit uint8) periph.Pin { return periph.P(port, bit) }

// micaFlash and micaLEDs are common to the Mica family (schematics in Crossbow's MPR/MIB user manual, 7430-0021).
var (
	micaFlash = &FlashWiring{Select: pin('A', 3), Clock: pin('D', 5), In: pin('D', 3), Out: pin('D', 2)}
	micaLEDs  = []LED{
		{"red", pin('A', 2), true},
		{"green", pin('A', 1), true},
		{"yellow", pin('A', 0), true},
	}
)

// mica is a board of the family: ATmega128L at 7.3728 MHz.
func mica(name, about string, r RadioWiring) Board {
	return Board{
		Name: name, About: about, Chip: &chip.ATmega128, Hertz: 7_372_800, CrystalHz: 32_768, AREF: 3000, AVCC: 3000, Draw: drawOf(r.Model),
		Fuses: [3]uint8{0xFF, 0xD9, 0xFF}, WakeUp: 16 << 10, LEDs: micaLEDs, Radio: &r, SerialID: pin('A', 4), Flash: micaFlash,
	}
}

// Mica2 is the MPR400.
var Mica2 = func() Board {
	b := mica("mica2", "Crossbow Mica2 (ATmega128, CC1000)", RadioWiring{Model: &radio.ModelCC1000, Crystal: 14_745_600, Meter: 0, Pins: []periph.Pin{
		radio.PinPALE: pin('D', 4), radio.PinPCLK: pin('D', 6), radio.PinPDATA: pin('D', 7), radio.PinCHPOUT: pin('A', 6)}})
	b.Pulls = []Pull{{pin('B', 0), periph.DriveLow}} // SS: the SPI is always the radio's slave
	return b
}()

// MicaZ is the MPR2400.
var MicaZ = mica("micaz", "Crossbow MicaZ (ATmega128, CC2420)", RadioWiring{Model: &radio.ModelCC2420, Pins: []periph.Pin{
	radio.PinVREN: pin('A', 5), radio.PinRSTN: pin('A', 6), radio.PinCSN: pin('B', 0),
	radio.PinFIFO: pin('B', 7), radio.PinFIFOP: pin('E', 6), radio.PinSFD: pin('D', 4), radio.PinCCA: pin('D', 6)}})

// Uno is the Arduino Uno: ATmega328P at 16 MHz. Fuses as its boot loader sets them.
var Uno = Board{
	Name:   "uno",
	About:  "Arduino Uno (ATmega328P)",
	Chip:   &chip.ATmega328P,
	Hertz:  16_000_000,
	AVCC:   5000,
	Fuses:  [3]uint8{0xFF, 0xDE, 0xFD},
	WakeUp: 16 << 10,
	LEDs: []LED{
		{"D13", pin('B', 5), false},
		{"D12", pin('B', 4), false},
		{"D11", pin('B', 3), false},
	},
	ResetOnOpen: true,
}

// Mega2560 is the Arduino Mega 2560: ATmega2560 at 16 MHz. Fuses as its boot loader sets them.
var Mega2560 = Board{
	Name:        "mega2560",
	About:       "Arduino Mega 2560 (ATmega2560)",
	Chip:        &chip.ATmega2560,
	Hertz:       16_000_000,
	AVCC:        5000,
	Fuses:       [3]uint8{0xFF, 0xD8, 0xFD},
	WakeUp:      16 << 10,
	LEDs:        []LED{{"D13", pin('B', 7), false}},
	ResetOnOpen: true,
}

// All lists every board, in the order in which help shows them.
func All() []*Board { return []*Board{&MicaZ, &Mica2, &Uno, &Mega2560} }

// Find looks a board up by name, whatever its case.
func Find(name string) (*Board, error) {
	b, err := chip.ByName(All(), func(b *Board) string { return b.Name }, name, "board")
	if err != nil {
		return nil, fmt.Errorf("%w, or name a bare chip with --chip", err)
	}
	return b, nil
}

// Bare is a board with nothing on it but a chip and a crystal.
func Bare(c *chip.Chip, hertz uint64) *Board {
	return &Board{Name: c.Name, About: "bare " + c.Name, Chip: c, Hertz: hertz, AVCC: 5000,
		Fuses: [3]uint8{0xFF, 0xD9, 0xFF}, WakeUp: 16 << 10}
}
