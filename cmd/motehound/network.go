package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/pflag"

	"motehound/firmware/disk"
	"motehound/show/export"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/recipe"
)

// networkFlags say who hears whom.
type networkFlags struct {
	topology string
	loss     float64
	gain     float64
	stagger  time.Duration
	pcap     string
}

func (f *networkFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.topology, "topology", "full", "who hears whom: "+medium.Topologies+", none, or a `file` of TOSSIM gains")
	fl.Float64Var(&f.loss, "loss", 0, "the `probability` that a frame is lost on a link")
	fl.Float64Var(&f.gain, "gain", medium.DefaultGain, "gain of every link, in `dB`")
	fl.DurationVar(&f.stagger, "stagger", 100*time.Millisecond, "boot several motes at random times within this span")
	fl.StringVar(&f.pcap, "pcap", "", "write all radio frames to this `file`, as pcapng for Wireshark")
}

// apply puts the network into a recipe.
func (f *networkFlags) apply(r *recipe.Recipe) error {
	const longest = time.Hour
	if f.stagger < 0 || f.stagger > longest {
		return fmt.Errorf("--stagger %v: give a time up to %v", f.stagger, longest)
	}
	if err := f.check(); err != nil {
		return err
	}
	n := len(r.Motes)
	if n > 1 {
		r.Stagger = uint32(f.stagger.Microseconds())
	}
	if f.topology == "none" {
		return nil
	}
	links, err := f.links(n, int(r.Motes[0].ID), r.Seed)
	if err != nil {
		return fmt.Errorf("--topology: %w", err)
	}
	if _, err := medium.New(n, links); err != nil {
		return fmt.Errorf("--topology %s: %w", f.topology, err)
	}
	r.SetLinks(links)
	return nil
}

// check refuses numbers that no link has, whether or not there is a link.
func (f *networkFlags) check() error {
	switch {
	case !(f.loss >= 0 && f.loss <= 1):
		return fmt.Errorf("--loss %g: a probability is between 0 and 1", f.loss)
	case !(f.gain >= medium.MinGain && f.gain <= 0):
		return fmt.Errorf("--gain %g: give a value from %d to 0 dB", f.gain, medium.MinGain)
	}
	return nil
}

// links are those that --topology names: by a word, or in a file.
func (f *networkFlags) links(n, firstID int, seed uint64) ([]medium.Link, error) {
	links, unknown := medium.Named(f.topology, n, f.gain, f.loss, seed)
	if unknown == nil {
		return links, nil
	}
	text, err := disk.Read(f.topology, 32<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w%s", unknown, didYouMean(f.topology, topologies(nil)))
	}
	if err != nil {
		return nil, err
	}
	links, err = medium.ReadGains(f.topology, bytes.NewReader(text), func(id int) (int, bool) {
		i := id - firstID
		return i, i >= 0 && i < n
	})
	for i := range links {
		links[i].Loss = f.loss
	}
	return links, err
}

// capture writes the air into the file of --pcap; done finishes it.
func (f *networkFlags) capture(w *world.World) (done func() error, err error) {
	if f.pcap == "" {
		return func() error { return nil }, nil
	}
	file, err := disk.Create(f.pcap, 0o666)
	if err != nil {
		return nil, fmt.Errorf("--pcap: %w", err)
	}
	name := func(i int) string { return fmt.Sprintf("mote %d", w.Motes()[i].ID()) }
	p, err := export.NewPcapng(file, export.PcapngOptions{MoteName: name})
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("--pcap: %w", err)
	}
	w.Observe(world.Observer{Frame: func(fr world.Frame) {
		_ = p.Frame(fr) // the first error is kept, and comes with Close
	}})
	return func() error {
		if err := p.Close(); err != nil {
			file.Close()
			return fmt.Errorf("--pcap: %w", err)
		}
		if err := file.Commit(); err != nil {
			return fmt.Errorf("--pcap: %w", err)
		}
		return nil
	}, nil
}
