package forwarder

import (
	"io"
	"testing"
	"time"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/periph"
	"motehound/world"
)

// A real mote: the example serial counts in packets, and sends back what it gets.
func TestServerWithMote(t *testing.T) {
	for _, name := range []string{"micaz", "mica2"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			withMote(t, name)
		})
	}
}

func withMote(t *testing.T, name string) {
	f, ok := examples.Find("serial", name)
	if !ok {
		t.Fatal("the example serial is not there")
	}
	im, err := image.Parse(f.File(), f.ELF())
	if err != nil {
		t.Fatal(err)
	}
	bd, err := board.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	k, err := mote.NewKind(bd, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.New(&world.Config{Motes: []world.MoteConfig{{Kind: k, ID: 1}}}, world.Natural{})
	if err != nil {
		t.Fatal(err)
	}
	var sent []byte
	w.Observe(world.Observer{Serial: func(_ int, _ uint8, c periph.SerialChar) { sent = append(sent, c.Data.V()) }})

	b := start(t, patience)
	c := b.join()
	if _, err := c.Write([]byte("\x0a\x00\x00\x01\x00\x03\x02\x22\x09\x00\x05")); err != nil {
		t.Fatal(err)
	}
	answers := make(chan string)
	go func() { // each packet, behind its length
		defer close(answers)
		for {
			b := make([]byte, 1+10)
			if _, err := io.ReadFull(c, b); err != nil {
				return
			}
			answers <- string(b)
		}
	}()
	var input []byte
	pass := func() {
		m := w.Motes()[0]
		if len(input) == 0 {
			input = b.Receive(w.Now())
		}
		if len(input) > 0 && m.SerialReady(0) && m.SerialIdle(0) {
			w.SerialIn(world.Serial{Bytes: input})
			input = nil
		}
		w.RunUntil(w.Now() + ms)
		b.Send(sent)
		sent = nil
	}
	const echo = "\x0a\x00\x00\x03\x00\x01\x02\x22\x09\x00\x05"
	const count = "\x0a\x00\xff\xff\x00\x01\x02\x22\x09" // and the counter
	counter, echoes := 0, 0
	for deadline := time.Now().Add(20 * time.Second); counter < 3 || echoes < 1; {
		if time.Now().After(deadline) {
			t.Fatalf("%d counts and %d echoes in %d ms; the log is %q", counter, echoes, w.Now()/ms, b.logged())
		}
		pass()
		select {
		case a := <-answers:
			switch {
			case a == echo && echoes == 0:
				echoes++
			case a == count+string([]byte{byte((counter + 1) >> 8), byte(counter + 1)}):
				counter++
			default:
				t.Fatalf("got % x after %d counts and %d echoes", a, counter, echoes)
			}
		default:
		}
	}
	if got := b.logged(); got != "" {
		t.Errorf("log: %q", got)
	}
}
