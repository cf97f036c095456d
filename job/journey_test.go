package job

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"motehound/job/document"
	"motehound/observe/coverage"
	"motehound/study/travel"
	"motehound/world"
)

// ringJourney is the run of a race that check finds.
func ringJourney(t *testing.T) *Journey {
	t.Helper()
	f := NewCheck("example:ring")
	f.SerialIn, f.Budget, f.Total, f.Out = []string{"hello"}, 0, 50_000, t.TempDir()
	if _, err := f.Do(context.Background(), Host{}); err != nil {
		t.Fatal(err)
	}
	j, err := Debug{World: NewWorld(), File: filepath.Join(f.Out, "finding-1.json")}.Open(context.Background(), Host{})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// timedJourney is two motes for two seconds.
func timedJourney(t *testing.T, example string, span time.Duration) *Journey {
	t.Helper()
	w := NewWorld()
	w.Nodes, w.Time = 2, &span
	j, err := Debug{World: w, File: example}.Open(context.Background(), Host{})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// TestJourneyOfAFinding: the way from a finding to the line, and to who wrote the variable, as documents.
func TestJourneyOfAFinding(t *testing.T) {
	t.Parallel()
	j := ringJourney(t)
	d := j.Document()
	if !d.Explored || d.First != "e1" || d.Last != "e3" || len(d.Events) != 2 || !strings.Contains(d.Found, "lost update of count") {
		t.Fatalf("%+v", d)
	}
	if x, err := j.GoToFinding(nil); err != nil || x == nil {
		t.Fatal(x, err)
	}
	s := j.Stop()
	if s.Place.Line != 42 || !strings.HasSuffix(s.Place.File, "ring.c") || !strings.HasPrefix(string(s.At), "e2.") {
		t.Errorf("the finding is at %+v", s)
	}
	p, err := s.At.Point()
	if err != nil || p != j.Here().Point {
		t.Errorf("%s is %v (%v), want %v", s.At, p, err, j.Here().Point)
	}
	state := j.State()
	at := slices.IndexFunc(state.Mote.Variables, func(v document.Value) bool { return v.Path == "count" })
	if at < 0 || state.Mote.Variables[at].Value != "1" || state.Mote.Calls[0].Place.Function != "main" || len(state.Mote.Pins) != 22 {
		t.Errorf("%+v", state.Mote)
	}
	w, err := j.Wrote("count", false, nil)
	if err != nil || w.Stop == nil || w.Stop.Place.Line != 19 || w.Old != 0 || w.New != 1 {
		t.Errorf("count was written by %+v (%v)", w, err)
	}
	hits, _, err := j.Covered(context.Background(), s.Place.File)
	if err != nil || !slices.Contains(hits, document.Hits{Line: 42, Hits: 1}) || !slices.ContainsFunc(hits, func(h document.Hits) bool { return h.Hits == 0 }) {
		t.Errorf("lines were executed %v times (%v)", hits, err)
	}
	first, last := j.Bounds()
	line, err := j.Timeline(first, last, 100, nil)
	if err != nil || len(line.Motes) != 1 || line.Motes[0].Lanes[0].Total != 2 {
		t.Errorf("%+v (%v)", line, err)
	}
}

// TestTimeline: what a stretch shows does not depend on what was looked at before, nor on whether it is counted or listed.
func TestTimeline(t *testing.T) {
	t.Parallel()
	const from, to = 700 * world.Millisecond, 900 * world.Millisecond
	look := func(j *Journey, from, to uint64, bins int) *document.Timeline {
		t.Helper()
		d, err := j.Timeline(travel.Point{Time: from}, travel.Point{Time: to}, bins, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	j := timedJourney(t, "example:pollute-micaz", 2*time.Second)
	late := look(j, from, to, MostBins)
	look(j, 0, 2*world.Second, 10)
	again := look(j, from, to, MostBins)
	counted := look(j, from, to, 2)
	frames := 0
	for i, m := range again.Motes {
		for n, l := range m.Lanes {
			was := late.Motes[i].Lanes[n]
			same := func(a, b document.Slice) bool {
				return a.At == b.At && a.To == b.To && l.Names[a.Name] == was.Names[b.Name]
			}
			if !slices.EqualFunc(l.Slices, was.Slices, same) || l.Total != late.Motes[i].Lanes[n].Total {
				t.Errorf("mote %d, %s: %d things, and %d when looked at again", m.ID, l.Kind, late.Motes[i].Lanes[n].Total, l.Total)
			}
			sum := 0
			for _, c := range counted.Motes[i].Lanes[n].Counts {
				sum += int(c)
			}
			if l.Total > 1 && sum != l.Total {
				t.Errorf("mote %d, %s: %d things, but %d are counted", m.ID, l.Kind, l.Total, sum)
			}
			for _, s := range l.Slices {
				if s.To < s.From || s.To > 0.9 {
					t.Errorf("%s: %+v", l.Kind, s)
				}
			}
			if l.Kind == "frames" {
				frames += look(j, 0, 2*world.Second, 1).Motes[i].Lanes[n].Total
			}
		}
		if m.Lanes[laneInterrupts].Total < 10 || m.Lanes[laneTasks].Total < 2 {
			t.Errorf("mote %d does next to nothing: %+v", m.ID, m)
		}
	}
	if err := j.Go(travel.Point{Time: 2 * world.Second}, nil); err != nil {
		t.Fatal(err)
	}
	if sent := int(j.World().FramesSent(0) + j.World().FramesSent(1)); frames != sent {
		t.Errorf("%d frames are shown, and %d were sent", frames, sent)
	}
	if _, err := j.Timeline(travel.Point{Time: to}, travel.Point{Time: from}, 10, nil); err == nil {
		t.Error("an empty stretch has a timeline")
	}
}

// TestNotes: what is noted while a run is recorded is what a look at the whole of it shows, and how often its lines are executed.
func TestNotes(t *testing.T) {
	t.Parallel()
	const until = 14 * world.Second
	looked, noted := timedJourney(t, "example:pollute-micaz", 14*time.Second), timedJourney(t, "example:pollute-micaz", 14*time.Second)
	noted.TakeNotes()
	short := func() func() bool {
		n := 0
		return func() bool { n++; return n > 30 }
	}
	for err := noted.Record(short()); err != nil; err = noted.Record(short()) {
		if !errors.Is(err, travel.ErrInterrupted) {
			t.Fatal(err)
		}
		if _, to, err := noted.Covered(context.Background(), "examples/pollute/pollute.c"); err != nil || to != noted.Recorded() {
			t.Fatal(to, err)
		}
	}
	all := travel.Point{Time: until}
	want, err := looked.Timeline(travel.Point{}, all, 14, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := noted.Timeline(travel.Point{}, all, 14, nil)
	if err != nil || noted.past != nil {
		t.Fatal("it was looked at again", err)
	}
	for i, m := range want.Motes {
		for n, l := range m.Lanes {
			if x := got.Motes[i].Lanes[n]; x.Total != l.Total || x.Kind != l.Kind || l.Counts != nil && !slices.Equal(x.Counts, l.Counts) {
				t.Errorf("mote %d: %s: %d %v, want %d %v", m.ID, l.Kind, x.Total, x.Counts, l.Total, l.Counts)
			}
		}
	}
	w, _, err := looked.anew()
	if err != nil {
		t.Fatal(err)
	}
	x := coverage.Watch(w)
	w.RunUntil(until)
	hits, _, err := noted.Covered(context.Background(), "examples/pollute/pollute.c")
	at := slices.IndexFunc(x.Files(), func(f coverage.File) bool { return f.Path == "examples/pollute/pollute.c" })
	if err != nil || at < 0 || len(hits) < 20 {
		t.Fatal(hits, err)
	}
	for n, l := range x.Files()[at].Lines {
		if hits[n].Line != l.Line || hits[n].Hits != l.Hits {
			t.Errorf("%+v, want %+v", hits[n], l)
		}
	}
}

// TestMoments: a moment is one text, and no other text is one.
func TestMoments(t *testing.T) {
	t.Parallel()
	for _, p := range []travel.Point{{}, {Time: 1 << 63}, {Event: 1}, {Event: 17, Time: 5}} {
		if got, err := document.MomentOf(p).Point(); err != nil || got != p {
			t.Errorf("%v is %q, which is %v (%v)", p, document.MomentOf(p), got, err)
		}
	}
	for _, text := range []document.Moment{"", "e", "e0", "-1", "1.5", "e1.", "e-1", "x", "18446744073709551616"} {
		if p, err := text.Point(); err == nil {
			t.Errorf("%q is taken for %v", text, p)
		}
	}
}
