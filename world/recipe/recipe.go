// Package recipe holds the record from which a run is repeated, bit for bit: firmware by hash, boards, seed, what came in from outside
// and when, answers to choices, the length, and the hash of the state in which it must end.
//
// A recipe is a small JSON file. Times are whole picoseconds. Version 1 is described in docs/recipes.md.
package recipe

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"motehound/firmware/disk"
	"motehound/firmware/image"
	"motehound/firmware/jsonfile"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/world"
)

// Version is the newest version of the format, and the one that is written.
const Version = 1

// Recipe is a run.
type Recipe struct {
	Version int      `json:"motehound_recipe"`
	Motes   []Mote   `json:"motes"`
	Seed    uint64   `json:"seed"`
	Until   uint64   `json:"until_ps"`
	Drift   uint32   `json:"drift_ppm,omitempty"`
	Stagger uint32   `json:"stagger_us,omitempty"`
	Serial  []Serial `json:"serial,omitempty"`
	Sensors []Sensor `json:"sensors,omitempty"`
	Resets  []Reset  `json:"resets,omitempty"`
	Events  []Event  `json:"events,omitempty"`
	Faults  []Fault  `json:"faults,omitempty"`
	Links   []Link   `json:"links,omitempty"`
	Cuts    []Cut    `json:"cuts,omitempty"`
	Wires   []Wire   `json:"wires,omitempty"`
	Answers []Answer `json:"answers,omitempty"`
	Edits   []Edit   `json:"edits,omitempty"`
	Pokes   []Poke   `json:"pokes,omitempty"`
	Holds   []Hold   `json:"holds,omitempty"`
	// Ordinary gives choices that are not among the answers their first allowed answer, whatever the seed.
	Ordinary bool   `json:"ordinary,omitempty"`
	Hash     string `json:"hash,omitempty"`

	Explored *Explored `json:"explored,omitempty"` // nil for a timed run
	Symbolic *Symbolic `json:"symbolic,omitempty"` // what is wrong in it, if symbolic has found it

	// Scenario is the files that the run was described in. To make the run again takes none of them; to look at a property of the
	// first one takes all.
	Scenario []Source `json:"scenario,omitempty"`
	Params   []Param  `json:"params,omitempty"` // values of the scenario's parameters, instead of its defaults
	Checks   *Checks  `json:"checks,omitempty"` // what a finding was looked for with, besides the usual

	dir    string // where the file was, for firmware with relative names
	bundle fs.FS  // what holds its files; nil if they are on their own
}

// Checks is what was checked besides what always is.
type Checks struct {
	Unwritten   bool     `json:"unwritten,omitempty"`    // reads of SRAM that nothing wrote
	FailedPosts bool     `json:"failed_posts,omitempty"` // posts that are refused because the task waits already
	Failures    []string `json:"failures,omitempty"`     // calls of these functions
	Benign      []string `json:"benign,omitempty"`       // races of these variables are not reported
	Kernels     []Kernel `json:"kernels,omitempty"`      // describe kernels that are not among the known ones
}

// Kernel is a file that describes a kernel: that of a mote's firmware, or of every firmware in which it is found.
type Kernel struct {
	Source
	Mote *int `json:"mote,omitempty"` // the mote's id; nil for everyone
}

// Mote is one mote of a recipe. Board names a board; or Chip and Hertz describe a bare one.
type Mote struct {
	Firmware  string   `json:"firmware"`
	SHA256    string   `json:"sha256"`
	Board     string   `json:"board,omitempty"`
	Chip      string   `json:"chip,omitempty"`
	Hertz     uint64   `json:"hertz,omitempty"`
	Fuses     string   `json:"fuses,omitempty"` // low, high, extended, in hexadecimal; the board's if empty
	ID        uint16   `json:"id"`
	IDSymbols []string `json:"id_symbols,omitempty"`

	Boot      uint64     `json:"boot_ps,omitempty"`
	BootUntil uint64     `json:"boot_until_ps,omitempty"` // if later, it is switched on at a choice in between
	Drift     int32      `json:"drift_ppm,omitempty"`
	Vars      []Variable `json:"vars,omitempty"` // set when main is reached
	Pins      []Pin      `json:"pins,omitempty"` // driven from the start
	Devices   []Device   `json:"devices,omitempty"`
}

// Serial is bytes from outside.
type Serial struct {
	Mote  int    `json:"mote"`
	USART uint8  `json:"usart"`
	At    uint64 `json:"at_ps"`
	Baud  uint32 `json:"baud,omitempty"` // the sender's rate; 0 for the mote's own
	Hex   string `json:"hex"`
}

// SerialOf is input of a world.
func SerialOf(s world.Serial) Serial {
	return Serial{Mote: s.Mote, USART: s.USART, At: s.At, Baud: s.Baud, Hex: hex.EncodeToString(s.Bytes)}
}

