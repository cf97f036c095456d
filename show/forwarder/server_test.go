package forwarder

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"motehound/world/serialframe"
)

// bench is a forwarder with a fake mote, and with the world's clock in the test's hands.
type bench struct {
	*testing.T
	*Server
	mote fakeMote
	now  uint64

	mu  sync.Mutex
	log []string
}

func start(t *testing.T, patience time.Duration) *bench {
	t.Helper()
	b := &bench{T: t}
	var err error
	b.Server, err = listen("0", func(line string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.log = append(b.log, line)
	}, patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if b.Server != nil {
			b.Server.Close()
		}
	})
	return b
}

// until lets virtual time pass, a millisecond at a time, until something holds.
func (b *bench) until(what string, holds func() bool) {
	b.Helper()
	b.Logf("waiting until %s", what)
	for !holds() {
		b.now += ms
		b.mote.take(b.T, b.Receive(b.now))
		b.Send(b.mote.give())
		time.Sleep(100 * time.Microsecond)
	}
}

func (b *bench) logged() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.log, "\n")
}

func (b *bench) greeted() (n int) {
	b.Server.mu.Lock()
	defer b.Server.mu.Unlock()
	for _, greeted := range b.clients {
		if greeted {
			n++
		}
	}
	return n
}

// dial connects without a greeting.
func (b *bench) dial() net.Conn {
	b.Helper()
	c, err := net.Dial("tcp", b.addr())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(20 * time.Second))
	return c
}

// join connects as a client of the protocol does.
func (b *bench) join() net.Conn {
	b.Helper()
	before := b.greeted()
	c := b.dial()
	var hello [2]byte
	if _, err := c.Write([]byte("U ")); err != nil {
		b.Fatal(err)
	}
	if _, err := io.ReadFull(c, hello[:]); err != nil || string(hello[:]) != "U " {
		b.Fatalf("greeted with %q, %v", hello, err)
	}
	b.until("a client has joined", func() bool { return b.greeted() > before })
	return c
}

// packet reads one.
func (b *bench) packet(c net.Conn) string {
	b.Helper()
	var length [1]byte
	if _, err := io.ReadFull(c, length[:]); err != nil {
		b.Fatal(err)
	}
	p := make([]byte, length[0])
	if _, err := io.ReadFull(c, p); err != nil {
		b.Fatal(err)
	}
	return string(p)
}

func unacknowledged(packet string) []byte {
	return serialframe.Raw{Protocol: serialframe.ProtoNoAck, Packet: []byte(packet)}.Bytes()
}

// Every client gets every packet; what clients send reaches the mote, in each client's order.
func TestServerManyClients(t *testing.T) {
	b := start(t, patience)
	var clients []net.Conn
	for range 5 {
		clients = append(clients, b.join())
	}
	for i := range 20 {
		b.Send(unacknowledged(fmt.Sprintf("\x00reading %d \x7e\x7d", i)))
	}
	for _, c := range clients {
		for i := range 20 {
			if got, want := b.packet(c), fmt.Sprintf("\x00reading %d \x7e\x7d", i); got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
		}
	}
	for i := range clients {
		clients[i].Write([]byte{2, 'a', byte('0' + i), 2, 'b', byte('0' + i)})
		if i%2 == 0 {
			clients[i].Close() // as sfsend does
		}
	}
	b.until("the mote has all packets", func() bool { return len(b.mote.got) == 10 })
	all := strings.Join(b.mote.got, " ")
	for i := range clients {
		first, second := strings.Index(all, fmt.Sprintf("a%d", i)), strings.Index(all, fmt.Sprintf("b%d", i))
		if first < 0 || second < first {
			t.Errorf("client %d: the mote got %q", i, all)
		}
	}
	b.until("those that left are forgotten", func() bool { return b.greeted() == 2 })
	if got := b.logged(); got != "" {
		t.Errorf("log: %q", got)
	}
}

func TestServerLongestPackets(t *testing.T) {
	b := start(t, patience)
	c := b.join()
	toMote := strings.Repeat("\x7e", serialframe.MaxToMote)
	c.Write(append([]byte{serialframe.MaxToMote}, toMote...))
	b.until("the mote has it", func() bool { return len(b.mote.got) == 1 && b.mote.got[0] == toMote })
	fromMote := strings.Repeat("\x7d", serialframe.MaxPacket)
	b.Send(unacknowledged(fromMote))
	if b.packet(c) != fromMote {
		t.Error("the longest packet was changed")
	}
}

