package job

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/builds"
	"motehound/study/fieldtrace/narrative"
	"motehound/study/fieldtrace/pull"
	"motehound/study/fieldtrace/record"
	"motehound/study/fieldtrace/reproduce"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
)

// TraceReplay asks for a run in the emulator that leaves the same trace.
type TraceReplay struct {
	World
	Log
	Trace   string        `json:"trace"`          // the file of the log
	File    string        `json:"file"`           // firmware or scenario
	Node    []string      `json:"node,omitempty"` // one node id; nil for the first mote whose firmware has the map
	Boot    int           `json:"boot"`           // as the log counts them; -1 for that which the last reset ended
	MaySend []string      `json:"may_send,omitempty"`
	Tries   int           `json:"tries"`
	Budget  time.Duration `json:"budget_ns"`
	Output  string        `json:"output"` // the recipe
}

// NewTraceReplay is the usual request for a log and its firmware.
func NewTraceReplay(trace, file string) TraceReplay {
	return TraceReplay{World: NewWorld(), Log: Log{Layout: UsualLayout}, Trace: trace, File: file, Boot: -1, Tries: 5000, Budget: 60 * time.Second, Output: "replay.json"}
}

// Do searches.
func (f TraceReplay) Do(ctx context.Context, h Host) (*document.ReplayedTrace, error) {
	node, err := OneNode(f.Node, -1)
	if err != nil {
		return nil, err
	}
	log, teller, err := f.Open(f.Trace, h)
	if err != nil {
		return nil, err
	}
	if f.Tries < 1 {
		return nil, fmt.Errorf("--tries %d: give 1 or more", f.Tries)
	}
	boot := reproduce.Last(log)
	if f.Boot != -1 {
		n := bootNumber(log, f.Boot)
		if n < 0 || n > 0xFFFF {
			return nil, fmt.Errorf("--boot %d: the log has no such boot", f.Boot)
		}
		boot = uint16(n)
	}
	target, err := reproduce.NewTarget(log, boot)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; motehound trace decode shows what is there", f.Trace, err)
	}
	rec, w, _, err := f.Load(ctx, f.File, h)
	if err != nil {
		return nil, err
	}
	mote, err := f.traced(rec, w, node)
	if err != nil {
		return nil, err
	}
	p, err := f.problem(ctx, rec, w, mote, target, log.Layout, h)
	if err != nil {
		return nil, err
	}
	res, err := reproduce.Search(*p)
	h.done()
	if err != nil {
		return nil, err
	}
	if res.Found {
		h.doing("making the run once more")
		err := f.keepRecipe(ctx, rec, p, res)
		h.done()
		if errors.Is(err, verdict.ErrInterrupted) {
			return nil, &Unfinished{[]string{"a run was found, but no time was left to make its recipe"}}
		}
		if err != nil {
			return nil, err
		}
	}
	doc := describeReplay(res, target, teller, w)
	c := verdict.Case{}
	switch {
	case ctx.Err() != nil:
		c.Miss(verdict.Interrupted)
	case !res.Found && res.Tries < f.Tries:
		c.Miss(verdict.Spent)
	case !res.Found:
		c.Miss("runs that were not tried")
	}
	doc.LeftOut = document.List(c.LeftOut)
	if res.Found {
		doc.Recipe = f.Output
	}
	return doc, nil
}

// traced is the mote whose log it is: that of --mote, or else the first whose firmware has the map.
func (f *TraceReplay) traced(rec *recipe.Recipe, w *world.World, node int) (int, error) {
	matches := func(i int) error { return f.Matches(FoundBeside(rec, rec.Motes[i].Firmware), "") }
	if node >= 0 {
		i, err := FindMote(w, node)
		if err != nil {
			return 0, fmt.Errorf("--node: %w", err)
		}
		return i, matches(i)
	}
	var first error
	for _, b := range builds.Of(w).All() {
		err := matches(b.Motes[0])
		if err == nil {
			return b.Motes[0], nil
		}
		first = cmp.Or(first, err)
	}
	return 0, first
}

