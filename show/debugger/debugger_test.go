package debugger_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"motehound/examples"
	"motehound/job"
	"motehound/show/debugger"
)

// Sources are found from the repository's folder.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	m.Run()
}

// open gets a run ready.
func open(t *testing.T, file string, nodes int, span time.Duration) *job.Journey {
	t.Helper()
	w := job.NewWorld()
	w.Nodes, w.Time = nodes, &span
	run, err := job.Debug{World: w, File: file}.Open(context.Background(), job.Host{})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// race is the recipe of a finding of check.
func race(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	f := job.NewCheck("example:ring")
	f.Out, f.NoRepair = dir, true
	f.SerialIn = []string{"hello"}
	f.Budget, f.Total, f.Threads = 0, 20_000, 1
	if _, err := f.Do(context.Background(), job.Host{}); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "finding-1.json")
}

// said is what a command prints.
func said(t *testing.T, d *debugger.Debugger, out *strings.Builder, line string) string {
	t.Helper()
	out.Reset()
	if err := d.Do(line); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return out.String()
}

// row is a command, and what its answer has in it.
type row struct{ line, want string }

func tell(t *testing.T, run *job.Journey, rows []row) {
	t.Helper()
	var out strings.Builder
	d := debugger.New(run, &out, nil)
	for _, r := range rows {
		if got := said(t, d, &out, r.line); !strings.Contains(got, r.want) {
			t.Errorf("%s: got\n%swant in it: %s", r.line, got, r.want)
		}
	}
}

// Every command, in a run of time.
func TestTimed(t *testing.T) {
	t.Parallel()
	tell(t, open(t, "example:counter-micaz", 2, 2*time.Second), []row{
		{"help", "who wrote it last"},
		{"help rc", "go back to the last of these"},
		{"motes", "* mote 0"},
		{"goto 1.99s", "1.990000 s, mote 0, asleep"},
		{"mote 1", "mote 1, asleep"},
		{"goto -10ms", "1.980000 s"},
		{"goto +10ms", "1.990000 s"},
		{"print CounterC__lastHeard", "CounterC__lastHeard = 7"},
		{"print 0.CounterC.lastHeard", "0.CounterC.lastHeard = 7"},
		{"x CounterC__lastHeard 2", "07 00"},
		{"x 0x100", "0x0100"},
		{"who CounterC__lastHeard", "RadioC.receive at examples/counter/counter.c:81"},
		{"who CounterC__lastHeard", "0x06 -> 0x07"},
		{"changed CounterC__lastHeard", "0x06 -> 0x07"},
		{"origin CounterC__lastHeard", "mote 0, CounterC.Timer.fired at examples/counter/counter.c:51: made here"},
		{"origin CounterC__lastHeard", "mote 1, CC2420SpiP.exchange at examples/kernel/micaz/cc2420_spi.c:42: came in through SPDR"},
		{"origin CounterC__lastHeard", "in a frame of 21 bytes from mote 0"},
		{"break RadioC__receive if CounterC__heard == 5", "1: RadioC__receive if CounterC__heard == 5"},
		{"reverse", "RadioC.receive at examples/counter/counter.c:76"},
		{"print CounterC__heard", "= 5"},
		{"where", "called by main at examples/kernel/main.c:17"},
		{"locals", "message = "},
		{"list", "RadioC__receive(message_t *message"},
		{"regs", "next: push r28"},
		{"pending", "none"},
		{"back", "CC2420ReceiveP.readFrame"},
		{"step", "RadioC.receive at examples/counter/counter.c:76"},
		{"finish", "CC2420ReceiveP.readFrame"},
		{"caller", "SchedulerBasicP.Scheduler.taskLoop at examples/kernel/scheduler.c:82"},
		{"next", "SchedulerBasicP.Scheduler.taskLoop at examples/kernel/scheduler.c:83"},
		{"delete 1", ""},
		{"watch CounterC__counter", "2: watch CounterC__counter"},
		{"points", "2: watch CounterC__counter"},
		{"continue", "is about to change from 0x06 to 0x07"},
		{"stepi", "counter.c"},
		{"backi", "CounterC.Timer.fired at examples/counter/counter.c:51"},
		{"delete all", ""},
		{"break examples/counter/counter.c:81", "counter.c:81"},
		{"continue", "RadioC.receive at examples/counter/counter.c:81"},
		{"delete all", ""},
		{"break frame", "frame"},
		{"continue", "has sent a frame of 21 bytes"},
		{"delete all", ""},
		{"break choice", "choice"},
		{"rc", "reception: answer 0"},
		{"delete all", ""},
		{"break interrupt INT6", "INT6"},
		{"continue", "INT6 is served"},
		{"delete all", ""},
		{"break *0x16c", "0x16c"},
		{"break task CC2420ReceiveP__receive__runTask", ""},
		{"break property", ""},
		{"continue", "CC2420ReceiveP.receive.runTask"},
		{"delete all", ""},
		{"break task", "task"},
		{"continue", "begins"},
		{"reverse", "task CC2420ReceiveP.receive begins"},
		{"delete all", ""},
		{"event", "is served"},
		{"eventback", "TIMER1_CAPT is served"},
		{"timeline 5ms", "<== here"},
		{"between 0s 300ms", "has sent a frame"},
		{"choices", "reception, answer 0 of 6"},
		{"goto end", "2.000000 s"},
		{"continue", "the run ends here"},
		{"reverse", "the run begins here"},
		{"backi", "the run begins here"},
	})
}

