package chip

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/mote/periph"
)

// facts collects what our tables say, beside the C expression with which avr-libc's headers say the same.
type facts struct {
	names, exprs []string
	values       []uint32
}

func (f *facts) add(name, expr string, value uint32) {
	f.names = append(f.names, name)
	f.exprs = append(f.exprs, expr)
	f.values = append(f.values, value)
}

// reg states a register's data-space address; 0 states that the chip lacks it.
func (f *facts) reg(name string, addr uint16) {
	if addr == 0 {
		f.add("no "+name, "ABSENT_"+name, 1)
		return
	}
	f.add(name, "(uint16_t)&"+name, uint32(addr))
}

// regBit states a register bit.
func (f *facts) regBit(reg, bit string, b periph.RegBit) {
	f.reg(reg, b.Reg)
	f.add(bit, bit, uint32(b.Bit))
}

// vector states a datasheet vector number: one more than avr-libc's.
func (f *facts) vector(name string, n uint8) { f.add(name, name+"_vect + 1", uint32(n)) }

// ports states the addresses and bits of the ports, and which ports there are not.
func (f *facts) ports(ports []periph.PortConfig, pud string) {
	seen := map[byte]bool{}
	for _, p := range ports {
		seen[p.Name] = true
		n := string(rune(p.Name))
		f.reg("PORT"+n, p.PORT)
		f.reg("DDR"+n, p.DDR)
		f.reg("PIN"+n, p.PIN)
		f.add("bits of PORT"+n, "BITS_"+n, uint32(p.Mask))
		f.regBit(pud, "PUD", p.PUD)
	}
	for _, n := range "ABCDEFGHJKL" {
		if !seen[byte(n)] {
			f.reg("PORT"+string(n), 0)
		}
	}
}

func (f *facts) extInt(x *periph.ExtIntConfig) {
	f.reg("EICRA", x.EICRA)
	f.reg("EICRB", x.EICRB)
	f.reg("EIMSK", x.EIMSK)
	f.reg("EIFR", x.EIFR)
	for i, l := range x.Lines {
		if l.Vector != 0 {
			f.vector(fmt.Sprintf("INT%d", i), l.Vector)
		}
	}
}

func (f *facts) pinChange(x *periph.PinChangeConfig) {
	f.reg("PCICR", x.PCICR)
	f.reg("PCIFR", x.PCIFR)
	for i, b := range x.Banks {
		f.reg(fmt.Sprintf("PCMSK%d", i), b.PCMSK)
		if b.Vector != 0 {
			f.vector(fmt.Sprintf("PCINT%d", i), b.Vector)
		}
	}
}

func (f *facts) adc(x *periph.ADCConfig) {
	f.reg("ADMUX", x.ADMUX)
	f.reg("ADCSRA", x.ADCSRA)
	f.reg("ADCSRB", x.ADCSRB)
	f.reg("ADCL", x.ADCL)
	f.reg("ADCH", x.ADCH)
	f.vector("ADC", x.Vector)
	if x.MUX5.Reg != 0 {
		f.regBit("ADCSRB", "MUX5", x.MUX5)
	}
	// The code of package periph has the bits of these registers in fixed places.
	for name, bit := range map[string]uint32{"ADEN": 7, "ADSC": 6, "ADIF": 4, "ADIE": 3, "ADPS0": 0, "REFS0": 6, "ADLAR": 5} {
		f.add(name, name, bit)
	}
	if x.ADCSRB == 0 {
		f.add("ADFR", "ADFR", 5)
	} else {
		f.add("ADATE", "ADATE", 5)
		f.add("ADTS0", "ADTS0", 0)
	}
}

func (f *facts) comparator(x *periph.ComparatorConfig, acme string) {
	f.reg("ACSR", x.ACSR)
	f.vector("ANALOG_COMP", x.Vector)
	f.regBit(acme, "ACME", x.ACME)
	for name, bit := range map[string]uint32{"ACD": 7, "ACBG": 6, "ACO": 5, "ACI": 4, "ACIE": 3, "ACIC": 2, "ACIS0": 0} {
		f.add(name, name, bit)
	}
}

