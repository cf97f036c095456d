package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"motehound/study/symbolic/solver"
)

// Saved is an exploration that was stopped, as plain data. It goes on by being made again from its beginning up to there, with the
// solver's answers from a tape: everything else depends on the Config alone. States and expressions would be megabytes of the emulator's
// inner things, which change with every version; the answers are what costs time.
type Saved struct {
	Version int          `json:"version"`
	Config  string       `json:"config"`  // a digest of what the exploration depends on
	Windows int          `json:"windows"` // how far it came
	Tape    *solver.Tape `json:"tape"`
}

// savedVersion changes whenever the same Config is explored in another way.
const savedVersion = 1

// Save writes an exploration that was stopped (Config.Stop). Its solver must have a tape.
func (e *Engine) Save(w io.Writer) error {
	t := e.solver.Tape()
	if t == nil {
		return errors.New("the exploration cannot be saved: its solver was made without a tape")
	}
	return json.NewEncoder(w).Encode(Saved{Version: savedVersion, Config: e.cfg.digest(), Windows: e.stats.Windows, Tape: t})
}

// Load reads a saved exploration. It goes on in an engine whose Config is the same except for Resume, which has it, and whose new solver has its
// tape.
func Load(r io.Reader) (*Saved, error) {
	var s Saved
	if err := json.NewDecoder(r).Decode(&s); err != nil {
		return nil, fmt.Errorf("this is not a saved exploration: %w", err)
	}
	switch {
	case s.Version != savedVersion:
		return nil, fmt.Errorf("the exploration was saved by another version of Motehound (%d, this one writes %d): start again", s.Version, savedVersion)
	case s.Tape == nil || s.Windows < 0:
		return nil, errors.New("the saved exploration is damaged: start again")
	}
	if err := s.Tape.Check(); err != nil {
		return nil, fmt.Errorf("saved exploration: %w: start again", err)
	}
	s.Tape.Rewind()
	return &s, nil
}

// digest tells Configs apart, as far as they are data: what a check says is not.
func (c *Config) digest() string {
	h := sha256.New()
	for _, m := range c.World.Motes {
		fmt.Fprintln(h, m.Kind.Board.Name, m.Kind.Image.Hash, m.ID, m.BootFrom, m.Drift, m.Vars)
	}
	fmt.Fprintln(h, c.World.Serial, c.World.Sensors, c.World.Faults)
	if len(c.World.Events) > 0 {
		fmt.Fprintln(h, c.World.Events)
	}
	if n := c.World.Net; n != nil {
		fmt.Fprintln(h, n.Links(), n.Cuts, n.Wires)
	}
	fmt.Fprintln(h, c.Until, c.Vars, c.Serial, c.Readings, c.Frames, c.Reorder, c.Mapping.Name, c.Searcher, c.Seed, c.Together, c.MaxStates, c.MaxPaths, c.MaxBytes)
	for _, x := range c.Checks {
		fmt.Fprintln(h, x.Name, x.At, x.Place, x.Mote, x.Always, x.Part)
	}
	k := c.Core
	fmt.Fprintln(h, k.Values, k.Table, k.Select, k.Merge, k.Aboard)
	return hex.EncodeToString(h.Sum(nil))
}

// resume looks whether what is to be resumed is of this Config.
func (e *Engine) resume() error {
	s := e.cfg.Resume
	switch {
	case s == nil:
		return nil
	case e.solver.Tape() != s.Tape:
		return errors.New("an exploration is to be resumed without its tape: make the solver with it")
	case s.Config != e.cfg.digest():
		return errors.New("the saved exploration belongs to another scenario, firmware or setting: resume it with the same ones, or start again")
	}
	return nil
}

// resumed is the window up to which an exploration is only made again.
func (e *Engine) resumed() int {
	if e.cfg.Resume == nil {
		return 0
	}
	return e.cfg.Resume.Windows
}
