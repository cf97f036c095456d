package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/cwriter"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/mote/board"
	"motehound/study/fieldtrace/narrative"
	"motehound/study/fieldtrace/record"
)

// traceDecodeFlags are the flags of trace decode.
type traceDecodeFlags struct {
	logFlags
	firmware  string
	proc      string
	boot      int
	last      int
	lifecycle string
	board     string
	json      bool
	quiet     bool
}

func traceDecodeCommand() *cobra.Command {
	var f traceDecodeFlags
	cmd := &cobra.Command{
		Use:   "decode [flags] LOG",
		Short: "Show a mote's trace as procedures, paths and source lines",
		Long: `Reads the log of a traced mote, from trace pull or a copy of its flash, and shows what ran: procedures with the path that each took
through its source lines, and who interrupted whom, by indentation. What is missing (pages overwritten or torn, events for which
the mote had no room) is said where it is missing. --firmware makes sure that the map is its own;
--lifecycle takes the clock and the interrupts' names from --board. Exit status: 0 the log is whole, 1 something in it is missing.`,
		Args: exactlyOne("log", "trace.bin"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.decode(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	f.register(fl)
	fl.StringVar(&f.firmware, "firmware", "", about("firmware"))
	fl.StringVar(&f.proc, "proc", "", about("proc"))
	fl.IntVar(&f.boot, "boot", -1, about("boot"))
	fl.IntVar(&f.last, "last", 0, "only the last so many `lines`")
	fl.StringVar(&f.lifecycle, "lifecycle", "", about("lifecycle"))
	fl.StringVar(&f.board, "board", "micaz", about("board"))
	fl.BoolVar(&f.json, "json", false, about("json"))
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	return cmd
}

// mostLast is how many lines --last may ask for: they are kept in memory.
const mostLast = 1_000_000

func (f *traceDecodeFlags) decode(ctx context.Context, name string) error {
	if f.last < 0 || f.last > mostLast {
		return fmt.Errorf("--last %d: give 1 to %d, or 0 for all", f.last, mostLast)
	}
	term := newTerminal(f.json, f.quiet, nil)
	log, teller, err := f.Open(name, term.host())
	if err != nil {
		return err
	}
	if f.firmware != "" {
		if err := f.Matches(f.firmware, ""); err != nil {
			return err
		}
	}
	want, err := f.wanted(teller)
	if err != nil {
		return err
	}
	if f.lifecycle != "" {
		if err := f.writeLifecycle(log, teller, term); err != nil {
			return err
		}
	}
	p := &tracePrinter{log: log, teller: teller, want: want, boots: f.boots(log)}
	if !cwriter.IsTerminal(int(os.Stdout.Fd())) { // else the lines are there
		term.doing("decoding %s", phrase.Counted(len(log.Pages), "page"))
	}
	if f.json {
		err = p.writeJSON(ctx, stdout, f.last)
	} else {
		err = p.writeText(ctx, stdout, f.last)
	}
	term.clear()
	if err != nil {
		return err
	}
	if p.gaps > 0 || log.Unread > 0 {
		term.note("%d gaps in %d pages; %d places of the flash hold something else", p.gaps, len(log.Pages), log.Unread)
		return errFound
	}
	return nil
}

// wanted tells which procedures are to be shown.
func (f *traceDecodeFlags) wanted(t *narrative.Teller) (func(uint16) bool, error) {
	if f.proc == "" {
		return func(uint16) bool { return true }, nil
	}
	var id uint16
	if _, err := fmt.Sscanf(f.proc, "%d", &id); err != nil {
		if id, err = t.Find(f.proc); err != nil {
			return nil, fmt.Errorf("--proc: %w", err)
		}
	}
	return func(p uint16) bool { return p == id }, nil
}

// boots tells which boots are to be shown.
func (f *traceDecodeFlags) boots(l *record.Log) func(uint16) bool {
	if f.boot == -1 {
		return func(uint16) bool { return true }
	}
	boot := bootNumber(l, f.boot)
	return func(b uint16) bool { return int(b) == boot }
}

// bootNumber is what the log calls a boot; -1 is the last one in it.
func bootNumber(l *record.Log, boot int) int {
	if boot < 0 {
		boot += int(l.Pages[len(l.Pages)-1].Boot) + 1
	}
	return boot
}

func (f *traceDecodeFlags) writeLifecycle(l *record.Log, t *narrative.Teller, term *terminal) error {
	b, err := board.Find(f.board)
	if err != nil {
		return fmt.Errorf("--board: %w", err)
	}
	asJSON := strings.HasSuffix(f.lifecycle, ".jsonl")
	posts, items := false, 0
	err = job.WriteFile("--lifecycle", f.lifecycle, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		posts = t.Lifecycle(l, b.Hertz, func(it narrative.Item) {
			items++
			name := it.Name
			if name == "" {
				name = b.Chip.VectorName(uint8(it.Arg))
			}
			ps := uint64(float64(it.Ticks) / float64(max(l.Clock, 1)) * 1e12)
			if !asJSON {
				fmt.Fprintln(out, job.LifecycleText(ps, 0, it.Item, name))
				return
			}
			line, err := json.Marshal(document.LifecycleLine{Time: float64(ps) / 1e12, Kind: it.Kind.String(), Arg: it.Arg, Name: name, Cycle: it.Cycle})
			if err != nil {
				panic("BUG: " + err.Error())
			}
			out.Write(append(line, '\n'))
		})
		return out.Flush()
	})
	if err == nil && items == 0 {
		term.note("no lifecycle items: neither interrupt handlers nor tasks are traced in this firmware")
	} else if err == nil && !posts {
		term.note("no posts: to have them in the trace, build with --function '*postTask' or the like")
	}
	return err
}
