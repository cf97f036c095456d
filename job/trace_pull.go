package job

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"motehound/firmware/disk"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/mote"
	"motehound/mote/periph"
	"motehound/study/fieldtrace/pull"
	"motehound/study/fieldtrace/record"
	"motehound/study/verdict"
	"motehound/world"
)

// TracePull asks a traced mote for its log.
type TracePull struct {
	World
	Log
	File   string        `json:"file,omitempty"`   // firmware or scenario to run; or else
	Device string        `json:"device,omitempty"` // a serial device, or
	Baud   int           `json:"baud"`
	TCP    string        `json:"tcp,omitempty"`  // an address
	Node   []string      `json:"node,omitempty"` // one node id; nil for the only mote that is traced, or 1
	Base   int           `json:"base"`           // the mote at whose serial line we are; -1 for the same
	Flash  bool          `json:"flash,omitempty"`
	Bytes  int           `json:"bytes,omitempty"`
	Proc   string        `json:"proc,omitempty"`
	Since  string        `json:"since,omitempty"` // BOOT:TIME
	Wait   time.Duration `json:"wait_ns"`
	Output string        `json:"output"`
}

// NewTracePull is the usual request for a file.
func NewTracePull(file string) TracePull {
	return TracePull{World: NewWorld(), Log: Log{Layout: UsualLayout}, File: file, Baud: 57600, Base: -1, Wait: 3 * time.Second, Output: "trace.bin"}
}

// tracePull is such a job under way.
type tracePull struct {
	TracePull
	mote    int
	seconds float64 // the time of Since: how many ticks these are is known when the mote has sent a page
}

// Do gets the log and writes it to its file. With an error there may be a document, too: of what came before it.
func (f TracePull) Do(ctx context.Context, h Host) (*document.Pulled, error) {
	mote, err := OneNode(f.Node, 1)
	if err != nil {
		return nil, err
	}
	return (&tracePull{TracePull: f, mote: mote}).pull(ctx, h)
}

// traceSource is where a log comes from.
type traceSource struct {
	link  pull.Link
	image []byte // if it needs no asking
	close func()
}

func (f *tracePull) pull(ctx context.Context, h Host) (*document.Pulled, error) {
	layout, err := f.ParseLayout()
	if err != nil {
		return nil, err
	}
	query, err := f.query(h)
	if err != nil {
		return nil, err
	}
	source, err := f.source(ctx, h)
	if errors.Is(err, verdict.ErrInterrupted) {
		return nil, &Unfinished{}
	}
	if err != nil {
		return nil, err
	}
	defer source.close()
	image, asked := source.image, error(nil)
	if source.link != nil {
		h.doing("asking the mote")
		if err := f.inTicks(source.link, layout, &query); errors.Is(err, verdict.ErrInterrupted) {
			return nil, &Unfinished{}
		} else if err != nil {
			return nil, err
		}
		var pieces []record.Piece
		pieces, asked = pull.Pull(source.link, layout, query, func(pages int) { h.doing("asking the mote: %s", phrase.Counted(pages, "page")) })
		h.done()
		image = pull.Image(layout, pieces)
		if len(image) == 0 && errors.Is(asked, verdict.ErrInterrupted) {
			return nil, &Unfinished{}
		}
		if len(image) == 0 {
			return nil, errors.Join(asked, fmt.Errorf("no answer (%v)", query))
		}
	}
	if err := disk.Write(f.Output, image, 0o666); err != nil {
		return nil, errors.Join(asked, err)
	}
	log, err := record.Read(layout, image)
	if err != nil {
		return nil, errors.Join(asked, err)
	}
	c := verdict.Case{Complete: true}
	if asked != nil {
		c.Miss(asked.Error())
	}
	return &document.Pulled{Verdict: c.Verdict(), LeftOut: document.List(c.LeftOut), File: f.Output, Pages: len(log.Pages), Unread: log.Unread}, asked
}

