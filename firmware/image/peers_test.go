package image

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"motehound/internal/need"
)

// peer runs one of GNU's AVR tools, against which this package is compared.
func peer(t *testing.T, stdin string, name string, args ...string) string {
	t.Helper()
	cmd := need.Command(t, name, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, stderr.String())
	}
	return string(out)
}

// programs are the linked ELF fixtures.
func programs(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.elf")
	if err != nil || len(paths) < 10 {
		t.Fatalf("only %d fixtures in testdata (%v)", len(paths), err)
	}
	return slices.DeleteFunc(paths, func(p string) bool { return strings.HasSuffix(p, "object.elf") })
}

func load(t testing.TB, path string) *Image {
	t.Helper()
	im, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return im
}

// each runs a comparison on every program.
func each(t *testing.T, f func(t *testing.T, path string, im *Image)) {
	for _, path := range programs(t) {
		t.Run(filepath.Base(path), func(t *testing.T) { f(t, path, load(t, path)) })
	}
}

// raw is an address as the tools number it.
func raw(space Space, addr uint32) uint32 {
	for _, r := range regions {
		if r.space == space {
			return r.base + addr
		}
	}
	return addr
}

func TestSymbolsAgainstNM(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, path string, im *Image) {
		if strings.Contains(path, "stripped") {
			if len(im.Symbols) != 0 {
				t.Errorf("%d symbols in a stripped file", len(im.Symbols))
			}
			return
		}
		var want, got []string
		for line := range strings.Lines(peer(t, "", "avr-nm", "-S", "--format=posix", path)) {
			f := strings.Fields(line)
			size := uint64(0)
			if len(f) > 3 {
				size, _ = strconv.ParseUint(f[3], 16, 32)
			}
			addr, _ := strconv.ParseUint(f[2], 16, 32)
			local := strings.ContainsAny(f[1], "abdrtn")
			want = append(want, fmt.Sprintf("%08x %d %s local=%v", addr, size, f[0], local))
		}
		for _, s := range im.Symbols {
			got = append(got, fmt.Sprintf("%08x %d %s local=%v", raw(s.Space, s.Addr), s.Size, s.Name, s.Local))
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("symbols differ: avr-nm has %d, we have %d\n%s", len(want), len(got), firstDifference(want, got))
		}
	})
}

func firstDifference(want, got []string) string {
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			return fmt.Sprintf("at %d: peer %q, we %q", i, want[i], got[i])
		}
	}
	return fmt.Sprintf("one list ends at %d", min(len(want), len(got)))
}

// What avr-objcopy writes must load to what the ELF itself loads to.
func TestContentsAgainstObjcopy(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, path string, im *Image) {
		for format, name := range map[string]string{"ihex": "ihex", "srec": "srec"} {
			out := filepath.Join(t.TempDir(), "out")
			peer(t, "", "avr-objcopy", "-O", format, path, out)
			copied := load(t, out)
			if copied.Format != name {
				t.Errorf("format %s, want %s", copied.Format, name)
			}
			if !bytes.Equal(im.Flash, copied.Flash) || !slices.Equal(im.FlashUsed, copied.FlashUsed) {
				t.Errorf("%s: flash differs: %d bytes %v, %d bytes %v", format, len(im.Flash), im.FlashUsed, len(copied.Flash), copied.FlashUsed)
			}
			if !bytes.Equal(im.EEPROM, copied.EEPROM) || !bytes.Equal(im.Fuses, copied.Fuses) || !bytes.Equal(im.Lock, copied.Lock) {
				t.Errorf("%s: EEPROM, fuses or lock bits differ", format)
			}
		}
		out := filepath.Join(t.TempDir(), "out")
		peer(t, "", "avr-objcopy", "-O", "binary", "-j", ".text", "-j", ".data", path, out)
		want, err := os.ReadFile(out)
		if err != nil || !bytes.Equal(im.Flash, want) {
			t.Errorf("binary: flash differs (%v)", err)
		}
	})
}

