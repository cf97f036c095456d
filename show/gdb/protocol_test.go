package gdb

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"testing"
)

// client is somebody who speaks the protocol by hand.
type client struct {
	t    testing.TB
	conn net.Conn
	r    *bufio.Reader
}

// serving has a target served, and gives where.
func serving(t testing.TB, target debuggee) string {
	t.Helper()
	l, err := listen("0", false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- serve(ctx, l, target, func(string, ...any) {}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// dial connects, and switches acknowledgements off.
func dial(t testing.TB, addr string) *client {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	c := &client{t: t, conn: conn, r: bufio.NewReader(conn)}
	if got := c.ask("QStartNoAckMode"); got != "OK" {
		t.Fatalf("QStartNoAckMode: %q", got)
	}
	return c
}

func (c *client) write(text string) {
	if _, err := io.WriteString(c.conn, text); err != nil {
		c.t.Fatal(err)
	}
}

// ask sends a packet, and gives the answer.
func (c *client) ask(text string) string {
	c.t.Helper()
	c.write(string(frame([]byte(text))))
	return c.answer()
}

// answer reads a packet.
func (c *client) answer() string {
	c.t.Helper()
	x, err := receive(c.r)
	if err != nil || x.kind != packet {
		c.t.Fatalf("no packet: %v %v", x.kind, err)
	}
	return string(x.data)
}

// TestPackets asks everything in testdata, one after the other.
func TestPackets(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/packets.txt")
	if err != nil {
		t.Fatal(err)
	}
	c := dial(t, serving(t, short(t)))
	for line := range strings.Lines(string(text)) {
		ask, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " -> ")
		if !ok {
			continue
		}
		if got := c.ask(ask); got != want {
			t.Errorf("%s:\n got %q\nwant %q", ask, got, want)
		}
	}
	if got := c.ask("qXfer:threads:read::0,fff"); !strings.HasPrefix(got, "l<threads>\n<thread id=\"p1.1\" name=\"mote 0 (blink-micaz.elf)\">") {
		t.Errorf("threads: %q", got)
	}
	c.write(string(frame([]byte("qRcmd,68656c70"))))
	if got := c.answer(); !strings.HasPrefix(got, "O") {
		t.Errorf("monitor help: %q", got)
	}
}

// TestAcknowledged checks what happens before acknowledgements are switched off.
func TestAcknowledged(t *testing.T) {
	t.Parallel()
	conn, err := net.Dial("tcp", serving(t, short(t)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, x := range []struct{ send, want string }{
		{"$qC#b4", "+$QC1#c5"},
		{"-", "$QC1#c5"},
		{"$qC#00", "-"},
		{"garbage + $half$qC#B4", "+$QC1#c5"},
		{"$" + strings.Repeat("z", 3*maxPacket) + "#00", "+$E16#ac"},
		{"\x03\x03+$qC#b4", "+$QC1#c5"},
	} {
		if _, err := io.WriteString(conn, x.send); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(x.want))
		if _, err := io.ReadFull(conn, got); err != nil || string(got) != x.want {
			t.Fatalf("%.20q: got %q, want %q (%v)", x.send, got, x.want, err)
		}
	}
}

// TestInterrupted stops a network that would run for long; an interrupt from before it ran does not count.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	c := dial(t, serving(t, long(t)))
	c.write("\x03")
	if got := c.ask("vCont;s"); !strings.HasPrefix(got, "T05") {
		t.Errorf("a step after an interrupt that came too soon: %s", got)
	}
	c.write(string(frame([]byte("vCont;c"))) + "\x03")
	if got := c.answer(); !strings.HasPrefix(got, "T02") {
		t.Errorf("interrupted: %s", got)
	}
}

// TestOneAtATime turns a second client away, and takes the next one when the first has left: by itself, by kill, by detach.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	addr := serving(t, long(t))
	for _, last := range []string{"D", "k", "vKill;1 vKill;2", "D;2 D;1", ""} {
		first := dial(t, addr)
		step := first.ask("vCont;s")
		second, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		all, _ := io.ReadAll(second)
		if !bytes.HasPrefix(all, []byte("$E.another gdb")) {
			t.Errorf("the second client was told %q", all)
		}
		second.Close()
		if got := first.ask("?"); got != step {
			t.Errorf("the first client is at %s, and was at %s", got, step)
		}
		if last != "" {
			for _, p := range strings.Fields(last) {
				first.write(string(frame([]byte(p))))
			}
			_, _ = io.ReadAll(first.conn)
		} else {
			first.write(string(frame([]byte("c")))) // and it leaves while the network runs
			first.conn.Close()
		}
		waitFree(t, addr)
	}
}

// waitFree connects until somebody is let in, and leaves again.
func waitFree(t *testing.T, addr string) {
	t.Helper()
	for {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "$D#44")
		all, _ := io.ReadAll(conn)
		conn.Close()
		if bytes.Contains(all, []byte("$OK#")) {
			return
		}
	}
}

