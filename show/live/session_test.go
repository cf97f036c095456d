package live

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/serialframe"
)

func open(name string) ([]byte, error) {
	for _, f := range examples.All {
		if f.File() == name {
			return f.ELF(), nil
		}
	}
	return nil, io.ErrUnexpectedEOF
}

func newWorld(t *testing.T, r *recipe.Recipe) *world.World {
	t.Helper()
	w, err := r.World(open)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func serialMote() *recipe.Recipe {
	return &recipe.Recipe{Version: recipe.Version, Motes: []recipe.Mote{{Firmware: "serial-micaz.elf", Board: "micaz", ID: 1}}}
}

// again checks that the recipe of a live run makes it again.
func again(t *testing.T, r *recipe.Recipe, w *world.World) {
	t.Helper()
	r.Finish(w)
	w2 := newWorld(t, r)
	w2.RunUntil(r.Until)
	if got := w2.Hash().String(); got != r.Hash {
		t.Errorf("made again, the final state is %s, not %s", got, r.Hash)
	}
}

func frame(sequence byte) []byte {
	return serialframe.Frame{Protocol: serialframe.ProtoPacket, Sequence: sequence, Message: &serialframe.Message{
		Dest: 1, Group: 0x22, Type: 9, Data: []byte{0, sequence}}}.Bytes()
}

// slowly gives one byte at a time.
type slowly struct{ io.Reader }

func (s slowly) Read(p []byte) (int, error) { return s.Reader.Read(p[:1]) }

// However the host's bytes are cut, all of them arrive, after the firmware has switched its receiver on, and the run is
// made again by its recipe.
func TestInput(t *testing.T) {
	var in []byte
	for n := range byte(20) {
		in = append(in, frame(n)...)
	}
	for name, reader := range map[string]io.Reader{
		"at once": bytes.NewReader(in),
		"slowly":  slowly{bytes.NewReader(in)},
	} {
		t.Run(name, func(t *testing.T) {
			r := serialMote()
			w := newWorld(t, r)
			var out bytes.Buffer
			line, err := openPort(Spec{Kind: "stdio"}, Stdio{In: reader, Out: &out})
			if err != nil {
				t.Fatal(err)
			}
			s := session{World: w, Ports: []*port{line}}
			if err := s.run(context.Background(), 5*world.Second); err != nil {
				t.Fatal(err)
			}
			var got []byte
			for _, i := range w.Config().Serial {
				if i.At == 0 {
					t.Error("bytes entered before the firmware ran")
				}
				got = append(got, i.Bytes...)
			}
			if !bytes.Equal(got, in) {
				t.Errorf("%d bytes entered, want %d", len(got), len(in))
			}
			frames, err := serialframe.Parse(out.Bytes())
			if err != nil {
				t.Error(err)
			}
			acks := 0
			for _, f := range frames {
				if f.Protocol == serialframe.ProtoAck {
					if int(f.Sequence) != acks {
						t.Errorf("acknowledgement %d is for frame %d", acks, f.Sequence)
					}
					acks++
				}
			}
			if acks != 20 {
				t.Errorf("%d frames were acknowledged, want 20", acks)
			}
			again(t, r, w)
		})
	}
}

// A run that is stopped ends between two slices, and stays one that can be made again.
func TestCancel(t *testing.T) {
	r := serialMote()
	w := newWorld(t, r)
	ctx, cancel := context.WithCancel(context.Background())
	s := session{World: w, Progress: func(now uint64) {
		if now >= 5*world.Second {
			cancel()
		}
	}}
	if err := s.run(ctx, 100*world.Second); err != nil {
		t.Fatal(err)
	}
	if w.Now() != 5*world.Second {
		t.Errorf("it ended at %d ps, want 5 s", w.Now())
	}
	again(t, r, w)
}

// A world in which nothing can happen any more ends early.
func TestStopped(t *testing.T) {
	r := &recipe.Recipe{Version: recipe.Version, Motes: []recipe.Mote{{Firmware: "cpu-sort.elf", Chip: "atmega128", Hertz: 100_000_000}}}
	if testing.Short() {
		return
	}
	w := newWorld(t, r)
	s := session{World: w}
	if err := s.run(context.Background(), 1000*world.Second); err != nil {
		t.Fatal(err)
	}
	if !w.Stopped() || w.Now() >= 3*world.Second {
		t.Errorf("stopped %v at %d ps", w.Stopped(), w.Now())
	}
	again(t, r, w)
}

// A mote that is reset, also one that sleeps, is reset at the same moment when the run is made again.
func TestReset(t *testing.T) {
	r := serialMote()
	w := newWorld(t, r)
	s := session{World: w}
	n := 0
	s.Progress = func(now uint64) {
		if n++; n%7 == 0 {
			w.Reset(0)
		}
	}
	if err := s.run(context.Background(), 5*world.Second); err != nil {
		t.Fatal(err)
	}
	if len(w.Config().Resets) != 7 {
		t.Errorf("got %d resets, want 7", len(w.Config().Resets))
	}
	again(t, r, w)
}

// A failing peer ends the run with its error.
func TestBadPeer(t *testing.T) {
	w := newWorld(t, serialMote())
	line, err := openPort(Spec{Kind: "stdio"}, Stdio{In: strings.NewReader(""), Out: broken{}})
	if err != nil {
		t.Fatal(err)
	}
	s := session{World: w, Ports: []*port{line}}
	if err := s.run(context.Background(), 2*world.Second); err == nil || !strings.Contains(err.Error(), "standard output") {
		t.Errorf("got error %v", err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