// At every address of the code, the functions (real and inlined) and source lines
// must be those that avr-addr2line names.
func TestLinesAgainstAddr2line(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, path string, im *Image) {
		// Where the linker dropped functions, addr2line takes their line tables, left
		// at address 0, for real; TestDroppedSections covers those files.
		if im.HasDWARF() && len(im.dwarf().removed) == 0 {
			compareLines(t, path, im)
		}
	})
}

// A function has the same lines and inlined copies in a file from which the linker
// dropped others as in one from which it did not.
func TestDroppedSections(t *testing.T) {
	t.Parallel()
	all, some := load(t, "testdata/calls-nogc.elf"), load(t, "testdata/calls-dwarf4.elf")
	if _, ok := all.Function("dropped"); !ok {
		t.Error("calls-nogc.elf should have the function named dropped")
	}
	if _, ok := some.Function("dropped"); ok {
		t.Error("calls-dwarf4.elf should not have the function named dropped")
	}
	compared := 0
	for _, f := range some.Functions() {
		at, ok := f.Entry()
		other, _ := all.Symbol(f.Name)
		if !ok {
			continue
		}
		for off := uint32(0); off < other.Size; off += 2 {
			compared++
			if want, got := ourStack(all, other.Addr+off), ourStack(some, at+off); want != got {
				t.Errorf("%s+%#x: %s, without dropped sections %s", f.Name, off, got, want)
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d addresses compared", compared)
	}
}

func compareLines(t *testing.T, path string, im *Image) {
	var input strings.Builder
	for addr := 0; addr < len(im.Flash); addr += 2 {
		fmt.Fprintf(&input, "%#x\n", addr)
	}
	out := peer(t, input.String(), "avr-addr2line", "-a", "-f", "-i", "-e", path)
	checked, bad := 0, 0
	for _, block := range strings.Split(out, "0x")[1:] {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		addr, err := strconv.ParseUint(lines[0], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := im.FunctionAt(uint32(addr)); !ok {
			continue
		}
		checked++
		if want, got := addr2lineStack(lines[1:]), ourStack(im, uint32(addr)); want != got {
			if bad++; bad < 10 {
				t.Errorf("%#x: addr2line %s, we %s", addr, want, got)
			}
		}
	}
	if checked == 0 || bad > 0 {
		t.Errorf("%d addresses compared, %d differ", checked, bad)
	}
}

func addr2lineStack(lines []string) string {
	var s []string
	for i := 0; i+1 < len(lines); i += 2 {
		where, _, _ := strings.Cut(lines[i+1], " (discriminator")
		s = append(s, lines[i]+" "+filepath.Clean(where))
	}
	return strings.Join(s, " < ")
}

func ourStack(im *Image, addr uint32) string {
	var s []string
	for _, f := range im.InlineStack(addr) {
		where := "??:0"
		if f.File != "" {
			where = fmt.Sprintf("%s:%d", filepath.Clean(f.File), f.Line.Line)
		}
		s = append(s, f.Name+" "+where)
	}
	return strings.Join(s, " < ")
}

func TestRelocsAgainstReadelf(t *testing.T) {
	t.Parallel()
	im := load(t, "testdata/types-relocs.elf")
	row := regexp.MustCompile(`^([0-9a-f]{8})\s+[0-9a-f]{6}([0-9a-f]{2})\s+(R_AVR_\S+)\s+([0-9a-f]{8})\s+(\S+) \+ ([0-9a-f]+)`)
	var want, got []string
	inAlloc := false
	for line := range strings.Lines(peer(t, "", "avr-readelf", "-rW", "testdata/types-relocs.elf")) {
		if strings.HasPrefix(line, "Relocation section") {
			inAlloc = strings.Contains(line, ".rela.text") || strings.Contains(line, ".rela.data")
		}
		if m := row.FindStringSubmatch(line); m != nil && inAlloc {
			want = append(want, fmt.Sprint(m[1], " ", m[2], " ", m[4], " ", m[5], " ", m[6]))
		}
	}
	for _, r := range im.Relocs {
		got = append(got, fmt.Sprintf("%08x %02x %08x %s %x", raw(r.Space, r.Off), r.Type, r.Value, r.Sym, r.Addend))
	}
	if len(want) == 0 || !slices.Equal(want, got) {
		t.Errorf("relocations differ: avr-readelf has %d, we have %d: %s", len(want), len(got), firstDifference(want, got))
	}
	if plain := load(t, "testdata/types-dwarf4.elf"); len(plain.Relocs) != 0 || !bytes.Equal(plain.Flash, im.Flash) {
		t.Error("--emit-relocs changes nothing but the relocations")
	}
}

// The frame rows that readelf works out, at each of their addresses.
func TestFramesAgainstReadelf(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, path string, im *Image) {
		if im.HasDWARF() {
			compareFrames(t, path, im)
		}
	})
}

func compareFrames(t *testing.T, path string, im *Image) {
	checked, dropped, header := 0, false, []string(nil)
	for line := range strings.Lines(peer(t, "", "avr-readelf", "--debug-dump=frames-interp", path)) {
		f := strings.Fields(line)
		switch {
		case len(f) > 1 && f[0] == "LOC":
			header = f[2:]
		case strings.Contains(line, " CIE "):
			dropped = true
		case strings.Contains(line, " FDE "):
			dropped = strings.Contains(line, "pc=00000000..") && im.Flash[0] != 0x11 // clr r1, in bare.c
		case dropped:
		case len(f) > 2 && len(f[0]) == 8 && strings.HasPrefix(f[1], "r"):
			addr, err := strconv.ParseUint(f[0], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			row, size, err := im.frameRow(uint32(addr))
			if err != nil {
				t.Errorf("%#x: %v", addr, err)
				continue
			}
			checked++
			compareRow(t, uint32(addr), f[1], header, f[2:], row)
			if wantSize := map[int]int{6: 3}[im.Arch]; wantSize != 0 && size != wantSize {
				t.Errorf("%#x: return address of %d bytes, want %d", addr, size, wantSize)
			}
		}
	}
	if checked == 0 {
		t.Error("no frame rows compared")
	}
}

func compareRow(t *testing.T, addr uint32, cfa string, names, rules []string, row frameRow) {
	if got := fmt.Sprintf("r%d%+d", row.reg, row.offset); got != cfa {
		t.Errorf("%#x: CFA %s, readelf %s", addr, got, cfa)
	}
	for i, name := range names {
		n := regReturn
		if name != "ra" {
			n, _ = strconv.Atoi(name[1:])
		}
		got := "u"
		if row.isSet[n] {
			got = fmt.Sprintf("c%+d", row.saved[n])
		}
		if got != rules[i] {
			t.Errorf("%#x: %s saved at %s, readelf %s", addr, name, got, rules[i])
		}
	}
}

// Every location list that a local refers to must have the ranges and the number of
// operations that avr-objdump prints.
func TestLocationListsAgainstObjdump(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, path string, im *Image) {
		if im.HasDWARF() && len(im.debug.sections[".debug_loc"]) > 0 {
			compareLocs(t, path, im)
		}
	})
}

