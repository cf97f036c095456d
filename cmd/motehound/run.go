package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/cwriter"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/mote/periph"
	"motehound/observe/outputs"
	"motehound/observe/stray"
	"motehound/show/live"
	"motehound/world"
)

// runFlags are the flags of run.
type runFlags struct {
	worldFlags
	lifecycleFlags
	serial []string
	dump   []string
	vars   []string
	pins   bool
	leds   bool
	blocks bool
	out    string
	bundle bool
	pace   string
	json   bool
	quiet  bool
}

func runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [flags] FIRMWARE|SCENARIO",
		Short: "Run motes: their UARTs, LEDs and pins, and how it ended",
		Long: `Runs a firmware file (ELF, Intel HEX or SREC) on emulated motes and tells what they did. FIRMWARE may be a built-in
example, such as example:blink or example:serial-uno. A SCENARIO is a file that ends in .star (docs/scenarios.md): it says
which motes there are, who hears whom, what happens and what must hold.

Boards: ` + phrase.List(board.All(), func(b *board.Board) string { return b.Name }) + `
Chips:  ` + phrase.List(chip.All(), func(c *chip.Chip) string { return c.Name }) + `
Without --board and --chip they are guessed from the file.

Node ids are K, K+1, ... for --first-id K; K is 0 unless given. A single mote without --first-id keeps the id that is in
its firmware (TinyOS: 1; 0 if it has none).

--serial connects a mote's UART with the host:
  ` + live.Usage + `
MOTE is a node id; in a run of one mote, 0 means that one too, and it can be left out. USART is the board's console
unless given. A TCP port listens on this machine only, unless HOST is given; port 0 takes a free one, and where it listens
is printed. sf is TinyOS's serial forwarder, for its host tools (MOTECOM=sf@localhost:9002). A pty is printed too, and LINK made to it. Opening a pty resets an Arduino, as the real one. Output of stdio is
on standard output, and the report then on standard error; with --json it is the other way round. Time waits for a pipe
or a file on standard input. --lifecycle - prints interrupts, posts and tasks as they happen.`,
		Args: exactlyOne("firmware file", "example:blink"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.worldFlags.register(fl)
	fl.StringArrayVar(&f.serial, "serial", nil, "connect a UART, see above (`N=WHERE`, repeatable)")
	fl.StringVar(&f.pace, "pace", "auto", "virtual seconds per second: off, real or a `factor`; auto is real with somebody on a line")
	fl.StringArrayVar(&f.dump, "dump", nil, "show memory at the end: `ADDR:LEN`, NAME:LEN or NAME; 1.NAME is mote 1's (repeatable)")
	fl.StringArrayVar(&f.vars, "var", nil, "show a variable at the end: a `path` as table[3].addr; 1.table is mote 1's (repeatable)")
	fl.BoolVar(&f.leds, "leds", false, "print each change of a LED as it happens")
	fl.BoolVar(&f.pins, "trace-pins", false, "print each change of a pin as it happens")
	fl.BoolVar(&f.blocks, "blocks", false, "report code without a basic block, and what ran there")
	f.lifecycleFlags.register(fl)
	fl.StringVar(&f.out, "out", "", about("out"))
	fl.BoolVar(&f.bundle, "bundle", false, about("bundle"))
	fl.BoolVar(&f.json, "json", false, about("json"))
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	return cmd
}

// exactlyOne wants one argument, and says what it is when it is missing.
func exactlyOne(what, such string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return fmt.Errorf("which %s? For example: %s %s", what, cmd.CommandPath(), such)
		case 1:
			return nil
		}
		return fmt.Errorf("one %s, please, not %d: %s", what, len(args), strings.Join(args, " "))
	}
}

// atLeastOne wants arguments, none of them twice, and says what they are when there is none.
func atLeastOne(what, such string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return exactlyOne(what, such)(cmd, args)
		}
		for i, a := range args {
			if slices.Contains(args[:i], a) {
				return fmt.Errorf("%s is there twice", a)
			}
		}
		return nil
	}
}

func (f *runFlags) run(ctx context.Context, firmware string) (err error) {
	term := newTerminal(f.json, f.quiet, f.serial)
	rec, w, watch, err := f.load(ctx, firmware, term)
	if err != nil {
		return err
	}
	ask, err := job.Ask(w, f.dump, f.vars)
	if err != nil {
		return err
	}
	ports, err := f.ports(w, term)
	for _, p := range ports {
		defer p.Close()
	}
	if err != nil {
		return err
	}
	session := &live.Session{World: w, Ports: ports, Opened: term.opened(w)}
	if session.Pace, err = parsePace(f.pace, session.Live()); err != nil {
		return err
	}
	if f.out != "" { // now, rather than after a long run
		if err := os.MkdirAll(f.out, 0o755); err != nil {
			return err
		}
	}
	bundler, err := newBundler(f.bundle, f.out, rec)
	if err != nil {
		return err
	}
	recorder := outputs.Record(w)
	f.trace(w, term)
	var code *stray.Watcher
	if f.blocks {
		code = stray.Watch(w)
	}
	recorded, err := f.record(w, term)
	if err != nil {
		return err
	}
	captured, err := f.capture(w)
	if err != nil {
		return err
	}

	start := time.Now()
	session.Progress = term.progress(start, rec.Until)
	attach(watch, session)
	if err := session.Run(ctx, rec.Until); err != nil {
		return err
	}
	took := time.Since(start)
	term.clear()
	if err := errors.Join(recorded(), captured()); err != nil {
		return err
	}

	rec.Finish(w)
	doc := document.RunOf(w, recorder, rec, took)
	watch.Answer(doc, w, ctx.Err() != nil)
	if f.blocks {
		doc.Code = document.CodeOf(code)
	}
	if err := ask.Answer(w, doc); err != nil {
		return err
	}
	kept, err := f.keep(doc, bundler)
	if err != nil {
		return err
	}
	if f.json {
		if err := document.Write(stdout, doc); err != nil {
			return err
		}
	} else {
		s := summary{to: term.text, doc: doc, rec: recorder, world: w, took: took, quiet: f.quiet}
		s.print()
		s.verdict(watch)
		s.printKept(kept, ctx.Err() != nil)
	}
	if doc.Found() {
		return errFound
	}
	return nil
}