// Every command that is other in the run of a finding of check.
func TestExplored(t *testing.T) {
	t.Parallel()
	run := open(t, race(t), 1, time.Second)
	if got := debugger.New(run, nil, nil).Greeting(); !strings.Contains(got, "2 events; race: lost update of count") {
		t.Errorf("greeting: %s", got)
	}
	tell(t, run, []row{
		{"finding", "in event 2 (interrupt USART_RX in the middle of main"},
		{"where", "in main at examples/ring/ring.c:42"},
		{"who count", "in event 1 (serial byte), mote 0, __vector_18 at examples/ring/ring.c:19"},
		{"goto end", "behind the last event, 2"},
		{"who count", "in event 2"},
		{"events", "event 1      mote 0     serial byte"},
		{"goto 2", "before event 2"},
		{"eventback", "before event 1"},
		{"event", "before event 2"},
		{"break property", ""},
		{"goto start", "before event 1"},
		{"continue", "race: lost update of count"},
		{"stepi", "the run ends here"},
		{"backi", "in event 2"},
		{"timeline", "<== here"},
		{"between 1 2", "event 2"},
		{"choices", "nothing was uncertain"},
		{"watch count", ""},
		{"rc", "is about to change"},
	})
}

// A property of a scenario is something to stop at, in a timed run too.
func TestProperty(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f, _ := examples.Find("counter", "micaz")
	if err := os.WriteFile(filepath.Join(dir, "counter.elf"), f.ELF(), 0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "few.star")
	text := `network(motes = [mote(id = i, board = "micaz", firmware = "counter.elf") for i in range(2)], links = line(2))
run(time = "2s")
always("few are sent", lambda net: net[1].var("CounterC__counter") < 4)
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	tell(t, open(t, file, 1, 2*time.Second), []row{
		{"break property", ""},
		{"continue", "few are sent"},
		{"who 1.CounterC__counter", "0x03 -> 0x04"},
		{"goto start", "0.000000 s"},
		{"finding", "few are sent"},
	})
}

// What is wrong is said, with what to do.
func TestWrong(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	d := debugger.New(open(t, "example:blink", 1, time.Second), &out, nil)
	for _, r := range []row{
		{"wherever", "there is no command"},
		{"b", ""},
		{"w", "can be where, watch, who"},
		{"goto 3 weeks", "is no moment"},
		{"goto 2s", "the run ends at 1.000000 s"},
		{"goto", "is no moment"},
		{"mote 7", "there are 1"},
		{"print nothing", "no variable nothing"},
		{"print", "give a variable"},
		{"break nowhere", "no function"},
		{"break", "give a function"},
		{"break *0x3", "even"},
		{"break blink.c:1", "no code belongs"},
		{"break blink.c:x", "FILE:LINE"},
		{"break main if x", "write VARIABLE == NUMBER"},
		{"break interrupt NONE", "NONE"},
		{"watch nothing", "no variable"},
		{"delete 4", "there is no point"},
		{"step x", "is no number of times"},
		{"x 0x100 99999", "1 to 4096"},
		{"x", "give an address"},
		{"between 1s", "give two moments"},
		{"events", "has no numbered events"},
		{"finish", "nobody has called"},
		{"finding", "nothing goes wrong"},
		{"help me", "there is no command"},
	} {
		if err := d.Do(r.line); r.want != "" && (err == nil || !strings.Contains(err.Error(), r.want)) {
			t.Errorf("%s: got %v, want an error with: %s", r.line, err, r.want)
		}
	}
	if err := d.Do("quit"); !errors.Is(err, debugger.ErrQuit) {
		t.Errorf("quit: %v", err)
	}
	if err := d.Do("# a comment"); err != nil {
		t.Errorf("a comment: %v", err)
	}
}

// Looking takes no longer than somebody wants to wait.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	d := debugger.New(open(t, "example:counter-micaz", 2, 2*time.Second), &out, func() bool { return true })
	if err := d.Do("goto end"); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("got %v, want that it was interrupted", err)
	}
}

// Tab goes on with commands, then with variables and functions.
func TestComplete(t *testing.T) {
	t.Parallel()
	d := debugger.New(open(t, "example:counter-micaz", 1, time.Second), nil, nil)
	if got := d.Complete("ori"); !slices.Equal(got, []string{"origin"}) {
		t.Errorf("ori: %q", got)
	}
	if got := d.Complete("who CounterC__last"); !slices.Equal(got, []string{"who CounterC__lastFrom", "who CounterC__lastHeard"}) {
		t.Errorf("variables: %q", got)
	}
}