// Answer is a choice that is not left to the seed.
type Answer struct {
	Kind   string `json:"kind"`
	Mote   int    `json:"mote"`
	Number uint32 `json:"number"`
	Answer uint32 `json:"answer"`
}

// Opener reads a firmware file by the name in a recipe.
type Opener func(name string) ([]byte, error)

// Read reads a recipe file, or a bundle.
func Read(path string) (*Recipe, error) {
	const limit = 64 << 20
	data, err := disk.Read(path, limit)
	if err != nil {
		return nil, fmt.Errorf("recipe: %w", err)
	}
	if isBundle(data) {
		r, err := parseBundle(data)
		if err != nil {
			return nil, jsonfile.Named(path, err)
		}
		return r, nil
	}
	r, err := Parse(data)
	if err != nil {
		return nil, jsonfile.Named(path, err)
	}
	r.dir = filepath.Dir(path)
	return r, nil
}

// Bundled is the files of the bundle that the recipe was read from; nil if it was a file of its own.
func (r *Recipe) Bundled() fs.FS { return r.bundle }

// Beside is where a file is that the recipe names: seen from where the recipe is, or as it is.
func (r *Recipe) Beside(name string) string {
	if r.dir == "" || filepath.IsAbs(name) {
		return name
	}
	beside := filepath.Join(r.dir, name)
	if _, err := os.Stat(beside); err != nil {
		if _, err := os.Stat(name); err == nil {
			return name
		}
	}
	return beside
}

// Parse reads a recipe.
func Parse(data []byte) (*Recipe, error) {
	r := new(Recipe)
	if err := jsonfile.Decode("not a recipe", data, r); err != nil {
		return nil, err
	}
	switch {
	case r.Version == 0:
		return nil, fmt.Errorf(`not a recipe: the field "motehound_recipe" is missing`)
	case r.Version > Version:
		return nil, fmt.Errorf("recipe version %d, but this Motehound knows versions up to %d: use a newer one", r.Version, Version)
	case len(r.Motes) == 0:
		return nil, fmt.Errorf("recipe without motes")
	case len(r.Motes) > world.MaxMotes:
		return nil, fmt.Errorf("recipe with %d motes: at most %d can run", len(r.Motes), world.MaxMotes)
	}
	return r, nil
}

// Write writes the recipe as a file.
func (r *Recipe) Write(path string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return disk.Write(path, append(data, '\n'), 0o666)
}

// World makes the recipe's world, at time 0. Firmware that is not what the recipe says is an error, unless the recipe
// has no hash for it yet: then it gets one.
func (r *Recipe) World(open Opener) (*world.World, error) {
	cfg, err := r.Config(open)
	if err != nil {
		return nil, err
	}
	w, err := r.worldOf(cfg)
	if err == nil {
		_, err = r.poke(w)
	}
	return w, err
}

// worldOf makes a world with the recipe's answers.
func (r *Recipe) worldOf(cfg *world.Config) (*world.World, error) {
	choose, err := r.Chooser()
	if err != nil {
		return nil, err
	}
	return world.New(cfg, choose)
}

// Config is what the recipe's world is made of: see World.
func (r *Recipe) Config(open Opener) (*world.Config, error) {
	cfg := &world.Config{Drift: r.Drift, Stagger: r.Stagger, Sensors: slices.Clone(r.Sensors), Resets: slices.Clone(r.Resets), Holds: slices.Clone(r.Holds)}
	var loaded []kind
	for i := range r.Motes {
		k, err := r.kind(&r.Motes[i], open, &loaded)
		if err != nil {
			return nil, err
		}
		cfg.Motes = append(cfg.Motes, r.Motes[i].config(k))
	}
	for _, s := range r.Serial {
		b, err := hex.DecodeString(s.Hex)
		if err != nil {
			return nil, fmt.Errorf("serial input %q: %w", s.Hex, err)
		}
		cfg.Serial = append(cfg.Serial, world.Serial{Mote: s.Mote, USART: s.USART, At: s.At, Baud: s.Baud, Bytes: b})
	}
	for _, e := range r.Edits {
		cfg.Edits = append(cfg.Edits, e.world())
	}
	var err error
	if cfg.Net, err = r.net(); err != nil {
		return nil, err
	}
	if cfg.Events, err = r.events(); err != nil {
		return nil, err
	}
	cfg.Faults, err = r.faults()
	return cfg, err
}

// kind is a firmware on a board that motes of the recipe share.
type kind struct {
	of   Mote // without its ID
	kind *mote.Kind
}

