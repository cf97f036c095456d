// Package mote puts a chip on a board: what is soldered to its pads, where its serial lines lead, what its sensors
// read, and the node id in its firmware.
//
// A Kind is what motes of one board and one firmware share; it is immutable. A Mote's state is plain data, so it can be
// cloned, restored and hashed. A Mote knows nothing about other motes: it asks its Env.
package mote

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/mote/mcu"
)

// Kind is a board with a firmware.
type Kind struct {
	Board  *board.Board
	Image  *image.Image
	design *mcu.Design
	code   *avr.Program
	ids    []idWord
	hasLED [256]bool // by pad
	// toRadio is by pad: which of the radio's inputs it leads to, plus one.
	toRadio [256]uint8
	beyond  uint32 // the first data address behind the program's variables
	seen    watchedPrograms
}

// watchedPrograms are programs with hooks, of which many worlds have the same: each is a megabyte.
type watchedPrograms struct {
	mu   sync.Mutex
	keys []string
	code []*avr.Program
}

// maxWatched bounds how many are kept.
const maxWatched = 8

// Watched is the program as it is watched.
func (k *Kind) Watched(w mcu.Watch) *avr.Program {
	key := keyOf(w)
	k.seen.mu.Lock()
	defer k.seen.mu.Unlock()
	if i := slices.Index(k.seen.keys, key); i >= 0 {
		return k.seen.code[i]
	}
	p := w.Over(k.code)
	if len(k.seen.keys) == maxWatched {
		k.seen.keys, k.seen.code = nil, nil
	}
	k.seen.keys, k.seen.code = append(k.seen.keys, key), append(k.seen.code, p)
	return p
}

// keyOf is the same for what is watched alike.
func keyOf(w mcu.Watch) string {
	var key []byte
	for _, list := range [][]uint32{w.At, w.Points, w.Data, w.Blocks} {
		key = binary.AppendUvarint(key, uint64(len(list)))
		for _, pc := range list {
			key = binary.AppendUvarint(key, uint64(pc))
		}
	}
	return string(key)
}

// idWord is where flash holds the initial value of a node id variable.
type idWord struct {
	addr uint32
	size uint32
}

// IDSymbols are the variables that TinyOS's installer sets to the node id: TinyOS 2's, then TinyOS 1's.
var IDSymbols = []string{"TOS_NODE_ID", "ActiveMessageAddressC__addr", "TOS_LOCAL_ADDRESS"}

// NewKind checks that a firmware fits a board and prepares both. Symbols names the variables that hold the node id;
// nil means IDSymbols, as far as the firmware has them.
func NewKind(b *board.Board, im *image.Image, symbols []string) (*Kind, error) {
	im, err := fit(b.Chip, im)
	if err != nil {
		return nil, err
	}
	k := &Kind{Board: b, Image: im, beyond: beyond(im.Symbol)}
	for _, l := range b.LEDs {
		k.hasLED[l.Pin] = true
	}
	if r := b.Radio; r != nil {
		for n := int(r.Outputs); n < len(r.Pins); n++ {
			k.toRadio[r.Pins[n]] = uint8(n) + 1
		}
	}
	if err := k.findIDs(symbols); err != nil {
		return nil, err
	}
	k.design = mcu.NewDesign(b.Chip, mcu.Options{
		Hertz: b.Hertz, CrystalHz: b.CrystalHz, AREF: b.AREF, AVCC: b.AVCC, Fuses: b.Fuses, WakeUp: b.WakeUp,
		Kinds: numKinds, WatchSPI: b.Radio != nil && b.Radio.Streams, Board: boardBytes(b),
	})
	k.code = avr.Compile(im.Flash, b.Chip.FlashSize/2, b.Chip.Has)
	for _, w := range k.ids {
		k.code.Dynamic(w.addr/2, (w.addr+w.size+1)/2-w.addr/2)
	}
	return k, nil
}

