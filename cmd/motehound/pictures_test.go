package main

import (
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/internal/peer/chromium"
)

var pictures = flag.Bool("pictures", false, "make the pictures of the docs again")

const pictureDir = "../../docs/pictures"

// screens are the pictures of the docs: which of pages, how it is looked at, and the document that has it.
var screens = []struct {
	file, page, in string
	screen         chromium.Screen
}{
	{"check.png", "check", "checking.md", chromium.Screen{Width: 1280, Height: 1430}},
	{"check-dark.png", "check", "checking.md", chromium.Screen{Width: 400, Height: 1100, Dark: true}},
	{"fuzz.png", "fuzz", "fuzzing.md", chromium.Screen{Width: 1000, Height: 1060}},
	{"symbolic.png", "symbolic", "symbolic.md", chromium.Screen{Width: 1000, Height: 1100}},
}

// The docs have pictures of the pages, and they are small. With -pictures they are made again.
func TestPictures(t *testing.T) {
	t.Parallel()
	total := int64(0)
	for _, s := range screens {
		path := filepath.Join(pictureDir, s.file)
		if *pictures {
			takePicture(t, s.page, path, s.screen)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c, err := png.DecodeConfig(f)
		if err != nil || c.Width != s.screen.Width {
			t.Errorf("%s: %v, %d pixels wide", s.file, err, c.Width)
		}
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
		if text, err := os.ReadFile(filepath.Join("../../docs", s.in)); err != nil || !strings.Contains(string(text), "(pictures/"+s.file+")") {
			t.Errorf("%s does not show pictures/%s (%v)", s.in, s.file, err)
		}
	}
	const most = 300_000
	if total > most {
		t.Errorf("the pictures have %d bytes", total)
	}
}

func takePicture(t *testing.T, page, path string, screen chromium.Screen) {
	t.Helper()
	at := slices.IndexFunc(pages, func(p findingsPage) bool { return p.name == page })
	html, out, _ := paged(t, pages[at].command)
	text, err := os.ReadFile(html)
	if err != nil {
		t.Fatal(err)
	}
	// What is a folder of the test for us is one of the reader's for them.
	if err := os.WriteFile(html, []byte(strings.NewReplacer(out, "out", "../../", "").Replace(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
	raw := filepath.Join(t.TempDir(), "raw.png")
	screen.Picture(t, html, raw)
	f, err := os.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	full, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(pictureDir, 0o755); err != nil {
		t.Fatal(err)
	}
	to, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(to, fewColours(full)); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
}

// fewColours is a picture with at most 256 colours, which has a third of the bytes: the most frequent ones, and for the others the nearest of them.
func fewColours(full image.Image) *image.Paletted {
	b := full.Bounds()
	count := map[color.RGBA]int{}
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(full.At(x, y)).(color.RGBA) }
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	out := image.NewPaletted(b, nil)
	for _, c := range all[:min(256, len(all))] {
		out.Palette = append(out.Palette, c)
	}
	index := map[color.RGBA]uint8{}
	for _, c := range all {
		index[c] = uint8(out.Palette.Index(c))
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			out.SetColorIndex(x, y, index[at(x, y)])
		}
	}
	return out
}
