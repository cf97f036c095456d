package image

import (
	"bytes"
	"strings"
	"testing"
)

func parseText(t *testing.T, lines ...string) *Image {
	t.Helper()
	im, err := Parse("test.hex", []byte(strings.Join(lines, "\n")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return im
}

// Programmers take the later of two bytes for one address, and so do we, but say it.
func TestGivenTwice(t *testing.T) {
	t.Parallel()
	im := parseText(t, ":0400000001020304F2", ":0400000001020305F1", ":00000001FF")
	if im.Flash[3] != 5 {
		t.Errorf("flash has %#x, not the later byte", im.Flash[3])
	}
	if len(im.Notes) != 1 || !strings.Contains(im.Notes[0], "flash address 0x3 is given twice, as 0x04 and as 0x05") {
		t.Errorf("notes %q", im.Notes)
	}
	if im := parseText(t, ":0400000001020304F2", ":0400000001020304F2", ":00000001FF"); len(im.Notes) != 0 {
		t.Errorf("the same twice: notes %q", im.Notes)
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	across := parseText(t, ":0401FE00010203EE09", ":00000001FF") // 0x1FE to 0x201
	got, err := across.Fold(0x200)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Flash[:3], []byte{3, 0xEE, 0xFF}) || !bytes.Equal(got.Flash[0x1FE:], []byte{1, 2}) {
		t.Errorf("flash begins % x and ends % x", got.Flash[:3], got.Flash[0x1FE:])
	}
	if want := []Range{{0, 2}, {0x1FE, 0x200}}; len(got.FlashUsed) != 2 || got.FlashUsed[0] != want[0] || got.FlashUsed[1] != want[1] {
		t.Errorf("used %v, want %v", got.FlashUsed, want)
	}
	if len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "2 bytes run over the end of flash at 0x200") {
		t.Errorf("notes %q", got.Notes)
	}
	if same, err := across.Fold(0x400); err != nil || same != across {
		t.Errorf("an image that fits changed: %v", err)
	}
	for name, im := range map[string]*Image{
		"over itself":     parseText(t, ":0100000055AA", ":0401FE00010203EE09", ":00000001FF"),
		"all beyond":      parseText(t, ":0402000001020304F0", ":00000001FF"),
		"a second part":   parseText(t, ":0401FC0001020304F5", ":0402100001020304E0", ":00000001FF"),
		"twice the flash": parseText(t, ":0401FE00010203EE09", ":0105FE0055A7", ":00000001FF"),
	} {
		if _, err := im.Fold(0x200); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
