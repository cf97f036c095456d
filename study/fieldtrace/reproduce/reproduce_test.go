package reproduce

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"motehound/internal/testkit"
	"motehound/study/fieldtrace/record"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/serialframe"
)

// field is a run of which nobody knows anything but the log of a mote. Its reset button is pressed at the end: then what the mote
// had in its memory is in the log, too.
func field(t testing.TB, cfg *world.Config, seed uint64, mote int, time uint64) *Target {
	t.Helper()
	log := logOf(t, cfg, seed, mote, time)
	target, err := NewTarget(log, 0) // the watchdog's reset, if any, came before the button
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func logOf(t testing.TB, cfg *world.Config, seed uint64, mote int, time uint64) *record.Log {
	t.Helper()
	w, err := world.New(cfg, world.Natural{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	w.RunUntil(time)
	w.Reset(mote)
	w.RunUntil(time + world.Second/2)
	flash := w.Motes()[mote].ExternalFlash()
	b := make([]byte, flash.Size())
	for i := range b {
		b[i] = flash.Read(uint32(i))
	}
	log, err := record.Read(record.AT45DB, b)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// find searches, and shows that the run that was found shows the trace when it is run as a recipe would have it.
func find(t *testing.T, p Problem) *Result {
	t.Helper()
	res, err := Search(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d tries, %d of %d items, %d answers, %d inputs; %d of %d others fit", res.Tries, res.Shown, res.Total, len(res.Answers),
		len(res.Serial), res.Fit, res.Others)
	if !res.Found {
		t.Fatalf("nothing was found: the trace has %+v, the run %+v", res.Want, res.Got)
	}
	cfg := *p.Config
	cfg.Serial = append(cfg.Serial[:len(cfg.Serial):len(cfg.Serial)], res.Serial...)
	p.Config, p.Chooser = &cfg, world.Fixed{Answers: res.Answers, Else: p.Chooser}
	p.May, p.Tries = nil, 100 // where gaps end is to be found again
	if again, err := Search(p); err != nil || !again.Found || again.Time != res.Time || len(again.Answers) > 0 {
		t.Fatalf("made again, the run does not show the trace: %+v, %v", again, err)
	}
	return res
}

// The paper's case study: the mote hangs, and the watchdog resets it. How far its clock is off is not known.
func TestStarve(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs for 10 s")
	}
	for _, ppm := range []uint32{40, 400, 20_000} {
		p := Problem{
			Config:  &world.Config{Motes: []world.MoteConfig{{Kind: testkit.Example(t, "starve_traced", "mica2"), ID: 1}}, Drift: ppm},
			Chooser: world.Natural{Seed: 1}, Until: 20 * world.Second,
		}
		// When it hangs is chance, and so is how many tries it takes to find out by how much the clock was off: of a few that hang, one
		// is to be found soon.
		// Where the clock makes no difference, each is found at once, and there is nothing to search for.
		hangs, atOnce, found := 0, 0, false
		for seed := uint64(1); !found && hangs < 4 && seed < 20; seed++ {
			p.Target, p.Tries = field(t, p.Config, seed, 0, 8*world.Second), 1
			if !p.Target.Reset || len(p.Target.Items) < 10_000 {
				continue
			}
			res, err := Search(p)
			if err != nil || res.Shown == 0 {
				t.Fatalf("with any clock: %+v, %v", res, err)
			}
			if res.Found {
				atOnce++
				continue
			}
			hangs++
			p.Tries = 300
			if res, err = Search(p); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d ppm, seed %d: found %v in %d tries, %d of %d items", ppm, seed, res.Found, res.Tries, res.Shown, res.Total)
			found = res.Found
		}
		if !found && (hangs > 0 || atOnce == 0 || ppm > 40) {
			t.Fatalf("%d ppm: none of %d was found, %d others at once", ppm, hangs, atOnce)
		}
		res := find(t, p)
		if ppm > 40 && !slices.ContainsFunc(res.Answers, func(a world.Answer) bool { return a.Kind == world.ChoiceDrift }) {
			t.Errorf("%d ppm: answers %+v", ppm, res.Answers)
		}
	}
}

// Readings that take other paths, and messages from the host, at moments that are not known.
func TestInputs(t *testing.T) {
	t.Parallel()
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: testkit.Example(t, "oscilloscope_traced", "micaz"), ID: 1}}}
	message := serialframe.Frame{Protocol: serialframe.ProtoNoAck, Message: &serialframe.Message{Dest: 1, Group: 0x22, Type: 32}}.Bytes()
	was := *cfg
	for _, ms := range []uint64{1234, 3071, 3200, 4777} {
		was.Serial = append(was.Serial, world.Serial{At: ms * world.Millisecond, Bytes: message})
	}
	p := Problem{Config: cfg, Chooser: world.Natural{Seed: 1}, Target: field(t, &was, 7, 0, 6*world.Second), Until: 20 * world.Second,
		Tries: 3000, May: []world.Serial{{Bytes: message}}}
	res := find(t, p)
	if len(res.Serial) != len(was.Serial) || len(res.Answers) < 5 || res.Fit == 0 {
		t.Errorf("%d inputs, %d readings, %d others fit", len(res.Serial), len(res.Answers), res.Fit)
	}
	// The same search finds the same.
	if again, err := Search(p); err != nil || !reflect.DeepEqual(again, res) {
		t.Errorf("%+v, was %+v, %v", again, res, err)
	}
	// Without what has come there is no such run, and how far one gets is said.
	p.May, p.Tries = nil, 200
	res, err := Search(p)
	if err != nil || res.Found || res.Shown == 0 || res.Shown >= res.Total || res.Want == nil {
		t.Errorf("without messages: %+v, %v", res, err)
	}
}