func (f *facts) memories(e *periph.EEPROMConfig, s *periph.SelfProgConfig) {
	f.reg("EEARL", e.EEARL)
	f.reg("EEARH", e.EEARH)
	f.reg("EEDR", e.EEDR)
	f.reg("EECR", e.EECR)
	f.add("EEPROM size", "E2END + 1UL", e.Size)
	f.vector("EE_READY", e.Vector)
	bits := map[string]uint32{"EERE": 0, "EEWE": 1, "EEMWE": 2, "EERIE": 3, "SPMIE": 7, "RWWSB": 6, "RWWSRE": 4, "BLBSET": 3, "PGWRT": 2, "PGERS": 1, "SPMEN": 0}
	if e.EEPM {
		delete(bits, "EEWE")
		delete(bits, "EEMWE")
		bits["EEPE"], bits["EEMPE"], bits["EEPM0"], bits["SIGRD"] = 1, 2, 4, 5
	}
	if s.FlashSize == 0x8000 {
		delete(bits, "SPMEN")
		bits["SELFPRGEN"] = 0
	}
	for name, bit := range bits {
		f.add(name, name, bit)
	}
	f.reg("SPMCSR", s.SPMCSR)
	f.vector("SPM_READY", s.Vector)
	f.add("page size", "SPM_PAGESIZE", s.PageSize)
	f.add("flash size", "FLASHEND + 1UL", s.FlashSize)
	for i, b := range s.Signature {
		f.add(fmt.Sprintf("signature %d", i), fmt.Sprintf("SIGNATURE_%d", i), uint32(b))
	}
}

