package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/study/verdict"
	"motehound/world/recipe"
	"motehound/world/serialframe"
)

// ask is a frame to the example serial, and what it must answer: an acknowledgement, and the message back.
func ask(sequence, number byte) serialframe.Frame {
	return serialframe.Frame{Protocol: serialframe.ProtoPacket, Sequence: sequence, Message: &serialframe.Message{
		Dest: 1, Src: 3, Group: 0x22, Type: 9, Data: []byte{0, number},
	}}
}

func answers(sequence, number byte) []string {
	return []string{
		serialframe.Frame{Protocol: serialframe.ProtoAck, Sequence: sequence}.String(),
		serialframe.Frame{Protocol: serialframe.ProtoNoAck, Message: &serialframe.Message{Dest: 3, Src: 1, Group: 0x22, Type: 9,
			Data: []byte{0, number}}}.String(),
	}
}

// hasAnswers checks that the answers are among the frames in a stream, in order.
func hasAnswers(t *testing.T, stream []byte, want []string) {
	t.Helper()
	frames, err := serialframe.Parse(stream)
	if err != nil {
		t.Errorf("broken frames: %v", err)
	}
	left := want
	for _, f := range frames {
		if len(left) > 0 && f.String() == left[0] {
			left = left[1:]
		}
	}
	if len(left) > 0 {
		t.Errorf("got %v, want among them %v", frames, want)
	}
}

// converse sends a frame and reads until its two answers are there.
func converse(t *testing.T, line io.ReadWriter, sequence, number byte) {
	t.Helper()
	if _, err := line.Write(ask(sequence, number).Bytes()); err != nil {
		t.Fatal(err)
	}
	var got []byte
	for buf := make([]byte, 256); ; {
		n, err := line.Read(buf)
		got = append(got, buf[:n]...)
		if frames, _ := serialframe.Parse(got); strings.Contains(fmt.Sprint(frames), answers(sequence, number)[1]) {
			hasAnswers(t, got, answers(sequence, number))
			return
		}
		if err != nil {
			t.Fatalf("%v after % x", err, got)
		}
	}
}

// Bytes on standard input wait until the firmware listens, and answers come on standard output.
func TestSerialStdio(t *testing.T) {
	out := t.TempDir()
	c := command(t, "run", "--serial", "1=stdio", "--time", "2s", "--out", out, "example:serial")
	c.Stdin = bytes.NewReader(append(ask(1, 5).Bytes(), ask(2, 6).Bytes()...))
	r := finish(t, c)
	if r.status != exitFine || !strings.Contains(r.stderr, "final state") {
		t.Fatalf("exit status %d\n%s", r.status, r.stderr)
	}
	hasAnswers(t, []byte(r.stdout), append(answers(1, 5), answers(2, 6)...))
	replays(t, out)
}

// With --json the report has standard output for itself.
func TestSerialStdioJSON(t *testing.T) {
	c := command(t, "run", "--serial", "stdio", "--time", "2s", "--json", "--quiet", "example:serial")
	c.Stdin = bytes.NewReader(ask(1, 5).Bytes())
	r := finish(t, c)
	doc := r.report(t)
	hasAnswers(t, []byte(r.stderr), answers(1, 5))
	hasAnswers(t, bytesOf(t, doc.Motes[0].UART["0"]), answers(1, 5))
	if doc.Motes[0].LEDs != 5 || len(doc.Recipe.Serial) == 0 {
		t.Errorf("got LEDs %03b, serial input %v", doc.Motes[0].LEDs, doc.Recipe.Serial)
	}
}

func TestSerialFile(t *testing.T) {
	in := write(t, "in", string(ask(9, 3).Bytes()))
	out := filepath.Join(t.TempDir(), "out")
	doc := runJSON(t, "--serial", "0=file:"+out+","+in, "--time", "1.5s", "example:serial")
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	hasAnswers(t, got, answers(9, 3))
	if want := bytesOf(t, doc.Motes[0].UART["0"]); !bytes.Equal(got, want) {
		t.Errorf("the file has % x, the report % x", got, want)
	}
}

// A TCP port has one client after the other; Ctrl-C ends the run, which is kept and made again.
func TestSerialTCP(t *testing.T) {
	out := t.TempDir()
	s := start(t, "run", "--serial", "1=tcp:0", "--time", "100h", "--json", "--out", out, "example:serial")
	addr := s.await("serial 1: tcp ")
	if !strings.HasPrefix(addr, "127.0.0.1:") {
		t.Errorf("it listens on %s, want this machine only", addr)
	}
	for n := byte(1); n <= 2; n++ {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		converse(t, c, n, n+4)
		c.Close()
	}
	r := s.interrupt()
	if r.status != exitStopped {
		t.Fatalf("exit status %d\n%s", r.status, r.stderr)
	}
	doc := r.report(t)
	hasAnswers(t, bytesOf(t, doc.Motes[0].UART["0"]), append(answers(1, 5), answers(2, 6)...))
	if doc.Motes[0].LEDs != 6 {
		t.Errorf("got LEDs %03b, want 110", doc.Motes[0].LEDs)
	}
	replays(t, out)
}

// A pty passes every byte as it is. Opening it resets an Arduino, as DTR does on the real one, and no mote.
func TestSerialPTY(t *testing.T) {
	for board, resets := range map[string]int{"uno": 2, "micaz": 0} {
		t.Run(board, func(t *testing.T) {
			out := t.TempDir()
			link := filepath.Join(t.TempDir(), "tty")
			s := start(t, "run", "--serial", "0=pty:"+link, "--time", "100h", "--json", "--out", out, "example:serial-"+board)
			slave := s.await("serial 1: ")
			for n := byte(1); n <= 2; n++ {
				path := slave
				if n == 2 {
					path = link
				}
				f, err := os.OpenFile(path, os.O_RDWR, 0)
				if err != nil {
					t.Fatal(err)
				}
				s.await("serial 1: opened")
				converse(t, f, 0x10+n, n) // 0x11 and 0x12 mean something to terminals that are not raw
				f.Close()
			}
			r := s.interrupt()
			if r.status != exitStopped {
				t.Fatalf("exit status %d\n%s", r.status, r.stderr)
			}
			if doc := r.report(t); len(doc.Recipe.Resets) != resets {
				t.Errorf("got resets %v, want %d", doc.Recipe.Resets, resets)
			}
			if _, err := os.Lstat(link); !os.IsNotExist(err) {
				t.Errorf("the link is still there: %v", err)
			}
			replays(t, out)
		})
	}
}

// Ctrl-C ends a run without a peer too, and it is reported.
func TestInterrupt(t *testing.T) {
	out := t.TempDir()
	s := start(t, "run", "--leds", "--json", "--time", "4000h", "--out", out, "example:blink")
	s.await("LED red on")
	r := s.interrupt()
	doc := r.report(t)
	if r.status != exitStopped || !slices.Contains(doc.LeftOut, verdict.Interrupted) || doc.TimeS <= 0 || doc.TimeS >= 4000*3600 {
		t.Errorf("exit status %d after %v s", r.status, doc.TimeS)
	}
	kept, err := recipe.Read(filepath.Join(out, "recipe.json"))
	if err != nil {
		t.Fatal(err)
	}
	if kept.Hash != doc.Hash {
		t.Errorf("kept hash %s, printed %s", kept.Hash, doc.Hash)
	}
}
