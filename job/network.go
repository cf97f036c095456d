package job

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"motehound/firmware/disk"
	"motehound/job/phrase"
	"motehound/world/medium"
	"motehound/world/recipe"
)

// Network is who hears whom.
type Network struct {
	Topology string        `json:"topology"` // a name, none, or a file of TOSSIM gains
	Loss     float64       `json:"loss"`     // the probability that a frame is lost on a link
	Gain     float64       `json:"gain"`     // of every link, in dB
	Stagger  time.Duration `json:"stagger_ns"`
}

// Topologies are the names that a Network knows.
func Topologies() []string { return append(strings.Split(medium.Topologies, ", "), "none") }

// apply puts the network into a recipe.
func (f *Network) apply(r *recipe.Recipe) error {
	const longest = time.Hour
	if f.Stagger < 0 || f.Stagger > longest {
		return fmt.Errorf("--stagger %v: give a time up to %v", f.Stagger, longest)
	}
	if err := f.Check(); err != nil {
		return err
	}
	n := len(r.Motes)
	if n > 1 {
		r.Stagger = uint32(f.Stagger.Microseconds())
	}
	if f.Topology == "none" {
		return nil
	}
	links, err := f.links(n, int(r.Motes[0].ID), r.Seed)
	if err != nil {
		return fmt.Errorf("--topology: %w", err)
	}
	if _, err := medium.New(n, links); err != nil {
		return fmt.Errorf("--topology %s: %w", f.Topology, err)
	}
	r.SetLinks(links)
	return nil
}

// Check refuses numbers that no link has, whether or not there is a link.
func (f *Network) Check() error {
	switch {
	case !(f.Loss >= 0 && f.Loss <= 1):
		return fmt.Errorf("--loss %g: a probability is between 0 and 1", f.Loss)
	case !(f.Gain >= medium.MinGain && f.Gain <= 0):
		return fmt.Errorf("--gain %g: give a value from %d to 0 dB", f.Gain, medium.MinGain)
	}
	return nil
}

// links are those that --topology names: by a word, or in a file.
func (f *Network) links(n, firstID int, seed uint64) ([]medium.Link, error) {
	links, unknown := medium.Named(f.Topology, n, f.Gain, f.Loss, seed)
	if unknown == nil {
		return links, nil
	}
	text, err := disk.Read(f.Topology, 32<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w%s", unknown, phrase.DidYouMean(f.Topology, Topologies()))
	}
	if err != nil {
		return nil, err
	}
	links, err = medium.ReadGains(f.Topology, bytes.NewReader(text), func(id int) (int, bool) {
		i := id - firstID
		return i, i >= 0 && i < n
	})
	for i := range links {
		links[i].Loss = f.Loss
	}
	return links, err
}
