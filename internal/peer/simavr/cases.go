package simavr

import "fmt"

// Byte is a byte of the data space.
type Byte struct {
	Addr  uint16
	Value uint8
}

// FlashByte is a byte of the program memory.
type FlashByte struct {
	Addr  uint32
	Value uint8
}

// Case is one instruction and the state it meets.
type Case struct {
	PC          uint32   // byte address, even
	Code        []uint16 // the words at PC: the instruction and what follows it
	R           [32]uint8
	SREG        uint8
	SP          uint16
	RAMPZ, EIND uint8       // ignored by chips without them
	Mem         []Byte      // data space over the background; not r0..r31, SP, SREG
	Flash       []FlashByte // flash over the background; Code wins where they overlap
}

// Result is the state after a [Case].
type Result struct {
	R      [32]uint8
	SREG   uint8
	SP     uint16
	PC     uint32 // byte address; simavr wraps it for RJMP and RCALL only
	Cycles uint8
	CPU    CPUState
	// InvalidOpcode: simavr logged the opcode as invalid. It then goes on as
	// with a NOP, except for ELPM, EIJMP and EICALL: see the package comment.
	InvalidOpcode bool
	// BadAddress: an access above RAMEND. The access took place all the same,
	// in the harness's full data space, and CPU is Crashed.
	BadAddress bool
	// Changes are the data space bytes that differ from before, ascending,
	// without r0..r31, SP and SREG but with RAMPZ, EIND and all other I/O.
	Changes []Byte
}

// Background is what memory holds before each case: Data from address 0 (its
// first 32 bytes, SP and SREG are overwritten by each case), Flash from 0.
// Missing data bytes are 0x00 and missing flash bytes 0xff.
type Background struct {
	Data, Flash []byte
}

// Cases runs single instructions on a bare core: I/O registers are plain
// memory, WDR and SPM reach no peripheral, no timer and no interrupt exists.
type Cases struct {
	*process
	Info Info
}

// Cases starts a harness for one kind of chip.
func (h *Harness) Cases(mcu string, bg Background) (*Cases, error) {
	p, err := h.start()
	if err != nil {
		return nil, err
	}
	body := appendString(nil, mcu)
	body = le.AppendUint32(body, uint32(len(bg.Data)))
	body = le.AppendUint32(body, uint32(len(bg.Flash)))
	body = append(append(body, bg.Data...), bg.Flash...)
	d, err := p.call(opCasesOpen, body)
	if err != nil {
		p.Close()
		return nil, err
	}
	return &Cases{process: p, Info: d.info()}, nil
}

// batch is how many cases travel in one frame: enough to make system calls
// rare, few enough that both processes stay busy.
const batch = 1024

// Run runs cases[i] into results[i], whose Changes are reused. An error of
// the harness leaves results undefined and the Cases usable.
func (c *Cases) Run(cases []Case, results []Result) error {
	if len(results) != len(cases) {
		return fmt.Errorf("simavr: %d results for %d cases", len(results), len(cases))
	}
	frames := (len(cases) + batch - 1) / batch
	sent := make(chan error, frames)
	go func() {
		var body []byte
		for i := 0; i < len(cases); i += batch {
			body = body[:0]
			for j := i; j < min(i+batch, len(cases)); j++ {
				body = cases[j].encode(body)
			}
			if err := c.send(opCasesRun, body); err != nil {
				sent <- err
				return
			}
			sent <- nil
		}
	}()
	var failure error
	for i := range frames {
		if err := <-sent; err != nil {
			return err
		}
		d, err := c.receive()
		if err != nil {
			if failure == nil {
				failure = fmt.Errorf("cases %d and on: %w", i*batch, err)
			}
			continue
		}
		if failure != nil {
			continue
		}
		for j := i * batch; j < min((i+1)*batch, len(cases)); j++ {
			results[j].decode(&d)
		}
	}
	return failure
}

// One runs a single case.
func (c *Cases) One(one Case) (Result, error) {
	var r [1]Result
	err := c.Run([]Case{one}, r[:])
	return r[0], err
}

func (c *Case) encode(b []byte) []byte {
	if len(c.Code) > 255 || len(c.Mem) > 255 || len(c.Flash) > 255 {
		panic("BUG: simavr: a case holds at most 255 of each of Code, Mem and Flash")
	}
	b = le.AppendUint32(b, c.PC)
	b = le.AppendUint16(b, c.SP)
	b = append(b, c.SREG, c.RAMPZ, c.EIND, uint8(len(c.Code)), uint8(len(c.Mem)), uint8(len(c.Flash)))
	b = append(b, c.R[:]...)
	for _, w := range c.Code {
		b = le.AppendUint16(b, w)
	}
	for _, m := range c.Mem {
		b = append(le.AppendUint16(b, m.Addr), m.Value)
	}
	for _, f := range c.Flash {
		b = append(le.AppendUint32(b, f.Addr), f.Value)
	}
	return b
}

func (r *Result) decode(d *decoder) {
	h := d.take(44)
	copy(r.R[:], h)
	r.SREG = h[32]
	r.CPU = CPUState(h[33])
	r.InvalidOpcode = h[34]&1 != 0
	r.BadAddress = h[34]&2 != 0
	r.Cycles = h[35]
	r.SP = le.Uint16(h[36:])
	r.PC = le.Uint32(h[38:])
	n := int(le.Uint16(h[42:]))
	r.Changes = r.Changes[:0]
	for range n {
		r.Changes = append(r.Changes, Byte{d.u16(), d.u8()})
	}
}
