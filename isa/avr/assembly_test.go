package avr

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestAssembly runs the lines of testdata/{arithmetic,data,flow}.txt. A line is one instruction (and what a skip skips,
// after a $), the state it meets, and what it changes: all numbers are hexadecimal, pc is a byte address, and sreg is
// the flags that are set. Without chip= it is an ATmega2560, without pc= the instruction stands at 100, and word 0 of
// flash starts a JMP.
func TestAssembly(t *testing.T) {
	for _, name := range []string{"arithmetic", "data", "flow"} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", name+".txt")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var source strings.Builder
			var lines []assemblyLine
			for i, line := range strings.Split(string(text), "\n") {
				if line == "" || line[0] == '#' {
					continue
				}
				code, states, ok1 := strings.Cut(line, "|")
				before, after, ok2 := strings.Cut(states, "->")
				if !ok1 || !ok2 {
					t.Fatalf("%s:%d: want instruction | before -> after", file, i+1)
				}
				fmt.Fprintf(&source, ".org %d\n%s\n", len(lines)*slot, strings.ReplaceAll(code, "$", "\n"))
				lines = append(lines, assemblyLine{fmt.Sprintf("%s:%d: %s", file, i+1, strings.TrimSpace(code)), before, after})
			}
			image := assemble(t, source.String()+fmt.Sprintf(".org %d\n", len(lines)*slot))
			for i, line := range lines {
				line.run(t, image[i*slot:(i+1)*slot])
			}
		})
	}
}

// slot is how many bytes of code a line gets.
const slot = 8

type assemblyLine struct{ name, before, after string }

// moment is everything that a line can name.
type moment struct {
	State
	sreg   uint8
	data   [1 << 16]uint8
	cycles uint64
}

func (l *assemblyLine) run(t *testing.T, code []byte) {
	t.Helper()
	var want moment
	want.PC = 0x80
	chip, flash := chipNamed(t, "atmega2560"), map[uint32]uint8{}
	for _, f := range strings.Fields(l.before) {
		key, value, _ := strings.Cut(f, "=")
		switch {
		case key == "chip":
			chip = chipNamed(t, value)
		case strings.HasPrefix(key, "flash["):
			flash[uint32(l.number(t, key[6:len(key)-1]))] = uint8(l.number(t, value))
		default:
			l.set(t, &want, key, value)
		}
	}
	f := newFlat(chip, []byte{0x0C, 0x94, 0, 0})
	copy(f.flash[want.PC*2:], code)
	for at, v := range flash {
		f.flash[at] = v
	}
	f.core.Program = Compile(f.flash, chip.flash/2, chip.has)
	f.core.State = want.State
	f.core.SetSREG(want.sreg)
	f.data = want.data
	f.step()

	named := map[string]bool{}
	for _, field := range strings.Fields(l.after) {
		key, value, _ := strings.Cut(field, "=")
		named[key] = true
		l.set(t, &want, key, value)
	}
	if !named["pc"] || !named["cycles"] {
		t.Errorf("%s: say pc and cycles", l.name)
	}
	c := &f.core
	if c.R != want.R || c.SREG() != want.sreg || c.SP != want.SP || c.PC != want.PC || c.RAMPZ != want.RAMPZ || c.EIND != want.EIND || c.Cycles != want.cycles {
		t.Errorf("%s\n got r=%x sreg=%08b sp=%x pc=%x rampz=%x eind=%x cycles=%d\nwant r=%x sreg=%08b sp=%x pc=%x rampz=%x eind=%x cycles=%d", l.name,
			c.R, c.SREG(), c.SP, 2*c.PC, c.RAMPZ, c.EIND, c.Cycles, want.R, want.sreg, want.SP, 2*want.PC, want.RAMPZ, want.EIND, want.cycles)
	}
	if c.Instructions != 1 || len(f.halts) > 0 {
		t.Errorf("%s: %d instructions, halts %v", l.name, c.Instructions, f.halts)
	}
	for a, v := range want.data {
		if f.data[a] != v {
			t.Errorf("%s: [%x] is %02x, want %02x", l.name, a, f.data[a], v)
		}
	}
}

// set puts a field of a line into a moment.
func (l *assemblyLine) set(t *testing.T, m *moment, key, value string) {
	t.Helper()
	if key == "sreg" {
		m.sreg = 0
		for _, c := range value {
			bit := strings.IndexRune("CZNVSHTI", c)
			if bit < 0 {
				t.Fatalf("%s: no flag is called %c", l.name, c)
			}
			m.sreg |= 1 << bit
		}
		return
	}
	v := l.number(t, value)
	switch {
	case key == "pc":
		m.PC = uint32(v) / 2
	case key == "sp":
		m.SP = uint16(v)
	case key == "rampz":
		m.RAMPZ = uint8(v)
	case key == "eind":
		m.EIND = uint8(v)
	case key == "cycles":
		m.cycles = v
	case key == "X" || key == "Y" || key == "Z":
		m.setPtr(26+2*int(key[0]-'X'), uint16(v))
	case key[0] == '[':
		m.data[l.number(t, key[1:len(key)-1])] = uint8(v)
	case key[0] == 'r':
		n, err := strconv.Atoi(key[1:])
		if err != nil || n > 31 {
			t.Fatalf("%s: no register is called %s", l.name, key)
		}
		m.R[n] = uint8(v)
	default:
		t.Fatalf("%s: unknown field %s", l.name, key)
	}
}

func (l *assemblyLine) number(t *testing.T, s string) uint64 {
	t.Helper()
	v, err := strconv.ParseUint(s, 16, 32)
	if err != nil {
		t.Fatalf("%s: %v", l.name, err)
	}
	return v
}