func parsePace(text string, someone bool) (float64, error) {
	switch text {
	case "auto":
		if !someone {
			return 0, nil
		}
		return 1, nil
	case "off":
		return 0, nil
	case "real":
		return 1, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0 && v < 1e9) {
		return 0, fmt.Errorf("--pace %q: write auto, off, real, or how many virtual seconds pass in a second", text)
	}
	return v, nil
}

// ports opens what --serial asks for. Those that were opened are returned in any case.
func (f *runFlags) ports(w *world.World, term *terminal) (ports []*live.Port, err error) {
	stdio := live.Stdio{Log: func(line string) { term.say("%s", line) }, In: os.Stdin, Out: stdout, Terminal: cwriter.IsTerminal(int(os.Stdin.Fd()))}
	if f.json {
		stdio.Out = os.Stderr
	}
	for _, text := range f.serial {
		spec, err := live.ParseSpec(text)
		if err != nil {
			return ports, fmt.Errorf("--serial %w", err)
		}
		i, err := job.FindMote(w, spec.Mote)
		if err != nil {
			return ports, fmt.Errorf("--serial %q: %w", text, err)
		}
		m := w.Motes()[i]
		if spec.USART >= m.USARTs() {
			return ports, fmt.Errorf("--serial %q: the %s's last USART is %d", text, m.Chip().Name, m.USARTs()-1)
		}
		usart := m.Board().Console
		if spec.USART >= 0 {
			usart = uint8(spec.USART)
		}
		for _, p := range ports {
			if p.Mote == i && p.USART == usart {
				return ports, fmt.Errorf("--serial %q: that line is connected already", text)
			}
		}
		p, err := live.Open(spec, stdio)
		if err != nil {
			return ports, fmt.Errorf("--serial %q: %w", text, err)
		}
		p.Mote, p.USART, p.ResetOnOpen = i, usart, m.Board().ResetOnOpen
		ports = append(ports, p)
		if spec.Kind == "pty" || spec.Kind == "tcp" || spec.Kind == "sf" {
			term.say("serial %s: %s", portName(w, p), p.Where())
		}
	}
	return ports, nil
}

// portName names a line as --serial does.
func portName(w *world.World, p *live.Port) string {
	m := w.Motes()[p.Mote]
	if p.USART == m.Board().Console {
		return strconv.Itoa(int(m.ID()))
	}
	return fmt.Sprintf("%d.%d", m.ID(), p.USART)
}

// trace prints lights and pins as they change.
func (f *runFlags) trace(w *world.World, term *terminal) {
	switched := map[bool]string{false: "off", true: "on"}
	if f.leds {
		w.Observe(world.Observer{LED: func(i int, ps uint64, led int, on bool) {
			m := w.Motes()[i]
			term.line("%s mote %d LED %s %s", phrase.Seconds(ps), m.ID(), m.Board().LEDs[led].Name, switched[on])
		}})
	}
	if f.pins {
		level := map[bool]string{false: "low", true: "high"}
		w.Observe(world.Observer{Pad: func(i int, ps uint64, p periph.Pin, high bool) {
			term.line("%s mote %d pin %s %s", phrase.Seconds(ps), w.Motes()[i].ID(), p, level[high])
		}})
	}
}

// keep writes the recipe and the report into the folder of --out.
func (f *runFlags) keep(doc *document.Run, b *bundler) (recipePath string, err error) {
	if f.out == "" {
		return "", nil
	}
	recipePath = filepath.Join(f.out, "recipe.json")
	if err := job.Movable(doc.Recipe, f.out).Write(recipePath); err != nil {
		return "", err
	}
	bundle, err := b.write(doc.Recipe, recipePath)
	if err != nil {
		return "", err
	}
	return cmp.Or(bundle, recipePath), writeFile("--out", filepath.Join(f.out, "report.json"), func(to io.Writer) error { return document.Write(to, doc) })
}

// attach has the properties looked at while a session runs.
func attach(x *job.Watch, s *live.Session) {
	if x == nil {
		return
	}
	s.Slice = job.LookEvery
	progress := s.Progress
	s.Progress = func(now uint64) {
		_ = x.Monitor.Look() // what was dropped is told at the end
		if progress != nil {
			progress(now)
		}
	}
}
