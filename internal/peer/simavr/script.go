package simavr

// Read is one read of an I/O register and the value it gave.
//
// The log holds one for every read by IN, SBIC, SBIS, LD, LDD, LDS, POP, RET
// and RETI of an address from 0x20 to the end of I/O, in order, except those of
// SREG, SPL, SPH, RAMPZ and EIND, which the core keeps. SBI and CBI read
// nothing from the log.
type Read struct {
	Addr  uint16
	Value uint8
}

// EventKind is what an [Event] does.
type EventKind uint8

// The kinds, with the fields they use.
const (
	// Interrupt pushes PC, clears I, jumps to Target and takes Cycles (at most 65535).
	Interrupt EventKind = 1 + iota
	// TakeCycles lets Cycles pass: sleep, wake-up, a CPU halted by an EEPROM
	// or flash access.
	TakeCycles
	// Poke stores Value at the data address Target, SREG and SP included.
	Poke
	// FlashWord stores Word at the flash byte address Target: what SPM does.
	FlashWord
	// Jump sets PC to Target: with Pokes, a reset.
	Jump
)

// Event is something that the driver's peripherals did to the CPU before
// instruction number At ran; the first after the load is number 0. So it shows
// in the sample of instruction At, not of the one before.
type Event struct {
	At     uint64
	Kind   EventKind
	Target uint32 // byte address
	Cycles uint32
	Value  uint8
	Word   uint16
}

// Script appends to the log and the events of a scripted program. Events must
// come in order of At, and be given before their instruction runs.
func (p *Program) Script(reads []Read, events []Event) error {
	b := make([]byte, 0, 8+3*len(reads)+16*len(events))
	b = le.AppendUint32(b, uint32(len(reads)))
	b = le.AppendUint32(b, uint32(len(events)))
	for _, r := range reads {
		b = append(le.AppendUint16(b, r.Addr), r.Value)
	}
	for _, e := range events {
		b = le.AppendUint64(b, e.At)
		b = append(b, byte(e.Kind), e.Value)
		small, large := uint16(0), e.Target
		switch e.Kind {
		case Interrupt:
			small = uint16(e.Cycles)
		case TakeCycles:
			large = e.Cycles
		case Poke:
			small = uint16(e.Target)
		case FlashWord:
			small = e.Word
		}
		b = le.AppendUint16(b, small)
		b = le.AppendUint32(b, large)
	}
	_, err := p.call(opScript, b)
	return err
}

// OutputKind is where an [Output] left the chip.
type OutputKind uint8

// The kinds.
const (
	UART OutputKind = 1 + iota // Unit '0'..'3'
	Port                       // a write of PORTx, Unit 'A'..'L'
	DDR                        // a write of DDRx
)

// Output is something that simavr's peripherals showed to the outside in the
// native mode. Cycle is simavr's count when the instruction began: simavr adds an
// instruction's cycles after its effect.
type Output struct {
	Cycle uint64
	Kind  OutputKind
	Unit  byte
	Value uint8
}

// Output takes what has been recorded since it was last called.
func (p *Program) Output() ([]Output, error) {
	d, err := p.call(opOutput, nil)
	if err != nil {
		return nil, err
	}
	var all []Output
	for len(d.b) > 0 {
		all = append(all, Output{d.u64(), OutputKind(d.u8()), d.u8(), d.u8()})
	}
	return all, nil
}

// Send puts bytes into the receiver of a UART ('0'..'3') of a native program,
// which must have enabled it. simavr queues up to 63 of them.
func (p *Program) Send(uart byte, data []byte) error {
	_, err := p.call(opSend, append([]byte{uart}, data...))
	return err
}