// A mote in a network: which frames were lost, and which acknowledgements. With its routing traced, too, it tells more, and there is
// more to find.
func TestLosses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		firmware string
		seconds  uint64
	}{{"surge_traced", 40}, {"surge_routed_traced", 9}} {
		cfg := &world.Config{}
		k := testkit.Example(t, c.firmware, "micaz")
		for i := range 3 {
			cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i), BootFrom: uint64(i) * 100 * world.Millisecond})
		}
		var err error
		if cfg.Net, err = medium.New(3, medium.Line(3, medium.DefaultGain, 0.3)); err != nil {
			t.Fatal(err)
		}
		p := Problem{Config: cfg, Chooser: world.Natural{Seed: 1}, Mote: 1, Target: field(t, cfg, 7, 1, c.seconds*world.Second),
			Until: 60 * world.Second, Tries: 10_000}
		if res := find(t, p); len(res.Answers) == 0 {
			t.Errorf("%s: the first run fits: this test tries nothing", c.firmware)
		}
	}
}

// The oldest pages are overwritten, and one in the middle is damaged: what is left is found in a run.
func TestGaps(t *testing.T) {
	t.Parallel()
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: testkit.Example(t, "oscilloscope_traced", "micaz"), ID: 1}}}
	log := logOf(t, cfg, 7, 0, 120*world.Second)
	if len(log.Pages) < 5 || Last(log) != 0 {
		t.Fatalf("%d pages, boot %d", len(log.Pages), Last(log))
	}
	log.Pages = append(log.Pages[1:2:2], log.Pages[3:]...)
	target, err := NewTarget(log, 0)
	if err != nil {
		t.Fatal(err)
	}
	gaps := 0
	for _, i := range target.Items {
		if i.Kind == record.Missing {
			gaps++
		}
	}
	if gaps != 2 || target.Items[0].Kind != record.Missing {
		t.Errorf("%d gaps", gaps)
	}
	find(t, Problem{Config: cfg, Chooser: world.Natural{Seed: 1}, Target: target, Until: 200 * world.Second, Tries: 10_000})
}

// Firmware that is not traced is no place to search.
func TestNoTracer(t *testing.T) {
	t.Parallel()
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: testkit.Example(t, "blink", "micaz")}}}
	_, err := Search(Problem{Config: cfg, Chooser: world.Natural{}, Target: &Target{Items: []Item{{}}}, Until: 1, Tries: 1})
	if err == nil || !strings.Contains(err.Error(), "trace cc") {
		t.Errorf("%v", err)
	}
}
