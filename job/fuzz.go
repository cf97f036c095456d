package job

import (
	"context"
	"fmt"
	"hash/crc32"
	"maps"
	"path/filepath"
	"time"

	"motehound/firmware/image"
	"motehound/job/document"
	"motehound/mote"
	"motehound/mote/periph"
	"motehound/observe/coverage"
	"motehound/study/check"
	"motehound/study/guide/input"
	"motehound/study/verdict"
	"motehound/world"
)

// Fuzz asks for inputs that break something: bytes on serial lines, frames on the air, readings of sensors. It walks as Check does.
type Fuzz struct {
	Check
	Corpus string `json:"corpus,omitempty"` // a folder of inputs to begin with
	// Replay makes up nothing: the inputs of the corpus come again.
	Replay bool `json:"replay_corpus,omitempty"`

	begin [][]check.MadeInput // what others found worth trying
}

// NewFuzz is the usual request for a file.
func NewFuzz(file string) Fuzz {
	const walks, events = 1 << 40, 20_000 // more walks than anybody waits for
	c := NewCheck(file)
	c.Mode, c.Budget, c.Walks, c.Prefix, c.Preempt = string(check.ModeWalk), time.Minute, walks, 0, 0
	c.Events = new(int)
	*c.Events = events
	return Fuzz{Check: c}
}

// Do looks for inputs.
func (f Fuzz) Do(ctx context.Context, h Host) (*Fuzzed, error) {
	c := f.Check
	x := new(Fuzzed)
	c.feed = func(ctx context.Context, s *subject, opt *check.Options, h Host) error {
		return f.prepare(ctx, x, s, opt, h)
	}
	var replayed *suite
	if f.Replay {
		var err error
		if replayed, err = f.suite(); err != nil {
			return nil, err
		}
		c.explore = func(base check.System, opt check.Options) (*check.Report, error) { return replayed.run(base, opt, h) }
	}
	found, err := c.Do(ctx, h)
	if err != nil {
		return nil, err
	}
	x.Checked = found
	x.Document = &document.Fuzzed{Checked: *found.Document, Inputs: found.Report.Stats.Inputs, Listens: document.List(x.listens), Seeds: x.seeds, Words: x.words}
	if t := found.Document.TimeS; t > 0 {
		x.Document.PerSecond = float64(x.Document.Inputs) / t
	}
	x.cover()
	if replayed != nil {
		x.Document.Replayed, x.Document.Failing = len(replayed.files), replayed.failing
	}
	if f.Out == "" {
		return x, nil
	}
	if !f.Replay {
		if err := keepCorpus(filepath.Join(f.Out, "corpus"), x.subject, found.Report); err != nil {
			return nil, err
		}
	}
	return x, KeepReport(f.Out, x.Document)
}

// Fuzzed is what fuzz found.
type Fuzzed struct {
	*Checked
	Document *document.Fuzzed
	// Covered is what was reached of the code, file by file.
	Covered      []coverage.File
	listens      []string
	seeds, words int
	ran          []map[int]bool // by mote: blocks of an ordinary run
}

// cover works out what was reached: in an ordinary run, and with inputs.
func (x *Fuzzed) cover() {
	blocks := x.subject.reached(x.ran)
	for i, at := range blocks {
		x.Document.Blocks = append(x.Document.Blocks, document.Reached{Mote: x.subject.id(int16(i)), Reached: len(at), Blocks: len(x.subject.system.Blocks(i))})
	}
	x.Covered = coverage.Reached(x.subject.cfg.Motes, blocks)
	x.Document.Unreached = []string{}
	for _, f := range x.Covered {
		for _, fn := range f.Functions {
			if fn.Hits == 0 {
				x.Document.Unreached = append(x.Document.Unreached, fmt.Sprintf("%s (%s:%d)", image.Readable(fn.Name), f.Path, fn.Line))
			}
		}
	}
}

// Exercised is what was reached of the code while walks were guided, file by file.
func (c *Checked) Exercised() []coverage.File {
	return coverage.Reached(c.subject.cfg.Motes, c.subject.reached(make([]map[int]bool, len(c.subject.cfg.Motes))))
}

// reached is the blocks of each mote that ran, before or while walks were guided: the byte addresses of their first instructions.
func (s *subject) reached(ran []map[int]bool) (blocks [][]uint32) {
	for i := range s.cfg.Motes {
		hit := maps.Clone(ran[i])
		if hit == nil {
			hit = map[int]bool{}
		}
		s.system.Reached(i, func(block int) { hit[block] = true })
		at := []uint32{}
		for n, start := range s.system.Blocks(i) {
			if hit[n] {
				at = append(at, 2*start)
			}
		}
		blocks = append(blocks, at)
	}
	return blocks
}

