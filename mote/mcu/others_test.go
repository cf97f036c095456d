package mcu

import (
	"encoding/binary"
	"reflect"
	"testing"

	"motehound/isa/avr"
	"motehound/mote/block"
	"motehound/mote/cell"
	"motehound/mote/chip"
	"motehound/mote/digest"
	"motehound/mote/periph"
	"motehound/mote/relative"
)

// A ticker is the smallest peripheral that has everything: it counts every 100 cycles while it is on, and requests an interrupt each time.
// It is what docs/adding-a-peripheral.md says of a peripheral, in a test.
type tickerConfig struct {
	TICK   uint16
	Vector uint8
}

type tickerState struct {
	Next uint64 `time:"clkio"`
	TICK uint8
	Flag uint8
	Pad  [2]uint8
	Made uint32
}

type ticker struct {
	ID  periph.ID
	Cfg *tickerConfig
	S   *tickerState
}

var tickerTable = relative.Of[tickerState]()

func (c *tickerConfig) State() reflect.Type { return reflect.TypeFor[tickerState]() }
func (c *tickerConfig) Make(id periph.ID, b block.Block, at int) periph.Other {
	return &ticker{id, c, block.At[tickerState](b, at)}
}

func (t *ticker) AppendState(h *digest.Digest) { digest.Struct(h, t.S) }
func (t *ticker) Shift(now, by *relative.Now)  { tickerTable.Shift(t.S, now, by) }

func (t *ticker) AppendRelative(h *digest.Digest, now *relative.Now) {
	c := *t.S
	tickerTable.Append(h, &c, now)
}

func (t *ticker) Registers() []uint16                        { return []uint16{t.Cfg.TICK} }
func (t *ticker) Vectors() []uint8                           { return []uint8{t.Cfg.Vector} }
func (t *ticker) Kinds() int                                 { return 1 }
func (t *ticker) Clocked(periph.Host)                        {}
func (t *ticker) Peek(periph.Host, uint16) uint8             { return t.S.TICK }
func (t *ticker) Read(h periph.Host, a uint16) cell.Cell     { return cell.Of(t.Peek(h, a)) }
func (t *ticker) Write(h periph.Host, _ uint16, v cell.Cell) { t.S.TICK = v.V(); t.plan(h) }

func (t *ticker) plan(h periph.Host) {
	t.S.Next = periph.Never
	if t.S.TICK&1 != 0 {
		t.S.Next = h.Now(periph.ClkIO) + 100
	}
	h.At(t.ID, 0, periph.ClkIO, t.S.Next)
}

func (t *ticker) Event(h periph.Host, _ uint8) {
	t.S.Made++
	t.S.Flag = 1
	h.Request(t.Cfg.Vector, true)
	t.plan(h)
}

func (t *ticker) Served(h periph.Host, vector uint8) {
	t.S.Flag = 0
	h.Request(vector, false)
}

func (t *ticker) Reset(h periph.Host, _ bool) {
	*t.S = tickerState{}
	t.plan(h)
}

// onTicker is an ATmega328P with a ticker, that runs a program which switches it on.
func onTicker() *Machine {
	c := chip.ATmega328P
	c.Vectors = append(append([]string{}, c.Vectors...), "TICK")
	c.Others = []periph.Maker{&tickerConfig{TICK: 0xC7, Vector: uint8(len(c.Vectors) - 1)}}
	flash := make([]byte, 256)
	for at, words := range map[int][]uint16{
		0:                        {0xC000 | 100 - 1},                     // rjmp 100
		(len(c.Vectors) - 2) * 2: {0x9513, 0x9518},                       // inc r17; reti
		100:                      {0xE001, 0x9300, 0xC7, 0x9478, 0xCFFF}, // ldi r16, 1; sts 0xC7, r16; sei; rjmp .
	} {
		for i, w := range words {
			binary.LittleEndian.PutUint16(flash[2*(at+i):], w)
		}
	}
	m := NewDesign(&c, Options{Hertz: 8_000_000}).New(avr.Compile(flash, c.FlashSize/2, c.Has), flash, nil, nobody{})
	m.PowerOn(0)
	return m
}

// A peripheral of which the chip knows nothing runs, is saved, hashed and moved with it.
func TestOthers(t *testing.T) {
	m := onTicker()
	m.run(1050)
	if got := m.core.R[17]; got != 10 {
		t.Fatalf("%d interrupts came, not 10", got)
	}
	sum := func(m *Machine) digest.Sum {
		d := digest.New()
		m.AppendState(&d)
		return d.Sum()
	}
	var saved Rest
	m.Save(&saved)
	before := sum(m)
	m.run(2050)
	after := sum(m)
	m.others()[0].(*ticker).S.Made++
	if sum(m) == after {
		t.Error("its state is not hashed")
	}
	m.Restore(&saved)
	if sum(m) != before {
		t.Error("its state was not restored")
	}
	if m.run(2050); sum(m) != after {
		t.Error("from a snapshot it goes on otherwise")
	}
	relativeSum := func() digest.Sum {
		d, now := digest.New(), m.Clocks()
		m.AppendRelative(&d, &now, 0x10000)
		return d.Sum()
	}
	here := relativeSum()
	m.Postpone(3)
	if relativeSum() != here {
		t.Error("its times were not moved with the chip's")
	}
	m.others()[0].(*ticker).S.Next++
	if relativeSum() == here {
		t.Error("its state is not in the relative hash")
	}
}
