package image

import (
	"bufio"
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"
)

// table reads a file of "left SEP right" lines; lines that start with # are comments.
func table(t testing.TB, path, separator string) [][2]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows [][2]string
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := s.Text(); line != "" && line[0] != '#' {
			left, right, ok := strings.Cut(line, separator)
			if !ok {
				t.Fatalf("%s: no %q in %q", path, separator, line)
			}
			rows = append(rows, [2]string{left, right})
		}
	}
	if len(rows) == 0 {
		t.Fatalf("%s is empty", path)
	}
	return rows
}

// ram is a data space as start-up code leaves it, with flash and EEPROM behind it.
type ram struct {
	bytes [0x10000]byte
	im    *Image
}

func (m *ram) LoadByte(addr uint32) uint8     { return m.bytes[addr&0xFFFF] }
func (m *ram) StoreByte(addr uint32, v uint8) { m.bytes[addr&0xFFFF] = v }

func (m *ram) In(space Space) Memory {
	switch space {
	case Flash:
		return store(m.im.Flash)
	case EEPROM:
		return store(m.im.EEPROM)
	}
	return nil
}

type store []byte

func (s store) LoadByte(addr uint32) uint8     { return s[addr] }
func (s store) StoreByte(addr uint32, v uint8) { s[addr] = v }

// started copies .data from flash, as __do_copy_data does.
func started(t testing.TB, im *Image) *ram {
	t.Helper()
	m := &ram{im: im}
	from, ok1 := im.Symbol("__data_load_start")
	to, ok2 := im.Symbol("__data_start")
	end, ok3 := im.Symbol("__data_end")
	if !ok1 || !ok2 || !ok3 {
		t.Fatalf("%s has no data symbols", im.Path)
	}
	copy(m.bytes[to.Addr:end.Addr], im.Flash[from.Addr:])
	return m
}

func TestValues(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"testdata/types-dwarf4.elf", "testdata/types-dwarf2.elf", "testdata/types-relocs.elf"} {
		im := load(t, path)
		m := started(t, im)
		for _, row := range table(t, "testdata/values.txt", " = ") {
			ref, err := im.Lookup(row[0])
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			v, err := ref.Read(m)
			if err != nil || v.String() != row[1] {
				t.Errorf("%s: %s = %s (%v), want %s", path, row[0], v, err, row[1])
			}
		}
	}
}

func TestLookupErrors(t *testing.T) {
	t.Parallel()
	im := load(t, "testdata/types-dwarf4.elf")
	for _, row := range table(t, "testdata/lookups.txt", " : ") {
		if _, err := im.Lookup(row[0]); err == nil || !strings.Contains(err.Error(), row[1]) {
			t.Errorf("%s: error %q, want %q in it", row[0], err, row[1])
		}
	}
}

func TestReadable(t *testing.T) {
	t.Parallel()
	for _, row := range table(t, "testdata/names.txt", " = ") {
		if got := Readable(row[0]); got != row[1] {
			t.Errorf("%s: %q, want %q", row[0], got, row[1])
		}
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	im := load(t, "testdata/types-dwarf4.elf")
	for _, c := range []struct {
		path  string
		value int64
		shows string // in the variable as a whole, or the error
	}{
		{"u8", 255, "255"},
		{"u8", 256, "256 does not fit into u8 (uint8_t), which holds 0 to 255"},
		{"u8", -1, "-1 does not fit"},
		{"s8", -128, "-128"},
		{"s64", -1 << 63, "-9223372036854775808"},
		{"u64", 1 << 62, "4611686018427387904"},
		{"ratio", -3, "-3"},
		{"yes", 0, "false"},
		{"yes", 2, "2 does not fit"},
		{"shade", 6, "BLUE"},
		{"sign", -1, "MINUS"},
		{"head", 0x163, "0x0163 <second>"},
		{"flags.mid", 1, "{low = 5, mid = 1, small = -3, one = 1, tail = 21}"},
		{"flags.small", -8, "{low = 5, mid = 99, small = -8, one = 1, tail = 21}"},
		{"flags.small", 8, "8 does not fit into flags.small (int), which holds -8 to 7"},
		{"wide.b", 0xFFF, "{a = 703710, b = 4095, c = -7}"},
		{"packet.dest", 0xBEEF, "48879"},
		{"packet.dest.nxdata[0]", 0xAB, "171"},
		{"packet.crc", 0xBEEF, "48879"},
		{"packet.temp", -2, "-2"},
		{"packet.temp", 40000, "does not fit"},
		{"packet.big", -2, "-2"},
		{"head->next->id", 77, "77"},
		{"row", 1, "row is uint8_t[5]; only numbers can be written"},
		{"in_eeprom[0]", 9, "9"},
	} {
		m := started(t, im)
		ref, err := im.Lookup(c.path)
		if err != nil {
			t.Fatal(err)
		}
		before := m.bytes
		if err := ref.Write(m, c.value); err != nil {
			if !strings.Contains(err.Error(), c.shows) || m.bytes != before {
				t.Errorf("%s = %d: %v, want %s", c.path, c.value, err, c.shows)
			}
			continue
		}
		whole, _, _ := strings.Cut(c.path, ".")
		if strings.HasPrefix(c.path, "packet") || strings.HasPrefix(c.path, "head") {
			whole = c.path
		}
		if ref, err = im.Lookup(whole); err != nil {
			t.Fatal(err)
		}
		if v, err := ref.Read(m); err != nil || v.String() != c.shows {
			t.Errorf("%s = %d: %s is then %s (%v), want %s", c.path, c.value, whole, v, err, c.shows)
		}
	}
}

func TestNullPointer(t *testing.T) {
	t.Parallel()
	im := load(t, "testdata/types-dwarf4.elf")
	ref, err := im.Lookup("head->next->next->id")
	if err != nil || !ref.Indirect() {
		t.Fatal(err)
	}
	if _, err = ref.Read(started(t, im)); err == nil || !strings.Contains(err.Error(), "head.next.next is a null pointer now") {
		t.Errorf("got %v", err)
	}
	if err = ref.Write(started(t, im), 1); err == nil {
		t.Error("wrote through a null pointer")
	}
}

// onlyData is a Memory that knows no other space.
type onlyData struct{ Memory }

func TestOtherSpaces(t *testing.T) {
	t.Parallel()
	im := load(t, "testdata/types-dwarf4.elf")
	ref, err := im.Lookup("in_flash[1]")
	if err != nil || ref.Space != Flash {
		t.Fatal(ref, err)
	}
	if _, err := ref.Read(onlyData{started(t, im)}); err == nil || !strings.Contains(err.Error(), "lies in flash") {
		t.Errorf("got %v", err)
	}
}

func TestSymbolsOnly(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"testdata/types-nodebug.elf", "testdata/types-stabs.elf"} {
		im := load(t, path)
		m := started(t, im)
		for _, c := range [][2]string{
			{"u8", "200"}, {"s8", "156"}, {"u16", "54321"}, {"u32", "4000000000"},
			{"AMQueueImplP[1].current", "4"}, {"SerialDispatcherP__0__receiveState", "21"},
			{"u64", "u64 is known only as a symbol of 8 bytes"},
			{"first.id", "first is known only as a symbol of 13 bytes, so first.id cannot be found; rebuild with -gdwarf-4"},
			{"u15", "did you mean u16"},
		} {
			ref, err := im.Lookup(c[0])
			if err != nil {
				if !strings.Contains(err.Error(), c[1]) {
					t.Errorf("%s: %s: %v, want %s", path, c[0], err, c[1])
				}
				continue
			}
			if v, err := ref.Read(m); err != nil || v.String() != c[1] {
				t.Errorf("%s: %s = %s (%v), want %s", path, c[0], v, err, c[1])
			}
		}
	}
}