func (r *Recipe) kind(m *Mote, open Opener, loaded *[]kind) (*mote.Kind, error) {
	for _, k := range *loaded {
		if k.of.Firmware == m.Firmware && k.of.Board == m.Board && k.of.Chip == m.Chip && k.of.Hertz == m.Hertz &&
			k.of.Fuses == m.Fuses && slices.Equal(k.of.IDSymbols, m.IDSymbols) && slices.Equal(k.of.Pins, m.Pins) &&
			slices.Equal(k.of.Devices, m.Devices) {
			return k.kind, m.is(k.of.SHA256)
		}
	}
	data, err := r.Open(m.Firmware, open)
	if err != nil {
		return nil, fmt.Errorf("firmware: %w", err)
	}
	im, err := image.Parse(m.Firmware, data)
	if err != nil {
		return nil, err
	}
	if err := m.is(hex.EncodeToString(im.Hash[:])); err != nil {
		return nil, err
	}
	b, err := m.board()
	if err != nil {
		return nil, err
	}
	k, err := mote.NewKind(b, im, m.IDSymbols)
	if err != nil {
		return nil, err
	}
	*loaded = append(*loaded, kind{*m, k})
	return k, nil
}

// is refuses another firmware than the recipe was made with, or notes which it is.
func (m *Mote) is(sum string) error {
	if m.SHA256 != "" && m.SHA256 != sum {
		return fmt.Errorf("%s has SHA-256 %s, but the recipe was made with %s for mote %d: find that build", m.Firmware, sum, m.SHA256, m.ID)
	}
	m.SHA256 = sum
	return nil
}

// Open reads a file that the recipe names: from its bundle, relative to the recipe, or as named.
func (r *Recipe) Open(name string, open Opener) ([]byte, error) {
	if r.bundle != nil {
		return fs.ReadFile(r.bundle, name)
	}
	if r.dir != "" && !filepath.IsAbs(name) {
		if d, err := open(filepath.Join(r.dir, name)); err == nil {
			return d, nil
		}
	}
	return open(name)
}

// board is the mote's board, with the mote's fuses, and with what is connected to its pins.
func (m *Mote) board() (*board.Board, error) {
	b, err := m.PlainBoard()
	if err != nil || m.Fuses == "" && len(m.Pins) == 0 && len(m.Devices) == 0 {
		return b, err
	}
	fused := *b
	fused.Pulls = slices.Clip(fused.Pulls)
	for _, x := range m.Pins {
		p, err := x.pull()
		if err != nil {
			return nil, err
		}
		fused.Pulls = append(fused.Pulls, p)
	}
	if len(m.Devices) > board.MaxDevices {
		return nil, fmt.Errorf("mote %d has %d devices: at most %d", m.ID, len(m.Devices), board.MaxDevices)
	}
	for _, x := range m.Devices {
		d, err := x.device()
		if err != nil {
			return nil, err
		}
		fused.Devices = append(fused.Devices, d)
	}
	if m.Fuses == "" {
		return &fused, nil
	}
	if n, err := hex.Decode(fused.Fuses[:], []byte(m.Fuses[:min(len(m.Fuses), 6)])); err != nil || n != 3 || len(m.Fuses) != 6 {
		return nil, fmt.Errorf("fuses %q: give the low, high and extended fuse byte in six hexadecimal digits, such as ffdefd", m.Fuses)
	}
	return &fused, nil
}

// PlainBoard is the board as its maker sells it, without what the recipe adds.
func (m *Mote) PlainBoard() (*board.Board, error) {
	if m.Board != "" {
		return board.Find(m.Board)
	}
	c, err := chip.Find(m.Chip)
	if err != nil {
		return nil, err
	}
	if m.Hertz < 1000 || m.Hertz > 100_000_000 {
		return nil, fmt.Errorf("a clock of %d Hz is not possible: give 1000 to 100000000", m.Hertz)
	}
	return board.Bare(c, m.Hertz), nil
}

// Chooser is what answers the questions of the recipe's run: its answers, and for the others its seed.
func (r *Recipe) Chooser() (world.Chooser, error) {
	var other world.Chooser = world.Natural{Seed: r.Seed}
	if r.Ordinary {
		other = world.Ordinary{}
	}
	if len(r.Answers) == 0 {
		return other, nil
	}
	fixed := world.Fixed{Else: other}
	for _, a := range r.Answers {
		k, err := world.FindChoiceKind(a.Kind)
		if err != nil {
			return nil, err
		}
		fixed.Answers = append(fixed.Answers, world.Answer{Kind: k, Mote: a.Mote, Number: a.Number, Answer: a.Answer})
	}
	return fixed, nil
}

// Finish records how a run of the recipe went: what came in on the way, how far it got, and its final hash.
func (r *Recipe) Finish(w *world.World) {
	r.Version = Version
	r.Until = w.Now()
	r.Serial = nil
	for _, s := range w.Config().Serial {
		r.Serial = append(r.Serial, SerialOf(s))
	}
	r.Resets = slices.Clone(w.Config().Resets)
	r.Hash = w.Hash().String()
}