// Clients that break the protocol are dropped, each with its reason, and others do not notice.
func TestServerDropsBadClients(t *testing.T) {
	for _, c := range []struct{ what, sends, why string }{
		{"TinyOS 1", "T ", `its greeting is "T ", not "U "`},
		{"a version before the first", "U\x1f", "does not speak the protocol of TinyOS 2"},
		{"web browser", "GET / HTTP/1.1\r\n\r\n", `its greeting is "GE"`},
		{"silence", "", "no greeting within"},
		{"half a greeting", "U", "no greeting within"},
		{"no length", "U \x00", "a packet of 0 bytes"},
		{"too long", "U \xfd", "a packet of 253 bytes; a mote takes 1 to 252"},
		{"hangs in a packet", "U \x05abc", "sent 3 bytes of a packet of 5, and no more within"},
	} {
		t.Run(c.what, func(t *testing.T) {
			b := start(t, 150*time.Millisecond)
			good := b.join()
			bad := b.dial()
			bad.Write([]byte(c.sends))
			b.until("it is dropped", func() bool { return b.logged() != "" })
			if got := b.logged(); !strings.Contains(got, "client 127.0.0.1:") || !strings.Contains(got, "is dropped: ") ||
				!strings.Contains(got, c.why) {
				t.Errorf("log: %q, want %q", got, c.why)
			}
			io.Copy(io.Discard, bad) // ends, since the connection has
			b.Send(unacknowledged("still here"))
			if b.packet(good) != "still here" {
				t.Error("another client noticed")
			}
			if len(b.mote.got) != 0 {
				t.Errorf("the mote got %q", b.mote.got)
			}
		})
	}
	t.Run("leaves in a packet", func(t *testing.T) {
		b := start(t, patience)
		c := b.join()
		c.Write([]byte{5, 1})
		c.Close()
		b.until("it is dropped", func() bool { return strings.Contains(b.logged(), "it left after 1 bytes of a packet of 5") })
	})
	t.Run("leaves in its greeting", func(t *testing.T) {
		b := start(t, patience)
		c := b.dial()
		c.Write([]byte("U"))
		c.Close()
		b.until("it is dropped", func() bool { return strings.Contains(b.logged(), "it left after 1 bytes of its greeting") })
	})
}

// A later version's client speaks the lower version of the two.
func TestServerTakesLaterVersions(t *testing.T) {
	b := start(t, patience)
	c := b.dial()
	c.Write([]byte("U!\x02hi"))
	b.until("its packet is there", func() bool { return len(b.mote.got) == 1 && b.mote.got[0] == "hi" })
}

// A client that takes nothing costs a bounded queue and no time, and does not take others with it.
func TestServerDropsSlowClients(t *testing.T) {
	b := start(t, patience)
	b.join()
	good := b.join()
	var taken sync.WaitGroup
	taken.Add(1)
	go func() {
		defer taken.Done()
		io.Copy(io.Discard, good)
	}()
	wire := unacknowledged(strings.Repeat("x", serialframe.MaxPacket))
	for range 200_000 { // 50 MB, more than sockets keep
		b.Send(wire) // a Send that waited for the slow one would never return
		if b.greeted() == 1 {
			break
		}
		if b.backlog() > maxQueue/2 { // give the good one a chance to be good
			time.Sleep(time.Millisecond)
		}
	}
	if got := b.logged(); strings.Count(got, "is dropped: it has not taken the last 1048576 bytes") != 1 {
		t.Errorf("log: %q", got)
	}
	b.Server.Close()
	b.Server = nil
	taken.Wait()
}

// backlog is the shortest queue.
func (b *bench) backlog() int {
	b.Server.mu.Lock()
	defer b.Server.mu.Unlock()
	shortest := maxQueue
	for c := range b.clients {
		c.mu.Lock()
		shortest = min(shortest, len(c.queue))
		c.mu.Unlock()
	}
	return shortest
}

