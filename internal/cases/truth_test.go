package cases_test

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/firmware/kernel"
	"motehound/observe/intervals"
	"motehound/observe/lifecycle"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// variant is a build of a case study.
type variant struct {
	board, build string
	wrong        bool // it has the bug
	disorderly   bool // in a busy run it does things in another order than in a quiet one
}

var variants = []variant{
	{"micaz", "", true, true}, {"micaz", "_fixed", false, false},
	{"mica2", "", true, true}, {"mica2", "_fixed", false, false},
	{"mica2", "_noinline", true, true}, {"mica2", "_fixed_noinline", false, false},
}

// buffered are builds that have room for what comes early: the order is not that of the quiet run, and nothing goes wrong.
var buffered = []variant{{"micaz", "_buffered", false, true}, {"mica2", "_buffered", false, true}}

// set gives a name at the beginning of a scenario another value, as a user does who edits the file.
func set(t *testing.T, text, name, value string) string {
	t.Helper()
	line := regexp.MustCompile(`(?m)^` + name + ` = .*$`)
	if n := len(line.FindAllString(text, -1)); n != 1 {
		t.Fatalf("%d lines set %s", n, name)
	}
	return line.ReplaceAllLiteralString(text, name+" = "+value)
}

// stage makes the world of an example's scenario for one build.
func stage(t *testing.T, file, board, build string) (*scenario.Scenario, *world.World) {
	t.Helper()
	return edited(t, file, board, build, func(text string) string { return text })
}

// edited is stage for a scenario whose text is edited first.
func edited(t *testing.T, file, board, build string, edit func(text string) string) (*scenario.Scenario, *world.World) {
	t.Helper()
	return answered(t, file, board, build, edit, nil)
}