// feed finds out what the firmware listens to and sends, and has inputs made up from that.
func (f *Fuzz) prepare(ctx context.Context, x *Fuzzed, s *subject, opt *check.Options, h Host) error {
	h.doing("listening to an ordinary run")
	defer h.done()
	seeds, ran, err := s.overheard(ctx)
	if err != nil {
		return err
	}
	x.ran = ran
	kept, err := readCorpus(f.Corpus)
	if err != nil {
		return err
	}
	for _, k := range kept {
		seeds = append(seeds, k.seeds()...)
	}
	for _, list := range f.begin {
		for _, in := range list {
			seeds = append(seeds, input.Seed{Kind: in.Kind, Data: in.Data})
		}
	}
	var flash []byte
	for i := range s.cfg.Motes {
		if im := s.cfg.Motes[i].Kind.Image; i == 0 || im != s.cfg.Motes[i-1].Kind.Image {
			flash = append(flash, im.Flash...)
		}
	}
	words := input.LearnDictionary(flash)
	opt.Walk.Inputs = input.NewSource(words, seeds)
	opt.Identity += fmt.Sprintf(" made=%08x", sumOf(seeds))
	opt.Walk.NoLasso = true
	x.seeds, x.words = len(seeds), words.Size()
	x.listens, err = check.Listens(s.base, listenEvents, opt.Seed, func() bool { return ctx.Err() != nil })
	if ctx.Err() != nil {
		return verdict.ErrInterrupted
	}
	if len(x.listens) == 0 && err == nil {
		h.say("the firmware takes no input that can be made up: no receiver, radio or sensor was on within %d events", listenEvents)
	}
	return err
}

// listenEvents is how long to look for what a firmware listens to.
const listenEvents = 2000

func sumOf(seeds []input.Seed) uint32 {
	sum := crc32.NewIEEE()
	for _, s := range seeds {
		sum.Write([]byte{uint8(s.Kind), uint8(len(s.Data))})
		sum.Write(s.Data)
	}
	return sum.Sum32()
}

// How much of an ordinary run is listened to.
const (
	overhearTime = 10 * world.Second
	mostSeeds    = 200
)

// overheard is messages that the motes send in an ordinary run: frames, and what comes on serial lines without a pause. It also gives the numbers of the
// blocks that ran, mote by mote.
func (s *subject) overheard(ctx context.Context) (seeds []input.Seed, ran []map[int]bool, err error) {
	w, err := world.New(s.cfg, world.Natural{})
	if err != nil {
		return nil, nil, err
	}
	blocks := make(map[*mote.Kind][]uint32)
	for i, m := range s.cfg.Motes {
		blocks[m.Kind] = s.system.Blocks(i)
	}
	lines := make(map[[2]int]*overheardLine)
	w.Observe(world.Observer{
		BlocksAt: func(k *mote.Kind) []uint32 { return blocks[k] },
		Frame: func(f world.Frame) {
			if len(seeds) < mostSeeds {
				seeds = append(seeds, input.Seed{Kind: input.Air, Data: contents(f)})
			}
		},
		Serial: func(i int, usart uint8, c periph.SerialChar) {
			l := lines[[2]int{i, int(usart)}]
			if l == nil {
				l = new(overheardLine)
				lines[[2]int{i, int(usart)}] = l
			}
			if whole := l.take(c); whole != nil && len(seeds) < mostSeeds {
				seeds = append(seeds, input.Seed{Kind: input.Serial, Data: whole})
			}
		},
	})
	w.RunUnless(func() bool { return ctx.Err() != nil || len(seeds) >= mostSeeds }, overhearTime)
	if ctx.Err() != nil {
		return nil, nil, verdict.ErrInterrupted
	}
	for i := range s.cfg.Motes {
		ran = append(ran, make(map[int]bool))
		for block := range w.Counts(i).Each {
			ran[i][block] = true
		}
	}
	return seeds, ran, nil
}

// contents is a frame without what its radio puts around it.
func contents(f world.Frame) []byte {
	var b []byte
	for _, c := range f.Bytes {
		b = append(b, c.V())
	}
	return f.Look.Unwrap(b)
}

// overheardLine is a message that is being sent.
type overheardLine struct {
	bytes []byte
	end   uint64
}

// take takes a character, and gives the message before it if that is over: behind a pause, or if it is a line or a frame.
func (l *overheardLine) take(c periph.SerialChar) (whole []byte) {
	const pause = 30 // bits
	if len(l.bytes) > 0 && c.Start > l.end+pause*c.BitTime {
		whole, l.bytes = l.bytes, nil
	}
	l.end = c.Start + c.BitTime*uint64(c.Format.Bits())
	b := c.Data.V()
	l.bytes = append(l.bytes, b)
	flags := len(l.bytes) > 2 && b == 0x7E && l.bytes[0] == 0x7E
	if whole == nil && (b == '\n' || flags || len(l.bytes) == input.Longest) {
		whole, l.bytes = l.bytes, nil
	}
	return whole
}