// fit is a firmware as a chip holds it, or why it does not run there.
func fit(c *chip.Chip, im *image.Image) (*image.Image, error) {
	if n := uint32(len(im.EEPROM)); n > c.EEPROMSize {
		return nil, fmt.Errorf("%s needs %d bytes of EEPROM, but the %s has %d: choose another --board or --chip", im.Path, n, c.Name, c.EEPROMSize)
	}
	if im.MCU != "" && !strings.EqualFold(im.MCU, c.Name) && !strings.EqualFold(im.MCU, c.Name+"a") {
		return nil, fmt.Errorf("%s was built for the %s, not for the %s: choose another --board or --chip", im.Path, im.MCU, c.Name)
	}
	folded, err := im.Fold(c.FlashSize)
	if err != nil {
		return nil, fmt.Errorf("%s needs %w, but the %s has %d: choose another --board or --chip", im.Path, err, c.Name, c.FlashSize)
	}
	return folded, nil
}

// findIDs finds the initial values of the node id variables in flash: they are in the copy of .data that the start-up
// code loads.
func (k *Kind) findIDs(symbols []string) error {
	im := k.Image
	load, ok1 := im.Symbol("__data_load_start")
	start, ok2 := im.Symbol("__data_start")
	end, ok3 := im.Symbol("__data_end")
	names := symbols
	if names == nil {
		names = IDSymbols
	}
	for _, name := range names {
		s, found := im.Symbol(name)
		inData := found && ok1 && ok2 && ok3 && s.Space == image.Data && s.Addr >= start.Addr && s.Addr+s.Size <= end.Addr
		// What the linker says of the copy holds only if there is one.
		inFlash := inData && (load.Space == image.Flash || load.Space == image.Absolute) && uint64(load.Addr)+uint64(s.Addr-start.Addr)+uint64(s.Size) <= uint64(len(im.Flash))
		switch {
		case inFlash && (s.Size == 1 || s.Size == 2):
			k.ids = append(k.ids, idWord{load.Addr + s.Addr - start.Addr, s.Size})
		case symbols != nil && !found:
			return fmt.Errorf("%s has no symbol %s: name the variable that holds the node id (avr-nm lists them)", im.Path, name)
		case symbols != nil:
			return fmt.Errorf("%s in %s is not an initialised variable of one or two bytes: its value cannot be set in flash", name, im.Path)
		}
	}
	return nil
}

// SameBuild reports whether motes of two kinds run the same code on the same hardware: what is known by address, by number or by name of
// the one is true of the other.
func (k *Kind) SameBuild(o *Kind) bool {
	return k.Image.Hash == o.Image.Hash && k.Board.Name == o.Board.Name && k.Board.Chip == o.Board.Chip && k.Board.Hertz == o.Board.Hertz
}

// Handlers are the word addresses of the interrupt handlers, by vector as in the datasheet. It is 0 where there is none: those that a
// program does not use lead to address 0, since the C run-time's __bad_interrupt jumps there.
func (k *Kind) Handlers() []uint32 {
	list := make([]uint32, len(k.Board.Chip.Vectors))
	step := uint32(1)
	if k.Board.Chip.Has&avr.NeedJmp != 0 {
		step = 2
	}
	for n := 2; n < len(list); n++ {
		pc := uint32(n-1) * step
		for hops := 0; pc != 0 && hops < 4; hops++ {
			flow, target := k.code.At(pc).Flow()
			if flow != avr.Jump || target == pc {
				break
			}
			pc = target
		}
		list[n] = pc
	}
	return list
}

// RadioVectors are the interrupts that serve the radio: those of its stream of bytes, which are lost if they wait, and those that its
// pins can raise, which report frames.
func (k *Kind) RadioVectors() (stream, pins uint64) {
	switch b := k.Board; {
	case b.Radio == nil:
	case b.Radio.Streams:
		stream = 1 << b.Chip.SPI.STC
	default:
		for n, name := range b.Chip.Vectors {
			if pinVector.MatchString(name) {
				pins |= 1 << n
			}
		}
	}
	return stream, pins
}

// pinVector matches the vectors that a pad can raise.
var pinVector = regexp.MustCompile(`^(PC)?INT\d|_CAPT$`)

// Program is the decoded firmware.
func (k *Kind) Program() *avr.Program { return k.code }