func TestDebugNote(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"types-dwarf4.elf": "", "types-dwarf2.elf": "", "bare.elf": "",
		"types-stabs.elf":    "debug information is STABS, which is not read; rebuild with -gdwarf-4",
		"types-nodebug.elf":  "no debug information; rebuild with -gdwarf-4",
		"types-stripped.elf": "stripped: no symbols and no debug information",
		"types.hex":          "HEX and SREC files have no symbols or source lines; give the ELF file",
		"types.srec":         "HEX and SREC files have no symbols",
	} {
		im := load(t, "testdata/"+path)
		if got := im.DebugNote(); !strings.Contains(got, want) || (want == "") != (got == "") || im.HasDWARF() != (want == "") {
			t.Errorf("%s: note %q (DWARF %v), want %q", path, got, im.HasDWARF(), want)
		}
	}
}

func TestFacts(t *testing.T) {
	t.Parallel()
	im := load(t, "testdata/types-dwarf4.elf")
	if im.Format != "elf" || im.MCU != "atmega128" || im.Arch != 51 || im.Entry != 0 {
		t.Errorf("format %s, MCU %s, arch %d, entry %#x", im.Format, im.MCU, im.Arch, im.Entry)
	}
	if big := load(t, "testdata/calls-avr6.elf"); big.MCU != "atmega2560" || big.Arch != 6 {
		t.Errorf("MCU %s, arch %d", big.MCU, big.Arch)
	}
	if !bytes.Equal(im.EEPROM, []byte{0x44, 0x55}) {
		t.Errorf("EEPROM % x", im.EEPROM)
	}
	if n, ok := im.Enum("NUM_TASKS"); !ok || n != 5 {
		t.Errorf("NUM_TASKS = %d, %v", n, ok)
	}
	for addr, want := range map[uint32]string{0: "__vectors", 0xBE: "__bad_interrupt", 0xC2: "count_calls", 0xD6: "count_calls", 0x8C: "", uint32(len(im.Flash)): ""} {
		if s, _ := im.FuncAt(addr); s.Name != want {
			t.Errorf("FuncAt(%#x) = %q, want %q", addr, s.Name, want)
		}
	}
	row, _ := im.Symbol("row")
	if s, ok := im.ObjectAt(row.Addr + 4); !ok || s.Name != "row" {
		t.Errorf("ObjectAt(row+4) = %v", s)
	}
	if s, ok := im.ObjectAt(0x1000); ok {
		t.Errorf("ObjectAt(0x1000) = %v", s)
	}
}

// All motes share an Image: the first use, which reads DWARF, may come from many at once.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	im := load(t, "testdata/calls-dwarf4.elf")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for addr := uint32(0); addr < uint32(len(im.Flash)); addr += 2 {
				im.InlineStack(addr)
				im.FuncAt(addr)
			}
		})
	}
	wg.Wait()
}

// What is declared volatile is, also as an element or a member.
func TestVolatile(t *testing.T) {
	t.Parallel()
	im := load(t, "testdata/types-dwarf4.elf")
	seen := 0
	for _, v := range im.Vars() {
		if want := v.Name == "qualified"; !v.Register && v.Volatile != want {
			t.Errorf("%s is volatile: %v", v.Name, v.Volatile)
		}
		if v.Volatile {
			seen++
		}
	}
	if seen == 0 {
		t.Error("nothing is volatile")
	}
}
