package stops

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// In a debugger at a terminal, Tab completes, an arrow brings a command back, Ctrl-C ends a command that takes long, and Ctrl-D leaves.
func TestDialogue(t *testing.T) {
	t.Parallel()
	s := sit(t, t.TempDir(), "", true, "debug", "--nodes", "16", "--time", "24h", "example:counter-micaz")
	say := func(keys, want string) {
		t.Helper()
		s.seen.Reset()
		if _, err := s.master.Write([]byte(keys)); err != nil {
			t.Fatal(err)
		}
		if !s.await(want) {
			t.Fatalf("%q: got %q, want %q", keys, s.seen.String(), want)
		}
	}
	const prompt = "(motehound) "
	ask := func(keys, want string) {
		t.Helper()
		say(keys, want)
		_, behind, _ := strings.Cut(s.seen.String(), want)
		s.seen.Reset()
		s.seen.WriteString(behind)
		s.await(prompt) // now it listens to keys again
	}
	s.await(prompt)
	ask("got\t1s\r", "1.000000 s, mote 0")
	ask("pri\tCounterC__co\t\r", "CounterC__counter = 3")
	ask("nonsense\r", "there is no command")
	ask("\x1b[A\x1b[A\r", "CounterC__counter = 3")
	before := s.worked()
	say("goto end\r", "goto end\r\n")
	for s.worked() < before+100*time.Millisecond { // it is on its way, and the terminal sends signals again
		runtime.Gosched()
	}
	s.press()
	ask("", "interrupted: ")
	s.press() // at the prompt it leaves, as Ctrl-D does
	if status, _ := s.leave(); status != 0 {
		t.Errorf("exit status %d, want 0", status)
	}
}