func compareLocs(t *testing.T, path string, im *Image) {
	row := regexp.MustCompile(`^\s+([0-9a-f]{8}) ([0-9a-f]{8}) ([0-9a-f]{8}) \(`)
	want := make(map[string]bool)
	for line := range strings.Lines(peer(t, "", "avr-objdump", "--dwarf=loc", path)) {
		if m := row.FindStringSubmatch(line); m != nil {
			want[m[2]+" "+m[3]] = true
		}
	}
	checked := 0
	for _, f := range im.Functions() {
		eachLocal(&f.Scope, func(l *Local) {
			if l.Loc.list == nil {
				return
			}
			for _, e := range l.Loc.Entries() {
				checked++
				if !want[fmt.Sprintf("%08x %08x", e.Lo, e.Hi)] {
					t.Errorf("%s: %s: entry %#x to %#x, which avr-objdump has not", f.Name, l.Name, e.Lo, e.Hi)
				}
			}
		})
	}
	if checked == 0 {
		t.Error("no location lists compared")
	}
}

func eachLocal(s *Scope, visit func(*Local)) {
	for _, l := range slices.Concat(s.Params, s.Locals) {
		visit(l)
	}
	for _, in := range s.Inlines {
		eachLocal(&in.Scope, visit)
	}
}
