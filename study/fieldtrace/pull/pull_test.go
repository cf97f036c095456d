package pull

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"motehound/study/fieldtrace/record"
)

// lossy is a mote that answers requests as motehound_trace_query.c does, over a link that loses messages.
type lossy struct {
	rng   *rand.Rand
	loss  float64
	pages map[int][]byte
	order []int
	out   [][]byte
	mute  bool
}

func (l *lossy) Send(m []byte) error {
	if l.mute || l.rng.Float64() < l.loss {
		return nil
	}
	places := l.order
	switch n := int(binary.LittleEndian.Uint16(m[6:])); m[1] {
	case askNewest:
		places = places[max(len(places)-n, 0):]
	case askPages:
		places = []int{int(binary.LittleEndian.Uint16(m[4:]))}
	}
	for _, place := range places {
		for offset := 0; offset < len(l.pages[place]); offset += 22 {
			b := []byte{reply, sayPiece, byte(place), byte(place >> 8), byte(offset), byte(offset >> 8)}
			l.out = append(l.out, append(b, l.pages[place][offset:min(offset+22, len(l.pages[place]))]...))
		}
	}
	l.out = append(l.out, []byte{reply, sayEnd, 0, 0})
	return nil
}

func (l *lossy) Receive() ([]byte, bool, error) {
	for len(l.out) > 0 {
		m := l.out[0]
		l.out = l.out[1:]
		if l.rng.Float64() >= l.loss {
			return m, true, nil
		}
	}
	return nil, false, nil
}

func newLossy(seed uint64, loss float64) *lossy {
	l := &lossy{rng: rand.New(rand.NewPCG(seed, 3)), loss: loss, pages: map[int][]byte{}}
	for place := 5; place < 25; place++ {
		page := make([]byte, record.AT45DB.Page())
		for i := range page {
			page[i] = uint8(l.rng.Uint32())
		}
		l.pages[place] = page
		l.order = append(l.order, place)
	}
	return l
}

// What is lost on the way is asked for again, until all is there.
func TestPull(t *testing.T) {
	for seed, loss := range []float64{0, 0.02, 0.1, 0.3} {
		l := newLossy(uint64(seed), loss)
		pieces, err := Pull(l, record.AT45DB, Query{Proc: -1}, nil)
		if err != nil {
			t.Errorf("loss %.2f: %v", loss, err)
		}
		for _, p := range pieces {
			if string(p.Bytes) != string(l.pages[p.Place]) {
				t.Errorf("loss %.2f: page %d differs", loss, p.Place)
			}
		}
		if len(pieces) != len(l.order) {
			t.Errorf("loss %.2f: %d of %d pages", loss, len(pieces), len(l.order))
		}
		if image := Image(record.AT45DB, pieces); len(image) != 25*record.AT45DB.Page() {
			t.Errorf("an image of %d bytes", len(image))
		}
	}
}

func TestNewest(t *testing.T) {
	pieces, err := Pull(newLossy(1, 0), record.AT45DB, Query{Proc: -1, Bytes: 600}, nil)
	if err != nil || len(pieces) != 3 || pieces[0].Place != 22 {
		t.Errorf("%d pages, %v", len(pieces), err)
	}
}

// A mote that does not answer, and answers that make no sense.
func TestSilence(t *testing.T) {
	l := newLossy(1, 0)
	l.mute = true
	if _, err := Pull(l, record.AT45DB, Query{Proc: -1}, nil); !errors.Is(err, errSilent) {
		t.Errorf("%v", err)
	}
	l.out = [][]byte{{}, {reply}, {reply, 9, 0, 0}, {reply, sayPiece, 0, 0, 255, 255, 1}, {1, 2, 3, 4}}
	if pieces, err := Pull(l, record.AT45DB, Query{Proc: -1}, nil); !errors.Is(err, errSilent) || len(pieces) != 0 {
		t.Errorf("%d pages, %v", len(pieces), err)
	}
}

// A network that talks all the time, but not to us, is as good as silent.
func TestStrangers(t *testing.T) {
	const number = 9
	f := &Frames{Mote: 5, Write: func([]byte) error { return nil }, Read: func() ([]byte, bool, error) { return Frame(7, number, []byte{1, 2}), true, nil }}
	if _, err := Pull(f, record.AT45DB, Query{Proc: -1}, nil); !errors.Is(err, errSilent) {
		t.Errorf("%v", err)
	}
}

// An answer comes as the mote's kernel frames it: TinyOS 2's, TinyOS 1's, or in Contiki's lines, among other things; and what is asked is in all
// three.
func TestFramings(t *testing.T) {
	message := []byte{reply, sayEnd, 3, 0}
	for name, stream := range map[string][]byte{
		"TinyOS 2": Frame(0, AM, message),
		"TinyOS 1": frame1(0x7E, AM, message),
		"Contiki":  []byte("Hello, world\r\nmh 0006 5202\r\nmh 0005 52020300\r\n"),
	} {
		var asked []byte
		f := &Frames{Mote: 5, Write: func(b []byte) error { asked = b; return nil }}
		f.Read = func() (bytes []byte, ok bool, err error) {
			n := min(len(stream), 7)
			bytes, stream = stream[:n], stream[n:]
			return bytes, n > 0, nil
		}
		got, ok, err := f.Receive()
		if !ok || err != nil || string(got) != string(message) {
			t.Errorf("%s: % x, %v, %v", name, got, ok, err)
		}
		if err := f.Send(message); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{string(Frame(5, AM, message)), string(frame1(5, AM, message)), "\nmh 0005 52020300\n"} {
			if !strings.Contains(string(asked), want) {
				t.Errorf("%s: % x is not in what is asked, % x", name, want, asked)
			}
		}
	}
}
