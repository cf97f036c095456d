package forwarder

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"motehound/world"
	"motehound/world/serialframe"
)

const ms = world.Millisecond

// fakeMote does what TinyOS's SerialP does: it acknowledges packets, and gives them to its firmware.
type fakeMote struct {
	framer serialframe.Framer
	deaf   int // frames that it will not hear
	got    []string
	acked  []uint8 // what the host acknowledged
	out    []byte
}

func (m *fakeMote) take(t *testing.T, wire []byte) {
	t.Helper()
	frames, err := m.framer.Take(wire)
	if err != nil {
		t.Error(err)
	}
	for _, r := range frames {
		switch {
		case r.Protocol == serialframe.ProtoAck:
			m.acked = append(m.acked, r.Sequence)
		case m.deaf > 0:
			m.deaf--
		default:
			m.got = append(m.got, string(r.Packet))
			m.out = append(m.out, serialframe.Raw{Protocol: serialframe.ProtoAck, Sequence: r.Sequence}.Bytes()...)
		}
	}
}

// give is what the mote has sent since the last call.
func (m *fakeMote) give() []byte {
	b := m.out
	m.out = nil
	return b
}

// queue gives packets one after the other.
func queue(packets ...string) func() []byte {
	return func() []byte {
		if len(packets) == 0 {
			return nil
		}
		p := packets[0]
		packets = packets[1:]
		return []byte(p)
	}
}

func TestLinkWaitsForAcknowledgement(t *testing.T) {
	var l link
	var m fakeMote
	next := queue("one", "two", "three")
	for i, want := range []string{"one", "two", "three"} {
		wire, err := l.toMote(uint64(i)*10*ms, next)
		if err != nil || len(wire) == 0 {
			t.Fatalf("packet %d: got % x, %v", i, wire, err)
		}
		if again, _ := l.toMote(uint64(i)*10*ms+ms, next); again != nil {
			t.Fatalf("packet %d: % x before it is acknowledged", i, again)
		}
		m.take(t, wire)
		if got := m.got[len(m.got)-1]; got != want {
			t.Errorf("the mote got %q, want %q", got, want)
		}
		if packets, err := l.fromMote(m.give()); err != nil || len(packets) != 0 {
			t.Errorf("from an acknowledgement came %q, %v", packets, err)
		}
	}
}

// A packet is sent again at times that depend on virtual time alone, and given up in the end; the next one goes its way.
func TestLinkSendsAgain(t *testing.T) {
	for _, deaf := range []int{0, 1, maxTries - 1, maxTries} {
		var l link
		m := fakeMote{deaf: deaf}
		next := queue("first", "second")
		var sent []uint64
		var complaints []string
		for now := uint64(0); now < 10*world.Second && len(m.got) < 2; now += ms {
			wire, err := l.toMote(now, next)
			if err != nil {
				complaints = append(complaints, err.Error())
			}
			if wire != nil {
				sent = append(sent, now/ms)
			}
			m.take(t, wire)
			l.fromMote(m.give())
		}
		// Each time is a millisecond late, because that is when the link learns that its bytes are on the line.
		times := []uint64{0, 201, 602, 1203, 2004, 3005}[:deaf+1]
		want := []string{"first", "second"}
		if deaf == maxTries {
			want = want[1:]
			if len(complaints) != 1 || !strings.Contains(complaints[0], "sent 5 times (7e 44 01 66 69") {
				t.Errorf("given up with %q", complaints)
			}
			m.got = m.got[:1]
			sent = sent[:len(times)]
		} else {
			times = append(times, times[deaf]+1)
			if complaints != nil {
				t.Errorf("deaf to %d: %q", deaf, complaints)
			}
		}
		if fmt.Sprint(m.got) != fmt.Sprint(want) || fmt.Sprint(sent) != fmt.Sprint(times) {
			t.Errorf("deaf to %d: the mote got %q of what was sent at %d ms, want %q and %d", deaf, m.got, sent, want, times)
		}
	}
}

// An old acknowledgement is none for the packet under way.
func TestLinkIgnoresOtherAcknowledgements(t *testing.T) {
	var l link
	l.toMote(0, queue("x"))
	l.fromMote(serialframe.Raw{Protocol: serialframe.ProtoAck, Sequence: l.sequence - 1}.Bytes())
	if l.flight == nil {
		t.Error("the packet counts as acknowledged")
	}
}

func TestLinkAcknowledges(t *testing.T) {
	var l link
	var m fakeMote
	for i := range 3 {
		wire := serialframe.Raw{Protocol: serialframe.ProtoPacket, Sequence: uint8(i + 7), Packet: []byte{0, byte(i)}}.Bytes()
		packets, err := l.fromMote(wire)
		if err != nil || len(packets) != 1 || !bytes.Equal(packets[0], []byte{0, byte(i)}) {
			t.Errorf("got %q, %v", packets, err)
		}
	}
	wire, _ := l.toMote(0, queue("x"))
	m.take(t, wire)
	if !bytes.Equal(m.acked, []byte{7, 8, 9}) || len(m.got) != 1 {
		t.Errorf("the mote got acknowledgements for %d, and %q", m.acked, m.got)
	}
	for range 1000 {
		l.fromMote(serialframe.Raw{Protocol: serialframe.ProtoPacket, Packet: []byte{0}}.Bytes())
	}
	if len(l.acks) > maxAcks {
		t.Errorf("%d acknowledgements wait for a mote that does not listen", len(l.acks))
	}
}
