package debugger

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"motehound/job"
	"motehound/job/phrase"
	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/study/property/builtin"
	"motehound/study/travel"
)

// here says where one is.
func (d *Debugger) here() string {
	return fmt.Sprintf("%s, mote %d, %s", d.run.Moment(d.run.Here().Point), d.run.Mote().ID(), d.state(d.run.Mote()))
}

// state says what a mote does.
func (d *Debugger) state(m *mote.Mote) string {
	if why := m.Stopped(); why != mcu.Running {
		return fmt.Sprintf("stopped (%v) in %s", why, place(m, m.Core().PC))
	}
	if mode, asleep := m.Asleep(); asleep {
		return "asleep (" + mode + ")"
	}
	return place(m, m.Core().PC)
}

// place names an instruction.
func place(m *mote.Mote, pc uint32) string {
	return builtin.Places(m.Kind.Image, pc*2)[0].String()
}

func (d *Debugger) motes(string) error {
	at := d.run.Here().Mote
	for i, m := range d.run.Motes() {
		mark := " "
		if i == at {
			mark = "*"
		}
		state := d.state(m)
		if d.run.World().Off(i) {
			state = "off"
		}
		d.say("%s mote %-5d %s", mark, m.ID(), state)
	}
	return nil
}

func (d *Debugger) mote(arg string) error {
	i, err := d.run.ByID(arg)
	if err != nil {
		return err
	}
	if err := d.run.Look(i); err != nil {
		return err
	}
	return d.arrived()
}

// arrived says where one is, with its line.
func (d *Debugger) arrived() error {
	d.say("%s", d.here())
	if m := d.run.Mote(); m.Stopped() == mcu.Running {
		if _, asleep := m.Asleep(); asleep {
			return nil
		}
	}
	if text, ok := d.sourceLine(d.run.Mote(), d.run.Mote().Core().PC); ok {
		d.say("    %s", strings.TrimSpace(text))
	}
	return nil
}

// sourceLine is the text of the line that an instruction belongs to, if the file is there.
func (d *Debugger) sourceLine(m *mote.Mote, pc uint32) (string, bool) {
	p := builtin.Places(m.Kind.Image, pc*2)[0]
	lines, err := source(p.File)
	if err != nil || p.Line < 1 || p.Line > len(lines) {
		return "", false
	}
	return lines[p.Line-1], true
}

// source is the lines of a file, as it is now.
func source(file string) ([]string, error) {
	if file == "" {
		return nil, fs.ErrNotExist
	}
	const largest = 8 << 20
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > largest {
		return nil, cmp.Or(err, fs.ErrInvalid)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"), nil
}

// calledBy is how one function is the caller of another.
var calledBy = map[string]string{"in": "in", "inlined": "inlined in", "called": "called by", "interrupted": "which came in the middle of"}

func (d *Debugger) where(string) error {
	d.say("%s", d.here())
	for _, c := range job.Calls(d.run.Mote()) {
		d.say("  %s %s", calledBy[c.How], c.Place.Text)
	}
	return nil
}

func (d *Debugger) list(string) error {
	m := d.run.Mote()
	p := builtin.Places(m.Kind.Image, m.Core().PC*2)[0]
	lines, err := source(p.File)
	if err != nil {
		if p.File == "" {
			return errors.New("the firmware does not say which line this is: build it with -gdwarf-4")
		}
		return fmt.Errorf("%s cannot be read from here: %w", p.File, err)
	}
	for n := max(p.Line-5, 1); n <= min(p.Line+5, len(lines)); n++ {
		mark := "  "
		if n == p.Line {
			mark = "=>"
		}
		d.say("%s %5d  %s", mark, n, lines[n-1])
	}
	return nil
}

// inRAM is a variable with its bytes in the data space.
func (d *Debugger) inRAM(path string) (v job.Variable, r travel.Range, err error) {
	if v, err = d.run.Variable(path); err == nil {
		r, err = v.Bytes()
	}
	return v, r, err
}

func (d *Debugger) print(arg string) error {
	v, err := d.run.Variable(arg)
	if err != nil {
		return err
	}
	value, err := v.Read(d.run.Motes()[v.Mote])
	if err != nil {
		return err
	}
	d.say("%s = %s", arg, value)
	return nil
}

func (d *Debugger) locals(string) error {
	list, err := job.Locals(d.run.Mote())
	if err != nil {
		return err
	}
	for _, l := range list {
		if !l.Known {
			l.Value = "(" + l.Value + ")"
		}
		d.say("%s = %s", l.Name, l.Value)
	}
	if len(list) == 0 {
		d.say("the function has none")
	}
	return nil
}

func (d *Debugger) regs(string) error {
	c := d.run.Mote().Core()
	for row := 0; row < 32; row += 8 {
		text := ""
		for r := row; r < row+8; r++ {
			text += fmt.Sprintf("r%-2d %02x  ", r, c.R[r])
		}
		d.say("%s", strings.TrimRight(text, " "))
	}
	d.say("pc 0x%04x  sp 0x%04x  sreg 0x%02x  cycle %s", c.PC*2, c.SP, c.SREG(), phrase.Grouped(c.Cycles))
	d.say("next: %s", c.Coming())
	return nil
}

func (d *Debugger) memory(arg string) error {
	fields := strings.Fields(arg)
	if len(fields) == 0 || len(fields) > 2 {
		return errors.New("give an address, or a variable, and perhaps how many bytes")
	}
	n := 16
	if len(fields) == 2 {
		var err error
		if n, err = strconv.Atoi(fields[1]); err != nil || n < 1 || n > 4096 {
			return fmt.Errorf("%q: give 1 to 4096 bytes", fields[1])
		}
	}
	m := d.run.Mote()
	at, err := strconv.ParseUint(fields[0], 0, 16)
	if err != nil {
		v, r, failed := d.inRAM(fields[0])
		if failed != nil {
			return failed
		}
		m, at = d.run.Motes()[v.Mote], uint64(r.Addr)
	}
	for row := 0; row < n; row += 16 {
		text := ""
		for k := row; k < min(row+16, n); k++ {
			text += fmt.Sprintf(" %02x", m.Peek(uint16(at)+uint16(k)))
		}
		d.say("0x%04x %s", uint16(at)+uint16(row), text)
	}
	return nil
}

func (d *Debugger) pending(string) error {
	m := d.run.Mote()
	none := true
	for v := range uint8(64) {
		if m.Requests()>>v&1 != 0 {
			d.say("%d %s", v, m.Chip().VectorName(v))
			none = false
		}
	}
	if none {
		d.say("none")
	}
	if m.Core().I == 0 {
		d.say("interrupts are off")
	}
	return nil
}