// ask lets avr-gcc evaluate the expressions on avr-libc's headers.
func (f *facts) ask(t *testing.T, mcu string) []uint32 {
	t.Helper()
	var c strings.Builder
	c.WriteString("#include <avr/io.h>\n#undef _VECTOR\n#define _VECTOR(n) n\n")
	for _, n := range "ABCDEFGHJKL" {
		fmt.Fprintf(&c, "enum { BITS_%c = 0\n", n)
		for b := range 8 {
			// Some headers have PORTB7, others PB7.
			fmt.Fprintf(&c, "#if defined PORT%c%d || defined P%c%d\n| %d\n#endif\n", n, b, n, b, 1<<b)
		}
		c.WriteString("};\n")
	}
	for _, e := range f.exprs {
		if r, absent := strings.CutPrefix(e, "ABSENT_"); absent {
			fmt.Fprintf(&c, "#ifdef %s\n#define %s 0\n#else\n#define %s 1\n#endif\n", r, e, e)
		}
	}
	fmt.Fprintf(&c, "const uint32_t facts[] = {\n%s\n};\n", strings.Join(f.exprs, ",\n"))
	dir := t.TempDir()
	src, obj, bin := filepath.Join(dir, "facts.c"), filepath.Join(dir, "facts.o"), filepath.Join(dir, "facts.bin")
	if err := os.WriteFile(src, []byte(c.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range [][]string{
		{"avr-gcc", "-mmcu=" + mcu, "-Os", "-c", "-o", obj, src},
		{"avr-objcopy", "-O", "binary", "-j", ".rodata", obj, bin},
	} {
		if out, err := need.Command(t, cmd[0], cmd[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, out)
		}
	}
	raw, err := os.ReadFile(bin)
	if err != nil || len(raw) != 4*len(f.exprs) {
		t.Fatalf("%d bytes of facts for %d expressions, error %v", len(raw), len(f.exprs), err)
	}
	values := make([]uint32, len(f.exprs))
	for i := range values {
		values[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	return values
}

func TestPortsAndAnalogTablesAgainstAVRLibc(t *testing.T) {
	for _, chip := range []struct {
		mcu        string
		ports      []periph.PortConfig
		extInt     *periph.ExtIntConfig
		pinChange  *periph.PinChangeConfig
		adc        *periph.ADCConfig
		comparator *periph.ComparatorConfig
		eeprom     *periph.EEPROMConfig
		selfProg   *periph.SelfProgConfig
		pud, acme  string
	}{
		{"atmega128", atmega128Ports, &atmega128ExtInt, &periph.PinChangeConfig{}, &atmega128ADC, &atmega128Comparator, &atmega128EEPROM, &atmega128SelfProg, "SFIOR", "SFIOR"},
		{"atmega1281", ATmega1281.Ports, ATmega1281.ExtInt, ATmega1281.PinChange, ATmega1281.ADC, ATmega1281.Comparator, ATmega1281.EEPROM, ATmega1281.SelfProg, "MCUCR", "ADCSRB"},
		{"atmega2560", atmega2560Ports, &atmega2560ExtInt, &atmega2560PinChange, &atmega2560ADC, &atmega2560Comparator, &atmega2560EEPROM, &atmega2560SelfProg, "MCUCR", "ADCSRB"},
		{"atmega328p", atmega328pPorts, &atmega328pExtInt, &atmega328pPinChange, &atmega328pADC, &atmega328pComparator, &atmega328pEEPROM, &atmega328pSelfProg, "MCUCR", "ADCSRB"},
	} {
		t.Run(chip.mcu, func(t *testing.T) {
			var f facts
			f.ports(chip.ports, chip.pud)
			f.extInt(chip.extInt)
			f.pinChange(chip.pinChange)
			f.adc(chip.adc)
			f.comparator(chip.comparator, chip.acme)
			f.memories(chip.eeprom, chip.selfProg)
			for _, p := range chip.ports {
				for _, d := range p.DIDR {
					switch {
					case d.Register == 0:
					case d.Bits[2] == 0:
						f.reg("DIDR1", d.Register)
						f.add("AIN0D", "AIN0D", 0)
					case p.Name == 'K':
						f.reg("DIDR2", d.Register)
						f.add("ADC8D", "ADC8D", 0)
					default:
						f.reg("DIDR0", d.Register)
						f.add("ADC0D", "ADC0D", 0)
					}
				}
			}
			if pr := chip.adc.PRADC; pr.Reg != 0 {
				f.regBit(map[bool]string{true: "PRR", false: "PRR0"}[chip.mcu == "atmega328p"], "PRADC", pr)
			}
			for i, want := range f.ask(t, chip.mcu) {
				if f.values[i] != want {
					t.Errorf("%s is %#x in our table; avr-libc: %s = %#x", f.names[i], f.values[i], f.exprs[i], want)
				}
			}
			t.Logf("%d facts", len(f.names))
		})
	}
}

// Every conversion input of a MUX table is a channel that the chip has, or one of the special ones, and the table is as
// long as MUX is wide.
func TestADCMuxTables(t *testing.T) {
	for _, chip := range []struct {
		name                          string
		adc                           *periph.ADCConfig
		settings, channels, diff, res int
	}{
		{"ATmega128", &atmega128ADC, 32, 8, 22, 0},
		{"ATmega1281", ATmega1281.ADC, 32, 8, 22, 0},
		{"ATmega2560", &atmega2560ADC, 64, 16, 44, 2},
		{"ATmega328P", &atmega328pADC, 16, 8, 0, 5},
	} {
		single := map[uint8]int{}
		diff, res := 0, 0
		for _, in := range chip.adc.Mux {
			switch {
			case in.Gain != 0:
				diff++
				if int(max(in.Pos, in.Neg)) >= chip.channels {
					t.Errorf("%s: %v is beyond its channels", chip.name, in)
				}
			case in.Pos == periph.ADCReserved:
				res++
			default:
				single[in.Pos]++
			}
		}
		for ch := range chip.channels {
			if single[uint8(ch)] != 1 {
				t.Errorf("%s: ADC%d is selected by %d settings", chip.name, ch, single[uint8(ch)])
			}
		}
		if len(chip.adc.Mux) != chip.settings || diff != chip.diff || res != chip.res || single[periph.ADCBandgap] != 1 || single[periph.ADCGround] != 1 {
			t.Errorf("%s: %d settings, %d differential, %d reserved, bandgap %d, ground %d", chip.name, len(chip.adc.Mux), diff, res, single[periph.ADCBandgap], single[periph.ADCGround])
		}
	}
}