// query is what of the log is asked for.
func (f *tracePull) query(h Host) (pull.Query, error) {
	q := pull.Query{Bytes: f.Bytes, Proc: -1}
	if f.Proc != "" {
		if _, err := fmt.Sscanf(f.Proc, "%d", &q.Proc); err != nil {
			t, err := f.Teller(h)
			if err != nil {
				return q, err
			}
			id, err := t.Find(f.Proc)
			if err != nil {
				return q, fmt.Errorf("--proc: %w", err)
			}
			q.Proc = int(id)
		}
	}
	if f.Since != "" {
		var boot uint16
		var seconds float64
		if n, _ := fmt.Sscanf(f.Since, "%d:%f", &boot, &seconds); n != 2 || seconds < 0 {
			return q, fmt.Errorf("--since %q: write the boot's number as trace decode shows it, and the seconds since then, such as 3:120.5", f.Since)
		}
		q.Since = &pull.Time{Boot: boot}
		f.seconds = seconds
	}
	return q, nil
}

// inTicks has the query's time in ticks of the mote's clock. Its newest page says how long they are.
func (f *tracePull) inTicks(l pull.Link, layout record.Layout, q *pull.Query) error {
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
func (f *tracePull) source(ctx context.Context, h Host) (*traceSource, error) {
	given := 0
	for _, is := range []bool{f.Device != "", f.TCP != "", f.File != ""} {
		if is {
			given++
		}
	}
	if given != 1 {
		return nil, errors.New("give one of: --device DEVICE, --tcp ADDRESS, or a firmware or scenario to run")
	}
	switch {
	case f.Device != "":
		file, err := openSerial(f.Device, f.Baud)
		if err != nil {
			return nil, fmt.Errorf("--device %s: %w", f.Device, err)
		}
		return f.line(ctx, file, h), nil
	case f.TCP != "":
		conn, err := (&net.Dialer{Timeout: f.Wait}).DialContext(ctx, "tcp", f.TCP)
		if err != nil {
			return nil, fmt.Errorf("--tcp: %w", err)
		}
		return f.line(ctx, conn, h), nil
	}
	return f.emulated(ctx, h)
}

// deadlineFile is a line to the outside: a connection, or a device.
type deadlineFile interface {
	Read([]byte) (int, error)
	Write([]byte) (int, error)
	SetReadDeadline(time.Time) error
	Close() error
}

// line is a source on the other side of a line.
func (f *tracePull) line(ctx context.Context, file deadlineFile, h Host) *traceSource {
	buffer := make([]byte, 4096)
	awake := context.AfterFunc(ctx, func() { _ = file.SetReadDeadline(time.Unix(1, 0)) })
	return &traceSource{close: func() { awake(); file.Close() }, link: &pull.Frames{
		Mote:  uint16(f.mote),
		Write: func(b []byte) error { _, err := file.Write(b); return err },
		Read: func() ([]byte, bool, error) {
			if h.Now != nil {
				if err := file.SetReadDeadline(h.now().Add(f.Wait)); err != nil {
					return nil, false, err
				}
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
func (f *tracePull) emulated(ctx context.Context, h Host) (*traceSource, error) {
	rec, w, _, err := f.Load(ctx, f.File, h)
	if err != nil {
		return nil, err
	}
	var sent []byte
	if len(f.Node) == 0 {
		f.mote = theTraced(w.Motes(), f.mote)
	}
	if f.Base < 0 {
		f.Base = f.mote
	}
	base, err := FindMote(w, f.Base)
	if err != nil {
		return nil, fmt.Errorf("--base: %w", err)
	}
	asked, err := FindMote(w, f.mote)
	if err != nil {
		return nil, fmt.Errorf("--node: %w", err)
	}
	console := w.Motes()[base].Board().Console
	w.Observe(world.Observer{Serial: func(m int, usart uint8, c periph.SerialChar) {
		if m == base && usart == console {
			sent = append(sent, c.Data.V())
		}
	}})
	drive(ctx, w, rec.Until, 0, h.running(rec.Until))
	h.done()
	if ctx.Err() != nil {
		return nil, verdict.ErrInterrupted
	}
	w.RunUntil(rec.Until) // it may have ended early, when no mote could go on
	if f.Flash {
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
			end := w.Now() + uint64(f.Wait.Nanoseconds())*1000
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