// A client that sends more than the mote takes waits, and so does the mote's own time not.
func TestServerHoldsBackQuickClients(t *testing.T) {
	b := start(t, patience)
	c := b.join()
	go func() {
		for {
			if _, err := c.Write([]byte("\x04spam")); err != nil {
				return
			}
		}
	}()
	b.until("the mote has a hundred packets", func() bool { return len(b.mote.got) >= 100 })
	b.Server.Close() // returns, although the client goes on
	b.Server = nil
}

func TestServerTurnsClientsAway(t *testing.T) {
	b := start(t, patience)
	for range maxClients {
		b.dial()
	}
	b.until("all are in", func() bool {
		b.Server.mu.Lock()
		defer b.Server.mu.Unlock()
		return len(b.clients) == maxClients
	})
	b.dial()
	b.until("one is turned away", func() bool { return strings.Contains(b.logged(), "is turned away: 64 are here already") })
}

// What the mote sent last reaches a client, although the run ends at once.
func TestServerCloseSendsTheRest(t *testing.T) {
	b := start(t, patience)
	c := b.join()
	b.dial() // never greets
	hung := b.join()
	hung.(*net.TCPConn).SetReadBuffer(1)
	const n = 3000
	for range n {
		b.Send(unacknowledged(strings.Repeat("x", 250)))
	}
	closed := make(chan error)
	go func() { closed <- b.Server.Close() }()
	got, err := io.ReadAll(c)
	if err != nil || len(got) != n*251 {
		t.Errorf("got %d bytes, %v, want %d", len(got), err, n*251)
	}
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
	b.Server = nil
	if got := b.logged(); got != "" {
		t.Errorf("log: %q", got)
	}
}

func TestServerLogsBadFrames(t *testing.T) {
	b := start(t, patience)
	c := b.join()
	b.Send([]byte("boot text\r\n"))
	for range 2 * maxComplaints {
		b.Send([]byte("\x7eoops\x7e"))
	}
	b.Send(unacknowledged("fine"))
	if b.packet(c) != "fine" {
		t.Error("a good frame was lost")
	}
	got := b.logged()
	if strings.Count(got, "from the mote: 6f 6f 70 73: CRC is") != maxComplaints || !strings.HasSuffix(got, "no more about bad frames") {
		t.Errorf("log: %s", got)
	}
}

func TestListen(t *testing.T) {
	s, err := Listen(":0", func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !strings.HasPrefix(s.Where(), "sf@127.0.0.1:") {
		t.Errorf("listens on %s, which others can reach", s.Where())
	}
	if _, err := Listen(s.addr(), func(string) {}); err == nil || !strings.Contains(err.Error(), "serial forwarder: ") ||
		!strings.Contains(err.Error(), s.addr()) {
		t.Errorf("a port in use: %v", err)
	}
}

// FuzzClient: whatever a client sends, the mote gets only packets that the protocol contains, and the server stays up.
func FuzzClient(f *testing.F) {
	f.Add([]byte("U \x02hi\x00"))
	f.Add([]byte("U \x01a\x03bc"))
	f.Add([]byte("GET /"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		b := start(t, time.Second)
		c := b.dial()
		c.Write(stream)
		c.(*net.TCPConn).CloseWrite()
		want := packetsIn(stream)
		b.until("its packets are with the mote", func() bool { return len(b.mote.got) >= len(want) })
		for i, p := range want {
			if !bytes.Equal([]byte(b.mote.got[i]), p) {
				t.Fatalf("packet %d is %q, want %q", i, b.mote.got[i], p)
			}
		}
		b.Server.Close()
		b.Server = nil
		if len(b.mote.got) != len(want) {
			t.Fatalf("the mote got %q", b.mote.got)
		}
	})
}

// packetsIn reads the protocol, plainly.
func packetsIn(b []byte) (packets [][]byte) {
	if len(b) < 2 || b[0] != 'U' || b[1] < ' ' {
		return nil
	}
	for b = b[2:]; len(b) > 0 && b[0] > 0 && b[0] <= serialframe.MaxToMote && len(b) > int(b[0]); {
		packets = append(packets, b[1:1+int(b[0])])
		b = b[1+int(b[0]):]
	}
	return packets
}