// problem is what is to be searched.
func (f *TraceReplay) problem(ctx context.Context, rec *recipe.Recipe, w *world.World, mote int, target *reproduce.Target, layout record.Layout, h Host) (*reproduce.Problem, error) {
	chooser, err := rec.Chooser()
	if err != nil {
		return nil, err
	}
	start := h.now()
	p := &reproduce.Problem{Config: w.Config(), Chooser: chooser, Mote: mote, Target: target, Until: rec.Until, Tries: f.Tries,
		Stop: func() bool { return ctx.Err() != nil || f.Budget > 0 && h.now().Sub(start) > f.Budget },
		Tell: func(tries, shown int) {
			h.doing("%d tries, %s of %s events", tries, phrase.Grouped(uint64(shown)), phrase.Grouped(uint64(len(target.Items))))
		}}
	if f.Time == nil {
		p.Until = longestRun(target)
	}
	m := w.Motes()[mote]
	may := func(bytes []byte) {
		p.May = append(p.May, world.Serial{Mote: mote, USART: m.Board().Console, Bytes: bytes})
	}
	for _, text := range f.MaySend {
		bytes, err := parseMessage(text, m.ID())
		if err != nil {
			return nil, err
		}
		may(bytes)
	}
	if _, ok := m.Kind.Image.Symbol("mh_trace_request"); ok { // somebody has asked for the log
		may(pull.Frame(m.ID(), pull.AM, pull.Query{Proc: -1}.Message(layout)))
	}
	return p, nil
}

// longestRun is how long a run may take to show a trace: as long as the trace, and somewhat more.
func longestRun(t *reproduce.Target) uint64 {
	last := 0.0
	for _, by := range t.By {
		last = max(last, by)
	}
	if last == 0 {
		return 300 * world.Second // the mote had no clock
	}
	return uint64(last*1.1*world.Second) + 30*world.Second
}

// parseMessage makes a serial frame of an active message.
func parseMessage(text string, to uint16) ([]byte, error) {
	kind, data, ok := strings.Cut(text, ":")
	n, err := strconv.ParseUint(kind, 0, 8)
	bytes, err2 := hex.DecodeString(data)
	if !ok || err != nil || err2 != nil {
		return nil, fmt.Errorf("--may-send %q: write the message's type and its data in hexadecimal, such as 32:0001", text)
	}
	return pull.Frame(to, uint8(n), bytes), nil
}

// keepRecipe makes the run once more, as its recipe says, and writes that.
func (f *TraceReplay) keepRecipe(ctx context.Context, rec *recipe.Recipe, p *reproduce.Problem, res *reproduce.Result) error {
	for _, a := range res.Answers {
		rec.Answers = append(rec.Answers, recipe.Answer{Kind: a.Kind.String(), Mote: a.Mote, Number: a.Number, Answer: a.Answer})
	}
	chooser, err := rec.Chooser()
	if err != nil {
		return err
	}
	cfg := *p.Config
	cfg.Serial = append(cfg.Serial[:len(cfg.Serial):len(cfg.Serial)], res.Serial...)
	w, err := world.New(&cfg, chooser)
	if err != nil {
		return err
	}
	if !w.RunUnless(func() bool { return ctx.Err() != nil }, res.Time) {
		return verdict.ErrInterrupted
	}
	rec.Finish(w)
	return Movable(rec, filepath.Dir(f.Output)).Write(f.Output)
}

func describeReplay(res *reproduce.Result, t *reproduce.Target, teller *narrative.Teller, w *world.World) *document.ReplayedTrace {
	doc := &document.ReplayedTrace{Verdict: string(verdict.Unknown), Events: res.Total, Shown: res.Shown, Reset: t.Reset, Boot: t.Boot, Tries: res.Tries,
		Others: res.Others, Fit: res.Fit, Chosen: []document.TracedThing{}}
	if !res.Found {
		doc.Wanted, doc.Got = itemText(teller, res.Want), itemText(teller, res.Got)
		return doc
	}
	doc.Verdict, doc.TimeS = "found", float64(res.Time)/world.Second
	if res.Fit > 0 {
		doc.Verdict = "several"
	}
	for _, a := range res.Answers {
		doc.Chosen = append(doc.Chosen, document.TracedThing{Kind: a.Kind.String(), Mote: w.Motes()[a.Mote].ID(), Number: a.Number, Answer: a.Answer})
	}
	for _, s := range res.Serial {
		doc.Chosen = append(doc.Chosen, document.TracedThing{Kind: "serial", Mote: w.Motes()[s.Mote].ID(), TimeS: float64(s.At) / world.Second, Hex: hex.EncodeToString(s.Bytes)})
	}
	return doc
}

// itemText is what a trace says, or a run does, for people.
func itemText(t *narrative.Teller, i *reproduce.Item) string {
	switch {
	case i == nil:
		return ""
	case i.Kind == record.Reset:
		return "reset"
	case i.Kind == record.Enter:
		return "enter " + t.Name(i.Proc)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s path %d  %s", i.Kind, t.Name(i.Proc), i.Path, t.Lines(i.Proc, i.Path)))
}