// answered is edited where some choices are not left to chance.
func answered(t *testing.T, file, board, build string, edit func(text string) string, answers []recipe.Answer) (*scenario.Scenario, *world.World) {
	t.Helper()
	text, err := os.ReadFile("../../examples/" + file)
	if err != nil {
		t.Fatal(err)
	}
	built := set(t, set(t, string(text), "board", `"`+board+`"`), "build", `"`+build+`"`)
	s, err := scenario.LoadFS(fstest.MapFS{file: {Data: []byte(edit(built))}}, file, scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Recipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Answers = answers
	w, err := s.World(r, func(name string) ([]byte, error) {
		app, _ := strings.CutSuffix(path.Base(name), "-"+board+".elf")
		f, ok := examples.Find(app, board)
		if !ok {
			return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
		}
		return f.ELF(), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, w
}

// play makes the run of an example's scenario for one build.
func play(t *testing.T, file, board, build string) *world.World {
	t.Helper()
	s, w := stage(t, file, board, build)
	w.RunUntil(s.Time)
	return w
}

func value(t *testing.T, w *world.World, mote int, name string) image.Value {
	t.Helper()
	m := w.Motes()[mote]
	ref, err := m.Kind.Image.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	v, err := ref.Read(m.Memory())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func number(t *testing.T, w *world.World, mote int, name string) int {
	t.Helper()
	return int(value(t, w, mote, name).Int())
}

// T-Morph's case study 3: all that mote 0 makes it takes for delivered, and none of it leaves, unless the build is fixed.
// All else gets to the sink. At the end of the run one packet of each may be on its way.
func TestRouter(t *testing.T) {
	for _, v := range variants {
		t.Run(v.board+v.build, func(t *testing.T) {
			t.Parallel()
			w := play(t, "router/router.star", v.board, v.build)
			const sink = 4
			received := value(t, w, sink, "RouterC__received").Elems
			for mote := range sink {
				made := number(t, w, mote, "RouterC__made")
				self := number(t, w, mote, "ForwardingP__deliveredToSelf")
				forwarded := number(t, w, mote, "ForwardingP__forwarded")
				if made < 35 {
					t.Errorf("mote %d made only %d packets in 20 s", mote, made)
				}
				if mote == 0 && v.wrong {
					if self != made || forwarded != 0 || received[mote].Int() != 0 {
						t.Errorf("mote 0 made %d packets, took %d for delivered and forwarded %d; %d came to the sink",
							made, self, forwarded, received[mote].Int())
					}
					continue
				}
				if self != 0 || forwarded < made-1 || int(received[mote].Int()) < made-1 {
					t.Errorf("mote %d made %d packets, took %d for delivered and forwarded %d; %d came to the sink",
						mote, made, self, forwarded, received[mote].Int())
				}
				if number(t, w, mote, "ForwardingP__deferred") < 2 {
					t.Errorf("mote %d hardly ever had to wait for a route", mote)
				}
			}
		})
	}
}

// T-Morph's case study 1: with a slow source the relay sends each packet before the next comes. With a random one it drops
// what comes too early, unless the build is fixed: then the order is that of the quiet run.
func TestRelayOrder(t *testing.T) {
	for _, v := range slices.Concat(variants, buffered) {
		for _, file := range []string{"drop/quiet.star", "drop/drop.star"} {
			t.Run(v.board+v.build+"/"+path.Base(file), func(t *testing.T) {
				t.Parallel()
				const relay = 1
				s, w := stage(t, file, v.board, v.build)
				runs := taskRuns(t, w, relay)
				w.RunUntil(s.Time)
				received, sent := number(t, w, relay, "DropC__received"), number(t, w, relay, "DropC__sent")
				dropped := number(t, w, relay, "DropC__dropped")
				if lost := received - sent - dropped; received < 3 || lost < 0 || lost > 1 {
					t.Errorf("%d received, %d dropped, %d sent", received, dropped, sent)
				}
				isBusy := file == "drop/drop.star"
				early := early(*runs)
				if (dropped > 0) != (isBusy && v.wrong) || (early > 0) != (isBusy && v.disorderly) || dropped > early {
					t.Errorf("%d dropped, and %d received before the one before was sent", dropped, early)
				}
			})
		}
	}
}

// taskRuns collects the names of the tasks that a mote runs.
func taskRuns(t *testing.T, w *world.World, mote int) *[]string {
	t.Helper()
	names := new([]string)
	var r *lifecycle.Recorder
	r, err := lifecycle.Record(w, func(i int, it kernel.Item) {
		if i == mote && it.Kind == kernel.Run {
			*names = append(*names, r.Profile(mote).TaskName(it.Arg))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// early counts frames received while another waits to be sent.
func early(runs []string) int {
	n, waiting := 0, 0
	for _, name := range runs {
		switch {
		case isReceived(name):
			if waiting > 0 {
				n++
			}
			waiting = 1
		case isSent(name):
			waiting = 0
		}
	}
	return n
}

func isReceived(task string) bool {
	return task == "CC2420ReceiveP.receive" || task == "CC1000LinkP.received"
}

func isSent(task string) bool {
	return task == "CC2420TransmitP.sent" || task == "CC1000LinkP.sent"
}

// T-Morph's case study 2: at a period of 100 ms a packet is sent before the next one's first reading. At 20 ms some are sent
// between the readings of the next, and some are overwritten, unless the build is fixed.
func TestPolluteInterleaving(t *testing.T) {
	for _, v := range slices.Concat(variants, buffered) {
		for _, file := range []string{"pollute/quiet.star", "pollute/pollute.star"} {
			t.Run(v.board+v.build+"/"+path.Base(file), func(t *testing.T) {
				t.Parallel()
				const mote = 1
				s, w := stage(t, file, v.board, v.build)
				packets := watchPackets(t, w, mote)
				w.RunUntil(s.Time)
				jobs, between := packets()
				sent, notSent := number(t, w, mote, "PolluteC__sent"), number(t, w, mote, "PolluteC__notSent")
				if waiting := jobs - sent - notSent; jobs < 30 || waiting < 0 || waiting > 1 {
					t.Errorf("%d packets filled, %d sent, %d not", jobs, sent, notSent)
				}
				isBusy := file == "pollute/pollute.star"
				polluted := number(t, w, mote, "PolluteC__polluted")
				if (polluted > 0) != (isBusy && v.wrong) || (between > 0) != (isBusy && v.disorderly) {
					t.Errorf("of %d packets, %d were sent between the readings of another, and %d overwritten", jobs, between, polluted)
				}
				if (!isBusy || !v.disorderly) && notSent != 0 {
					t.Errorf("%d packets were not sent", notSent)
				}
			})
		}
	}
}

// watchPackets watches the ADC of a mote that runs pollute. What it returns tells how many packets were filled, and how many
// times the end of a send came between the first reading of a packet and the task of its last.
func watchPackets(t *testing.T, w *world.World, mote int) func() (jobs, between int) {
	t.Helper()
	const adc = 22
	var readings []*intervals.Interval
	var sent []uint64
	var now uint64
	var r *lifecycle.Recorder
	a := intervals.New(func(iv *intervals.Interval) {
		// Readings of the radio's signal strength have a task of their own.
		if iv.Vector == adc && (len(iv.Tasks) == 0 || r.Profile(mote).TaskName(iv.Tasks[0].ID) == "PolluteC.prepareAndSendPacket") {
			readings = append(readings, iv.Clone())
		}
	}, intervals.Options{ByStart: true})
	r, err := lifecycle.Record(w, func(i int, it kernel.Item) {
		if i != mote {
			return
		}
		a.Take(it)
		now = it.Cycle
		if it.Kind == kernel.Run && isSent(r.Profile(mote).TaskName(it.Arg)) {
			sent = append(sent, it.Cycle)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return func() (jobs, between int) {
		a.Close(now)
		for ; len(readings) >= 3; readings = readings[3:] {
			first, last := readings[0], readings[2]
			if len(first.Tasks)+len(readings[1].Tasks) != 0 || len(last.Tasks) != 1 {
				t.Errorf("the readings from cycle %d on are not two and one with a task", first.Start)
				break
			}
			jobs++
			for _, at := range sent {
				if first.Start < at && at < last.End {
					between++
				}
			}
		}
		return jobs, between
	}
}
