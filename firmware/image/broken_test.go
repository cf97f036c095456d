package image

import (
	"bufio"
	"bytes"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"
)

// brokenFile is one block of testdata/broken.txt.
type brokenFile struct {
	name, wantError, wantNote string
	fine                      bool // loads, with DWARF
	data                      []byte
}

func brokenFiles(t testing.TB) []brokenFile {
	t.Helper()
	f, err := os.Open("testdata/broken.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []brokenFile
	for s := bufio.NewScanner(f); s.Scan(); {
		verb, arg, _ := strings.Cut(s.Text(), " ")
		if verb == "" || verb[0] == '#' {
			continue
		}
		if verb == "case" {
			out = append(out, brokenFile{name: arg})
			continue
		}
		c := &out[len(out)-1]
		switch verb {
		case "error":
			c.wantError = arg
		case "note":
			c.wantNote = arg
		case "fine":
			c.fine = true
		case "text":
			c.data = append(c.data, arg+"\n"...)
		case "file":
			if c.data, err = os.ReadFile("testdata/" + arg); err != nil {
				t.Fatal(err)
			}
		case "cut":
			c.data = c.data[:number(t, arg)]
		default:
			c.patch(t, verb, arg)
		}
	}
	return out
}

// patch puts bytes at a file offset, in a section, or in a section's header.
func (c *brokenFile) patch(t testing.TB, verb, arg string) {
	f := strings.Fields(arg)
	put, err := hex.DecodeString(f[len(f)-1])
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	at := 0
	switch verb {
	case "at":
		at = number(t, f[0])
	case "in":
		name, off, _ := strings.Cut(f[0], "+")
		_, sectionAt := findSection(t, c.data, name)
		at = sectionAt + number(t, off)
	case "header":
		headerAt, _ := findSection(t, c.data, f[0])
		at = headerAt + number(t, f[1])
	default:
		t.Fatalf("%s: unknown word %s", c.name, verb)
	}
	copy(c.data[at:at+len(put)], put)
}

func findSection(t testing.TB, data []byte, name string) (header, contents int) {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range f.Sections {
		if s.Name == name {
			return int(binary.LittleEndian.Uint32(data[32:])) + i*shdrSize, int(s.Offset)
		}
	}
	t.Fatalf("no section %s", name)
	return 0, 0
}

func number(t testing.TB, text string) int {
	n, err := strconv.ParseInt(text, 0, 32)
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}

func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	for _, c := range brokenFiles(t) {
		im, err := Parse("broken", c.data)
		switch {
		case c.wantError != "":
			if err == nil || !strings.Contains(err.Error(), c.wantError) {
				t.Errorf("%s: error %q, want %q in it", c.name, err, c.wantError)
			}
		case err != nil:
			t.Errorf("%s: must load, but: %v", c.name, err)
		case im.HasDWARF() != c.fine || !strings.Contains(im.DebugNote(), c.wantNote):
			t.Errorf("%s: DWARF %v, note %q, want %q in it", c.name, im.HasDWARF(), im.DebugNote(), c.wantNote)
		default:
			if _, ok := im.FuncAt(0x100); !ok {
				t.Errorf("%s: symbols must still work", c.name)
			}
		}
	}
}

// A file cut anywhere is an error or, once all of it that is loaded is there, an
// image; never a panic.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"testdata/types-dwarf4.elf", "testdata/types.hex", "testdata/types.srec"} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < len(data)-4; n += 7 {
			if _, err := Parse("cut", data[:n]); err == nil {
				t.Errorf("%s cut to %d of %d bytes loads", path, n, len(data))
			}
		}
	}
}

// Entries nested a million deep must not use a stack frame each.
func TestDeepNesting(t *testing.T) {
	t.Parallel()
	const depth = 1 << 20
	for _, tag := range []byte{0x0B, 0x13, 0x2E, 0x39} { // block, struct, function, namespace
		info := []byte{0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 4, 1}
		info = append(info, bytes.Repeat([]byte{2}, depth)...)
		info = append(info, bytes.Repeat([]byte{0}, depth+1)...)
		binary.LittleEndian.PutUint32(info, uint32(len(info)-4))
		im := &Image{Path: "deep", Format: "elf"}
		im.debug.sections = map[string][]byte{
			".debug_info":   info,
			".debug_abbrev": {1, 0x11, 1, 0, 0, 2, tag, 1, 0, 0, 0},
		}
		if note := im.DebugNote(); note == "" {
			t.Errorf("tag %#x: no note", tag)
		}
	}
}
