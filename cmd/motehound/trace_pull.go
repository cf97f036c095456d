package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"motehound/firmware/disk"
	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/mote"
	"motehound/mote/periph"
	"motehound/show/live"
	"motehound/study/fieldtrace/pull"
	"motehound/study/fieldtrace/record"
	"motehound/study/verdict"
	"motehound/world"
)

// tracePullFlags are the flags of trace pull.
type tracePullFlags struct {
	worldFlags
	logFlags
	serial string
	baud   int
	tcp    string
	node   []string
	mote   int
	// anyMote: it was not given. If only one is emulated, or only one of them is traced, that is meant.
	anyMote bool
	base    int
	flash   bool
	bytes   int
	proc    string
	since   string
	// seconds is the time of since: how many ticks these are is known when the mote has sent a page.
	seconds float64
	out     string
	wait    time.Duration
	json    bool
	quiet   bool
}

func tracePullCommand() *cobra.Command {
	var f tracePullFlags
	cmd := &cobra.Command{
		Use:   "pull [flags] [FIRMWARE|SCENARIO]",
		Short: "Get a mote's trace over a serial line, TCP, or from an emulated network",
		Long: `Asks a traced mote for its log and writes it to a file, for trace decode and trace stats. The mote is asked in TinyOS's active
messages of type 84, in serial frames: over a serial port, or over TCP where a port leads to one (as of motehound run --serial
N=tcp:PORT). The line may lead to the mote itself, or to a base station that passes messages on (example:base, TinyOS's
BaseStation). What is lost on the way is asked for again.

Given a firmware or a scenario, it runs that for --time and then asks the mote --node over the serial line of the mote --base, or
with --flash reads the mote's external flash without asking. Without --node it asks the only mote, or mote 1. --proc gets the pages
in which that procedure may be.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if f.mote, err = job.OneNode(f.node, 1); err != nil {
				return err
			}
			f.anyMote = !cmd.Flags().Changed("node")
			return f.pull(cmd.Context(), args)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.serial, "device", "", "the serial `device`, as /dev/ttyUSB0")
	fl.IntVar(&f.baud, "baud", 57600, "its speed")
	fl.StringVar(&f.tcp, "tcp", "", "the `address` of a TCP port, as localhost:9001")
	fl.StringSliceVar(&f.node, "node", nil, about("node"))
	fl.IntVar(&f.base, "base", -1, "the `id` of the emulated mote at whose serial line we are (default the same)")
	fl.BoolVar(&f.flash, "flash", false, "read the emulated mote's flash as it is")
	fl.IntVar(&f.bytes, "bytes", 0, "only the newest so many bytes")
	fl.StringVar(&f.proc, "proc", "", about("proc"))
	fl.StringVar(&f.since, "since", "", "only since this moment of a boot, in seconds (`BOOT:TIME`)")
	fl.DurationVar(&f.wait, "wait", 3*time.Second, "how long to wait for an answer")
	fl.StringVarP(&f.out, "output", "o", "trace.bin", about("output"))
	f.logFlags.register(fl)
	f.worldFlags.register(fl, "pcap")
	fl.BoolVar(&f.json, "json", false, about("json"))
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	return cmd
}

// traceSource is where a log comes from.
type traceSource struct {
	link  pull.Link
	image []byte // if it needs no asking
	close func()
}

func (f *tracePullFlags) pull(ctx context.Context, args []string) error {
	term := newTerminal(f.json, f.quiet, nil)
	layout, err := f.ParseLayout()
	if err != nil {
		return err
	}
	query, err := f.query(term)
	if err != nil {
		return err
	}
	source, err := f.source(ctx, args, term)
	if errors.Is(err, verdict.ErrInterrupted) {
		return unfinished(term)
	}
	if err != nil {
		return err
	}
	defer source.close()
	image, asked := source.image, error(nil)
	if source.link != nil {
		term.doing("asking the mote")
		if err := f.inTicks(source.link, layout, &query); errors.Is(err, verdict.ErrInterrupted) {
			return unfinished(term)
		} else if err != nil {
			return err
		}
		var pieces []record.Piece
		pieces, asked = pull.Pull(source.link, layout, query, func(pages int) { term.doing("asking the mote: %s", phrase.Counted(pages, "page")) })
		term.clear()
		image = pull.Image(layout, pieces)
		if len(image) == 0 && errors.Is(asked, verdict.ErrInterrupted) {
			return unfinished(term)
		}
		if len(image) == 0 {
			return errors.Join(asked, fmt.Errorf("nothing came (%v)", query))
		}
	}
	if err := disk.Write(f.out, image, 0o666); err != nil {
		return errors.Join(asked, err)
	}
	log, err := record.Read(layout, image)
	if err != nil {
		return errors.Join(asked, err)
	}
	return errors.Join(asked, f.tell(log, asked))
}

// pulledDocument is what trace pull prints as JSON.
type pulledDocument struct {
	Verdict verdict.Verdict `json:"verdict"` // holds: all that was asked for has come
	LeftOut []string        `json:"left_out"`
	File    string          `json:"file"`
	Pages   int             `json:"pages"`
	Unread  int             `json:"unread"`
}

// tell says what has come, and what ended it before all had.
func (f *tracePullFlags) tell(log *record.Log, asked error) error {
	c := verdict.Case{Complete: true}
	if asked != nil {
		c.Miss(asked.Error())
	}
	if f.json {
		return document.Write(stdout, pulledDocument{c.Verdict(), document.List(c.LeftOut), f.out, len(log.Pages), log.Unread})
	}
	what := ""
	if len(c.LeftOut) > 0 {
		what = ", not all of them"
	}
	fmt.Fprintf(stdout, "%s: %d pages%s; motehound trace decode shows them\n", f.out, len(log.Pages), what)
	return nil
}

// query is what of the log is asked for.
func (f *tracePullFlags) query(term *terminal) (pull.Query, error) {
	q := pull.Query{Bytes: f.bytes, Proc: -1}
	if f.proc != "" {
		if _, err := fmt.Sscanf(f.proc, "%d", &q.Proc); err != nil {
			t, err := f.Teller(term.host())
			if err != nil {
				return q, err
			}
			id, err := t.Find(f.proc)
			if err != nil {
				return q, fmt.Errorf("--proc: %w", err)
			}
			q.Proc = int(id)
		}
	}
	if f.since != "" {
		var boot uint16
		var seconds float64
		if n, _ := fmt.Sscanf(f.since, "%d:%f", &boot, &seconds); n != 2 || seconds < 0 {
			return q, fmt.Errorf("--since %q: write the boot, as trace decode counts them, and seconds since it, as 3:120.5", f.since)
		}
		q.Since = &pull.Time{Boot: boot}
		f.seconds = seconds
	}
	return q, nil
}

// inTicks has the query's time in ticks of the mote's clock. Its newest page says how long they are.
func (f *tracePullFlags) inTicks(l pull.Link, layout record.Layout, q *pull.Query) error {
	if q.Since == nil {
		return nil
	}
	pieces, err := pull.Pull(l, layout, pull.Query{Bytes: 1, Proc: -1}, nil)
	if err != nil {
		return err
	}
	log, err := record.ReadPieces(layout, pieces)
	if err != nil {
		return err
	}
	q.Since.Ticks = uint32(f.seconds * float64(log.Clock))
	return nil
}

// source opens where the log comes from: exactly one of the three.
func (f *tracePullFlags) source(ctx context.Context, args []string, term *terminal) (*traceSource, error) {
	given := 0
	for _, is := range []bool{f.serial != "", f.tcp != "", len(args) == 1} {
		if is {
			given++
		}
	}
	if given != 1 {
		return nil, errors.New("where is the mote? Give one of --device DEVICE, --tcp ADDRESS, and a firmware or scenario to run")
	}
	switch {
	case f.serial != "":
		file, err := openSerial(f.serial, f.baud)
		if err != nil {
			return nil, fmt.Errorf("--device %s: %w", f.serial, err)
		}
		return f.line(ctx, file), nil
	case f.tcp != "":
		conn, err := (&net.Dialer{Timeout: f.wait}).DialContext(ctx, "tcp", f.tcp)
		if err != nil {
			return nil, fmt.Errorf("--tcp: %w", err)
		}
		return f.line(ctx, conn), nil
	}
	return f.emulated(ctx, args[0], term)
}

// deadlineFile is a line to the outside: a connection, or a device.
type deadlineFile interface {
	Read([]byte) (int, error)
	Write([]byte) (int, error)
	SetReadDeadline(time.Time) error
	Close() error
}

// line is a source on the other side of a line.
func (f *tracePullFlags) line(ctx context.Context, file deadlineFile) *traceSource {
	buffer := make([]byte, 4096)
	awake := context.AfterFunc(ctx, func() { _ = file.SetReadDeadline(time.Now()) })
	return &traceSource{close: func() { awake(); file.Close() }, link: &pull.Frames{
		Mote:  uint16(f.mote),
		Write: func(b []byte) error { _, err := file.Write(b); return err },
		Read: func() ([]byte, bool, error) {
			if err := file.SetReadDeadline(time.Now().Add(f.wait)); err != nil {
				return nil, false, err
			}
			if ctx.Err() != nil { // before the deadline was set, perhaps
				return nil, false, verdict.ErrInterrupted
			}
			n, err := file.Read(buffer)
			if ctx.Err() != nil {
				return nil, false, verdict.ErrInterrupted
			}
			if errors.Is(err, os.ErrDeadlineExceeded) {
				return nil, false, nil
			}
			return buffer[:n], true, err
		},
	}}
}

// emulated runs what is to run and is at a mote's serial line then.
func (f *tracePullFlags) emulated(ctx context.Context, name string, term *terminal) (*traceSource, error) {
	rec, w, _, err := f.load(ctx, name, term)
	if err != nil {
		return nil, err
	}
	var sent []byte
	if f.anyMote {
		f.mote = theTraced(w.Motes(), f.mote)
	}
	if f.base < 0 {
		f.base = f.mote
	}
	base, err := job.FindMote(w, f.base)
	if err != nil {
		return nil, fmt.Errorf("--base: %w", err)
	}
	asked, err := job.FindMote(w, f.mote)
	if err != nil {
		return nil, fmt.Errorf("--node: %w", err)
	}
	console := w.Motes()[base].Board().Console
	w.Observe(world.Observer{Serial: func(m int, usart uint8, c periph.SerialChar) {
		if m == base && usart == console {
			sent = append(sent, c.Data.V())
		}
	}})
	session := &live.Session{World: w, Progress: term.progress(time.Now(), rec.Until)}
	if err := session.Run(ctx, rec.Until); err != nil {
		return nil, err
	}
	term.clear()
	if ctx.Err() != nil {
		return nil, verdict.ErrInterrupted
	}
	w.RunUntil(rec.Until) // it may have ended early, when no mote could go on
	if f.flash {
		return flashSource(w.Motes()[asked], f.mote)
	}
	sent = nil
	return &traceSource{close: func() {}, link: &pull.Frames{
		Mote: uint16(f.mote),
		Write: func(b []byte) error {
			w.SerialIn(world.Serial{Mote: base, USART: console, At: w.Now(), Bytes: b})
			return nil
		},
		Read: func() ([]byte, bool, error) {
			end := w.Now() + uint64(f.wait.Nanoseconds())*1000
			for len(sent) == 0 && w.Now() < end {
				if ctx.Err() != nil {
					return nil, false, verdict.ErrInterrupted
				}
				w.RunUntil(min(w.Now()+world.Millisecond, end))
			}
			b := sent
			sent = nil
			return b, len(b) > 0, nil
		},
	}}, nil
}

// theTraced is the node id of the only mote, or the only one whose firmware answers questions about its trace; or else the usual one.
func theTraced(motes []*mote.Mote, usual int) int {
	if len(motes) == 1 {
		return int(motes[0].ID())
	}
	var traced []*mote.Mote
	for _, m := range motes {
		if _, ok := m.Kind.Image.Symbol("mh_trace_request"); ok {
			traced = append(traced, m)
		}
	}
	if len(traced) != 1 {
		return usual
	}
	return int(traced[0].ID())
}

func flashSource(m *mote.Mote, id int) (*traceSource, error) {
	s := m.ExternalFlash()
	if s == nil {
		return nil, fmt.Errorf("--flash: mote %d, a %s, has no external flash", id, m.Board().Name)
	}
	image := make([]byte, s.Size())
	for i := range image {
		image[i] = s.Read(uint32(i))
	}
	return &traceSource{image: image, close: func() {}}, nil
}
