package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"motehound/job"
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

// traceReplayFlags are the flags of trace replay.
type traceReplayFlags struct {
	worldFlags
	logFlags
	node    []string
	mote    int // -1 if it was not given
	boot    int
	maySend []string
	tries   int
	budget  time.Duration
	out     string
	json    bool
	quiet   bool
}

func traceReplayCommand() *cobra.Command {
	var f traceReplayFlags
	cmd := &cobra.Command{
		Use:   "replay [flags] LOG FIRMWARE|SCENARIO",
		Short: "Look for a run in the emulator that leaves the same trace",
		Long: `Runs the traced firmware, compares what it does with the log of a mote event by event, and where it goes another way goes back
and has something else happen: other readings, frames that are lost or not, crystals that are off (--drift), motes that are
switched on at other times, messages from the host (--may-send). The run that shows the whole trace is written as a recipe, which
motehound replay makes again. --node is the mote whose log it is, the first unless given; --boot the one up to whose end it is
followed, that which the last reset ended unless given.

Exit status: 0 a run was found, 1 none was found within --tries and --budget, which proves nothing.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("which log, of which firmware? For example: %s --trace-map trace-map.json trace.bin app.elf", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if f.mote, err = job.OneNode(f.node, -1); err != nil {
				return err
			}
			return f.replay(cmd.Context(), args[0], args[1])
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringSliceVar(&f.node, "node", nil, about("node"))
	fl.IntVar(&f.boot, "boot", -1, about("boot"))
	fl.StringArrayVar(&f.maySend, "may-send", nil, "the host may send this active message over the mote's serial line at any time (`TYPE:HEX`, repeatable)")
	fl.IntVar(&f.tries, "tries", 5000, "how many runs, or parts of runs, to try")
	fl.DurationVar(&f.budget, "budget", 60*time.Second, about("budget"))
	fl.StringVarP(&f.out, "output", "o", "replay.json", about("output"))
	f.logFlags.register(fl)
	f.worldFlags.register(fl, "pcap")
	fl.Lookup("time").DefValue = "as the log took, and somewhat more"
	fl.BoolVar(&f.json, "json", false, about("json"))
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	return cmd
}

func (f *traceReplayFlags) replay(ctx context.Context, name, firmware string) error {
	term := newTerminal(f.json, f.quiet, nil)
	log, teller, err := f.Open(name, term.host())
	if err != nil {
		return err
	}
	if f.tries < 1 {
		return fmt.Errorf("--tries %d: give 1 or more", f.tries)
	}
	boot := reproduce.Last(log)
	if f.boot != -1 {
		n := bootNumber(log, f.boot)
		if n < 0 || n > 0xFFFF {
			return fmt.Errorf("--boot %d: the log has no such boot", f.boot)
		}
		boot = uint16(n)
	}
	target, err := reproduce.NewTarget(log, boot)
	if err != nil {
		return fmt.Errorf("%s: %w; motehound trace decode shows what is there", name, err)
	}
	rec, w, _, err := f.load(ctx, firmware, term)
	if err != nil {
		return err
	}
	mote, err := f.traced(rec, w)
	if err != nil {
		return err
	}
	p, err := f.problem(ctx, rec, w, mote, target, log.Layout, term)
	if err != nil {
		return err
	}
	res, err := reproduce.Search(*p)
	term.clear()
	if err != nil {
		return err
	}
	if res.Found {
		term.doing("making the run once more")
		err := f.keepRecipe(ctx, rec, p, res)
		term.clear()
		if errors.Is(err, verdict.ErrInterrupted) {
			return unfinished(term, "a run was found, and there was no time to make its recipe")
		}
		if err != nil {
			return err
		}
	}
	doc := describeReplay(res, target, teller, w)
	c := verdict.Case{}
	switch {
	case ctx.Err() != nil:
		c.Miss(verdict.Interrupted)
	case !res.Found && res.Tries < f.tries:
		c.Miss(verdict.Spent)
	case !res.Found:
		c.Miss("runs that were not tried")
	}
	doc.LeftOut = document.List(c.LeftOut)
	if res.Found {
		doc.Recipe = f.out
	}
	if f.json {
		err = document.Write(stdout, doc)
	} else {
		doc.print()
	}
	if err == nil && !res.Found {
		return errFound
	}
	return err
}

// traced is the mote whose log it is: that of --mote, or else the first whose firmware has the map.
func (f *traceReplayFlags) traced(rec *recipe.Recipe, w *world.World) (int, error) {
	matches := func(i int) error { return f.Matches(job.FoundBeside(rec, rec.Motes[i].Firmware), "") }
	if f.mote >= 0 {
		i, err := job.FindMote(w, f.mote)
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
func (f *traceReplayFlags) problem(ctx context.Context, rec *recipe.Recipe, w *world.World, mote int, target *reproduce.Target, layout record.Layout, term *terminal) (*reproduce.Problem, error) {
	chooser, err := rec.Chooser()
	if err != nil {
		return nil, err
	}
	start := time.Now()
	p := &reproduce.Problem{Config: w.Config(), Chooser: chooser, Mote: mote, Target: target, Until: rec.Until, Tries: f.tries,
		Stop: func() bool { return ctx.Err() != nil || f.budget > 0 && time.Since(start) > f.budget },
		Tell: func(tries, shown int) {
			if term.tty && !term.quiet {
				fmt.Fprintf(os.Stderr, "\r\x1b[K%d tries, %s of %s events", tries, phrase.Grouped(uint64(shown)), phrase.Grouped(uint64(len(target.Items))))
				term.drawn = true
			}
		}}
	if !f.changed("time") {
		p.Until = longestRun(target)
	}
	m := w.Motes()[mote]
	may := func(bytes []byte) {
		p.May = append(p.May, world.Serial{Mote: mote, USART: m.Board().Console, Bytes: bytes})
	}
	for _, text := range f.maySend {
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
		return nil, fmt.Errorf("--may-send %q: write the message's type, and its data in hexadecimal, as 32:0001", text)
	}
	return pull.Frame(to, uint8(n), bytes), nil
}

// keepRecipe makes the run once more, as its recipe says, and writes that.
func (f *traceReplayFlags) keepRecipe(ctx context.Context, rec *recipe.Recipe, p *reproduce.Problem, res *reproduce.Result) error {
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
	return job.Movable(rec, filepath.Dir(f.out)).Write(f.out)
}

// replayedTrace is what trace replay prints.
type replayedTrace struct {
	Verdict string        `json:"verdict"` // found, several or unknown
	LeftOut []string      `json:"left_out"`
	Events  int           `json:"events"` // of the trace
	Shown   int           `json:"shown"`  // of them, by the best run
	Reset   bool          `json:"reset"`  // the trace ends with a reset
	Boot    uint16        `json:"boot"`
	Tries   int           `json:"tries"`
	TimeS   float64       `json:"time_s"` // when all was shown
	Chosen  []tracedThing `json:"chosen"`
	Others  int           `json:"others_tried"`
	Fit     int           `json:"others_fit"`
	Wanted  string        `json:"wanted,omitempty"` // where the best run went wrong: what the trace says
	Got     string        `json:"got,omitempty"`    // and what came instead
	Recipe  string        `json:"recipe,omitempty"`
}

// tracedThing is something that was chosen to fit.
type tracedThing struct {
	Kind   string  `json:"kind"` // of a choice, as in recipes; or serial
	Mote   uint16  `json:"mote"`
	Number uint32  `json:"number"`
	Answer uint32  `json:"answer"`
	TimeS  float64 `json:"time_s,omitempty"` // of serial
	Hex    string  `json:"hex,omitempty"`
}

func describeReplay(res *reproduce.Result, t *reproduce.Target, teller *narrative.Teller, w *world.World) *replayedTrace {
	doc := &replayedTrace{Verdict: string(verdict.Unknown), Events: res.Total, Shown: res.Shown, Reset: t.Reset, Boot: t.Boot, Tries: res.Tries,
		Others: res.Others, Fit: res.Fit, Chosen: []tracedThing{}}
	if !res.Found {
		doc.Wanted, doc.Got = itemText(teller, res.Want), itemText(teller, res.Got)
		return doc
	}
	doc.Verdict, doc.TimeS = "found", float64(res.Time)/world.Second
	if res.Fit > 0 {
		doc.Verdict = "several"
	}
	for _, a := range res.Answers {
		doc.Chosen = append(doc.Chosen, tracedThing{Kind: a.Kind.String(), Mote: w.Motes()[a.Mote].ID(), Number: a.Number, Answer: a.Answer})
	}
	for _, s := range res.Serial {
		doc.Chosen = append(doc.Chosen, tracedThing{Kind: "serial", Mote: w.Motes()[s.Mote].ID(), TimeS: float64(s.At) / world.Second, Hex: hex.EncodeToString(s.Bytes)})
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

func (d *replayedTrace) print() {
	what := fmt.Sprintf("%s events of boot %d", phrase.Grouped(uint64(d.Events)), d.Boot)
	if d.Reset {
		what += ", and the reset that ended it"
	}
	if d.Recipe == "" {
		fmt.Fprintf(stdout, "no run was found in %d tries that shows the %s\n", d.Tries, what)
		if slices.Contains(d.LeftOut, verdict.Interrupted) {
			fmt.Fprintln(stdout, verdict.Interrupted)
		}
		fmt.Fprintf(stdout, "the best one shows %s of them; then the trace has\n  %s\nand the run has\n  %s\n", phrase.Grouped(uint64(d.Shown)), d.Wanted, orNothing(d.Got))
		fmt.Fprintln(stdout, "This proves nothing. Allow more: --drift, --may-send, a scenario with faults, --tries, --budget.")
		return
	}
	fmt.Fprintf(stdout, "found in %d tries: a run that shows all %s, after %.3f s\n", d.Tries, what, d.TimeS)
	for _, c := range d.Chosen {
		if c.Kind == "serial" {
			fmt.Fprintf(stdout, "  mote %d gets %s over its serial line at %.6f s\n", c.Mote, c.Hex, c.TimeS)
		} else {
			fmt.Fprintf(stdout, "  mote %d, %s, question %d: answer %d\n", c.Mote, c.Kind, c.Number, c.Answer)
		}
	}
	switch {
	case d.Fit > 0:
		fmt.Fprintf(stdout, "Several runs fit: of %d others that were tried, %d show the same trace.\n", d.Others, d.Fit)
	case d.Others > 0:
		fmt.Fprintf(stdout, "Of %d others that were tried, none shows the same trace.\n", d.Others)
	}
	fmt.Fprintf(stdout, "motehound replay %s makes it again\n", d.Recipe)
}

func orNothing(text string) string {
	if text == "" {
		return "nothing, until long after"
	}
	return text
}
