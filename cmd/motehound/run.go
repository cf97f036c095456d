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

	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/mote/periph"
	"motehound/observe/stray"
	"motehound/show/live"
	"motehound/show/report"
	"motehound/study/builds"
	"motehound/world"
	"motehound/world/recipe"
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
		Short: "Run motes and report their UARTs, LEDs, pins and how the run ended",
		Long: `Runs a firmware file (ELF, Intel HEX or SREC) on emulated motes and reports what they did. FIRMWARE may be a built-in
example, such as example:blink or example:serial-uno. A SCENARIO is a file that ends in .star (docs/scenarios.md): it describes
the motes, who hears whom, what happens when, and what must hold.

Boards: ` + list(board.All(), func(b *board.Board) string { return b.Name }) + `
Chips:  ` + list(chip.All(), func(c *chip.Chip) string { return c.Name }) + `
Without --board and --chip they are guessed from the file.

Node ids are K, K+1, ... for --first-id K (default 0). A single mote without --first-id keeps the node id of its firmware
(1 for TinyOS; 0 if it has none).

--serial connects a mote's UART with the host:
  ` + live.Usage + `
  MOTE is a node id. With a single mote it can be left out, and 0 means that mote too.
  USART is the board's console unless given.
  stdio   uses standard input and output; the report then goes to standard error. With --json it is the other way round.
          Virtual time waits for input from a pipe or a file.
  pty     makes a pseudo terminal and prints its name. LINK becomes a symbolic link to it. Opening it resets an Arduino.
  tcp     listens on a port, on this machine only unless HOST is given. Port 0 takes a free port. The address is printed.
  sf      is TinyOS's serial forwarder, for its host tools (MOTECOM=sf@localhost:9002).

--lifecycle - prints interrupts, posts and tasks as they happen.`,
		Args: exactlyOne("firmware file", "example:blink"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.worldFlags.register(fl)
	fl.StringArrayVar(&f.serial, "serial", nil, "connect a UART with the host, see above (`N=WHERE`, repeatable)")
	fl.StringVar(&f.pace, "pace", "auto", "virtual seconds per second: off (no limit), real or a `factor`; auto is real while --serial is interactive")
	fl.StringArrayVar(&f.dump, "dump", nil, "show memory at the end: `ADDR:LEN`, NAME:LEN or NAME; 1.NAME is mote 1's (repeatable)")
	fl.StringArrayVar(&f.vars, "var", nil, "show a variable at the end: a `path` such as table[3].addr; 1.table is mote 1's (repeatable)")
	fl.BoolVar(&f.leds, "leds", false, "print each change of a LED as it happens")
	fl.BoolVar(&f.pins, "trace-pins", false, "print each change of a pin as it happens")
	fl.BoolVar(&f.blocks, "blocks", false, "report code outside of all basic blocks, and what ran there")
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
			return fmt.Errorf("give a %s, for example: %s %s", what, cmd.CommandPath(), such)
		case 1:
			return nil
		}
		return fmt.Errorf("give one %s, not %d: %s", what, len(args), strings.Join(args, " "))
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
				return fmt.Errorf("%s is given twice", a)
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
	ask, err := report.Ask(w, f.dump, f.vars)
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
	recorder := report.Record(w)
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
	watch.attach(session)
	if err := session.Run(ctx, rec.Until); err != nil {
		return err
	}
	took := time.Since(start)
	term.clear()
	if err := errors.Join(recorded(), captured()); err != nil {
		return err
	}

	rec.Finish(w)
	doc := recorder.Run(rec, took)
	watch.answer(doc, w, ctx.Err() != nil)
	if f.blocks {
		doc.Code = report.CodeOf(code)
	}
	if err := ask.Answer(w, doc); err != nil {
		return err
	}
	kept, err := f.keep(doc, bundler)
	if err != nil {
		return err
	}
	if f.json {
		if err := writeJSON(stdout, doc); err != nil {
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
		return 0, fmt.Errorf("--pace %q: write auto, off, real, or the number of virtual seconds per second", text)
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
		i, err := findMote(w, spec.Mote)
		if err != nil {
			return ports, fmt.Errorf("--serial %q: %w", text, err)
		}
		m := w.Motes()[i]
		if spec.USART >= m.USARTs() {
			return ports, fmt.Errorf("--serial %q: the last USART of the %s is %d", text, m.Chip().Name, m.USARTs()-1)
		}
		usart := m.Board().Console
		if spec.USART >= 0 {
			usart = uint8(spec.USART)
		}
		for _, p := range ports {
			if p.Mote == i && p.USART == usart {
				return ports, fmt.Errorf("--serial %q: that UART is already connected", text)
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

// findMote is the index of the mote with a node id; -1 is the first, and 0 the only one.
func findMote(w *world.World, id int) (int, error) {
	i, err := builds.Of(w).Mote(id)
	if err != nil && (id < 0 || id == 0 && len(w.Motes()) == 1) {
		return 0, nil
	}
	return i, err
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
			term.line("%s mote %d LED %s %s", seconds(ps), m.ID(), m.Board().LEDs[led].Name, switched[on])
		}})
	}
	if f.pins {
		level := map[bool]string{false: "low", true: "high"}
		w.Observe(world.Observer{Pad: func(i int, ps uint64, p periph.Pin, high bool) {
			term.line("%s mote %d pin %s %s", seconds(ps), w.Motes()[i].ID(), p, level[high])
		}})
	}
}

// keep writes the recipe and the report into the folder of --out.
func (f *runFlags) keep(doc *report.Run, b *bundler) (recipePath string, err error) {
	if f.out == "" {
		return "", nil
	}
	recipePath = filepath.Join(f.out, "recipe.json")
	if err := movable(doc.Recipe, f.out).Write(recipePath); err != nil {
		return "", err
	}
	bundle, err := b.write(doc.Recipe, recipePath)
	if err != nil {
		return "", err
	}
	return cmp.Or(bundle, recipePath), writeFile("--out", filepath.Join(f.out, "report.json"), func(to io.Writer) error { return writeJSON(to, doc) })
}

// movable is a recipe for a folder: it names firmware and scenario as seen from there, so that all can move together.
func movable(rec *recipe.Recipe, folder string) *recipe.Recipe {
	return rec.Renamed(func(firmware string) string { return relativeTo(folder, foundBeside(rec, firmware)) },
		func(file string) string { return relativeTo(folder, file) })
}

// foundBeside is where a firmware file was found: from where the command runs, or beside the scenario.
func foundBeside(rec *recipe.Recipe, file string) string {
	if len(rec.Scenario) == 0 || filepath.IsAbs(file) || strings.HasPrefix(file, examplePrefix) {
		return file
	}
	if _, err := os.Stat(file); err == nil {
		return file
	}
	return filepath.Join(filepath.Dir(rec.Scenario[0].Name), file)
}

// relativeTo names a file as seen from a folder, so that the two can move together.
func relativeTo(folder, file string) string {
	if strings.HasPrefix(file, examplePrefix) {
		return file
	}
	from, err1 := filepath.Abs(folder)
	to, err2 := filepath.Abs(file)
	if err1 != nil || err2 != nil {
		return file
	}
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return to
	}
	return filepath.ToSlash(rel)
}