// TestFlood sends packets while the network runs, and does not read: that client is dropped, and the next one is served.
func TestFlood(t *testing.T) {
	t.Parallel()
	addr := serving(t, long(t))
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	flood := append(frame([]byte("c")), bytes.Repeat(frame([]byte("g")), 10*maxWaiting)...)
	_, _ = conn.Write(flood)
	_, _ = io.Copy(io.Discard, conn) // until we are dropped
	waitFree(t, addr)
}

// TestGarbage sends packets that are nearly right, from a seed, and then looks whether all is as before.
func TestGarbage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/packets.txt")
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for line := range strings.Lines(string(text)) {
		if ask, _, ok := strings.Cut(line, " -> "); ok {
			known = append(known, ask)
		}
	}
	addr := serving(t, short(t))
	rng := rand.New(rand.NewPCG(1, 2))
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	for range rounds {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, conn) }()
		for range rng.IntN(20) {
			if _, err := conn.Write(spoiled(rng, known)); err != nil {
				break
			}
		}
		conn.Close()
		waitFree(t, addr)
	}
	c := dial(t, addr)
	if got := c.ask("m0,4"); got != "0c944600" {
		t.Errorf("memory is %s", got)
	}
}

// spoiled is a packet with something wrong, or several.
func spoiled(rng *rand.Rand, known []string) []byte {
	p := []byte(known[rng.IntN(len(known))])
	for range rng.IntN(4) {
		if len(p) == 0 {
			break
		}
		switch i := rng.IntN(len(p)); rng.IntN(4) {
		case 0:
			p[i] = byte(rng.IntN(256))
		case 1:
			p = append(p[:i], p[i+1:]...)
		case 2:
			p = append(p, p[i:]...)
		case 3:
			p = append(p[:i], "ffffffffffffffff"...)
		}
	}
	switch rng.IntN(8) {
	case 0:
		return p
	case 1:
		return append([]byte("$"), p...)
	}
	return frame(p)
}

// FuzzSession has a session read anything: it must end, and leave the target as it was.
func FuzzSession(f *testing.F) {
	for _, seed := range []string{"$qSupported:multiprocess+#00", "$Z0,66a,2;X3,220127#00$vCont;c#00", "+-\x03$g#67", "$m800100,ffffffff#00", "$vFile:open:2f,0,0#00", "$qXfer:threads:read::0,10#00$bc#c5$bs#d5"} {
		f.Add([]byte("$QStartNoAckMode#b0" + seed))
	}
	target := short(f)
	f.Fuzz(func(t *testing.T, sent []byte) {
		here, there := net.Pipe()
		done := make(chan struct{})
		go func() {
			_ = attend(context.Background(), there, target)
			close(done)
		}()
		go func() { _, _ = io.Copy(io.Discard, here) }()
		_, _ = here.Write(sent)
		here.Close()
		<-done
		var flash [4]byte
		if n := target.Read(1, 0, flash[:]); n != 4 || flash != [4]byte{0x0c, 0x94, 0x46, 0x00} {
			t.Fatalf("flash is %x", flash)
		}
	})
}

// TestListen wants a flag for every address that others can reach.
func TestListen(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.org:0"} {
		if l, err := listen(addr, false); err == nil || !strings.Contains(err.Error(), "--gdb-anyone") {
			t.Errorf("%s: %v", addr, err)
			if err == nil {
				l.Close()
			}
		}
	}
	for _, x := range []struct {
		addr   string
		anyone bool
	}{{"0", false}, {"localhost:0", false}, {"127.0.0.1:0", false}, {"0.0.0.0:0", true}} {
		l, err := listen(x.addr, x.anyone)
		if err != nil {
			t.Errorf("%s: %v", x.addr, err)
			continue
		}
		l.Close()
	}
	if _, err := listen("127.0.0.1:notaport", false); err == nil {
		t.Error("127.0.0.1:notaport was taken")
	}
}
