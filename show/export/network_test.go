package export

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/world"
	"motehound/world/medium"
)

// tshark decodes every frame of networks that do their work, and what it finds in them is what the firmware says it sent.
func TestPcapngOfNetworks(t *testing.T) {
	for _, c := range []struct {
		app     string
		n       int
		links   []medium.Link
		seconds uint64
		sent    string // variable that counts frames; "" where acknowledgements are among them
	}{
		{"counter", 3, medium.Full(3, -60, 0), 20, "CounterC__sent"},
		{"relay", 5, medium.Line(5, -60, 0.3), 30, ""},
		{"collect", 16, medium.Grid(4, 4, -60, 0.3), 30, ""},
		{"disseminate", 9, medium.Grid(3, 3, -60, 0), 20, "DisseminateC__told"},
	} {
		for _, b := range []*board.Board{&board.MicaZ, &board.Mica2} {
			t.Run(c.app+"-"+b.Name, func(t *testing.T) {
				t.Parallel()
				w, file := captured(t, c.app, b, c.n, c.links, c.seconds)
				var options []string
				if b == &board.Mica2 {
					options = []string{"-o", user0}
				}
				if bad := tsharkWith(t, file, options, "_ws.malformed", "frame.number"); len(bad) != 0 {
					t.Errorf("malformed frames: %v", bad)
				}
				rows := tsharkWith(t, file, options, "", "wpan.src16", "wpan.frame_type", "wpan.fcs_ok", "data.data")
				checkRows(t, w, c.app, c.sent, rows)
			})
		}
	}
}

// captured runs an example network and returns what was on the air.
func captured(t *testing.T, app string, b *board.Board, n int, links []medium.Link, seconds uint64) (*world.World, []byte) {
	t.Helper()
	w := testkit.Network(t, testkit.Example(t, app, b.Name), n, links, world.Config{Stagger: 1_000_000}, 1)
	var out bytes.Buffer
	p, err := newPcapng(&out, pcapngOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.Observe(world.Observer{Frame: func(fr world.Frame) {
		if err := p.frame(fr); err != nil {
			t.Error(err)
		}
	}})
	w.RunUntil(seconds * world.Second)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return w, out.Bytes()
}

// checkRows compares tshark's rows (source, type, checksum ok, data) with what the motes counted.
func checkRows(t *testing.T, w *world.World, app, sent string, rows []string) {
	t.Helper()
	data := map[int]int64{}
	last := map[int]int64{} // counter: the highest number on the air
	for _, row := range rows {
		f := strings.Split(row, "\t")
		if len(f) != 4 {
			t.Fatalf("tshark printed %q", row)
		}
		if f[2] != "1" && f[2] != "True" {
			t.Errorf("a frame with a wrong checksum: %s", row)
		}
		if f[0] == "" {
			continue // an acknowledgement
		}
		src, err := strconv.ParseInt(strings.TrimPrefix(f[0], "0x"), 16, 32)
		if err != nil {
			t.Fatalf("source %q", f[0])
		}
		data[int(src)]++
		if app == "counter" {
			// On a Mica2 what is before the frame and behind it is data to tshark, too.
			for _, part := range strings.Split(strings.ReplaceAll(f[3], ":", ""), ",") {
				if number, ok := strings.CutPrefix(part, "3f06"); ok {
					v, _ := strconv.ParseInt(number, 16, 32)
					last[int(src)] = max(last[int(src)], v)
				}
			}
		}
	}
	for i, m := range w.Motes() {
		if sent == "" {
			if data[i] == 0 && (app != "relay" || i > 0) { // the sink of relay only acknowledges
				t.Errorf("mote %d is not the source of any frame", i)
			}
			continue
		}
		if got, want := data[i], number(t, m, sent); got != want {
			t.Errorf("mote %d: tshark sees %d frames, the firmware says %d", i, got, want)
		}
		if app == "counter" {
			if want := number(t, m, "CounterC__counter"); last[i] != want {
				t.Errorf("mote %d: the last counter on the air is %d, in memory %d", i, last[i], want)
			}
		}
	}
}

func number(t *testing.T, m *mote.Mote, name string) int64 {
	t.Helper()
	ref, err := m.Kind.Image.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	v, err := ref.Read(peek{m})
	if err != nil {
		t.Fatal(err)
	}
	return v.Int()
}

type peek struct{ m *mote.Mote }

func (p peek) LoadByte(addr uint32) uint8     { return p.m.Peek(uint16(addr)) }
func (p peek) StoreByte(addr uint32, _ uint8) { panic(fmt.Sprintf("BUG: a test writes to %#x", addr)) }
