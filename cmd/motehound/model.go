package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
	"motehound/job/phrase"
	"motehound/show/live"
	"motehound/study/behavior"
	"motehound/study/builds"
	"motehound/study/calltree"
	"motehound/world"
	"motehound/world/recipe"
)

func modelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "See how the code really runs, approve it, and hold later runs to that",
		Long: `Turns a run into behaviour models (T-Morph): what each event procedure calls, layer by layer; in which order procedures
of an interrupt follow each other, as job flows; and what interleaves those flows. A person looks at them and keeps them in a
file beside the firmware. Later runs are verified against it: new procedures, new flows and new interleavings are reported.`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(modelMineCommand(), modelShowCommand(), modelVerifyCommand(), modelApproveCommand(), modelDiffCommand())
	return cmd
}

// modelFlags are those of the subcommands that run a firmware.
type modelFlags struct {
	worldFlags
	field   fieldFlags
	nodeIDs []string
	models  string
	json    bool
	quiet   bool
}

func (f *modelFlags) register(fl *pflag.FlagSet) {
	fl.SortFlags = false
	f.worldFlags.register(fl, "pcap")
	f.field.register(fl)
	fl.StringSliceVar(&f.nodeIDs, "node", []string{"all"}, about("node"))
	fl.StringVar(&f.models, "models", "", about("models"))
}

func (f *modelFlags) registerOutput(fl *pflag.FlagSet) {
	fl.BoolVar(&f.json, "json", false, about("json"))
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
}

// builds are those of the motes of --node.
func (f *modelFlags) builds(w *world.World) ([]*builds.Build, error) {
	motes, err := f.motes(w)
	if err != nil {
		return nil, err
	}
	return builds.Of(w).Among(motes), nil
}

// motes are the indices of --node; nil for all.
func (f *modelFlags) motes(w *world.World) ([]int, error) { return job.ChosenMotes(w, f.nodeIDs) }

// listener hears of a run: behavior's Miner and Verifier.
type listener interface {
	Take(behavior.Instance) // in order of start
	Touch(behavior.Touch)
	Data() bool // Touch matters
	NoData()    // there is no variable of which it could hear
}

// observe makes the run of a recipe and tells of the motes of a build.
func (f *modelFlags) observe(ctx context.Context, rec *recipe.Recipe, w *world.World, of *builds.Build, book *behavior.Book, filter behavior.Filter,
	term *terminal, to listener) error {
	if f.field.trace != "" {
		log := f.field.request()
		return log.Instances(rec, w, of.Motes, book, term.host(), to.Take)
	}
	opt := calltree.Options{Motes: of.Motes, Filter: filter, ByStart: true}
	if to.Data() {
		opt.Touched = to.Touch
	}
	h, err := calltree.Watch(w, book, opt, to.Take)
	if err != nil {
		return err
	}
	if to.Data() && !h.Data() {
		to.NoData()
	}
	for _, n := range h.Notes() {
		term.note("%s", n)
	}
	session := &live.Session{World: w, Progress: term.progress(time.Now(), rec.Until)}
	if err := session.Run(ctx, rec.Until); err != nil {
		return err
	}
	h.Close()
	term.clear()
	for _, line := range doubts(h.Stats()) {
		term.note("%s", line)
	}
	return nil
}

// doubts says what the trees may lack.
func doubts(s calltree.Stats) []string {
	var list []string
	add := func(n uint64, text string) {
		if n > 0 {
			list = append(list, fmt.Sprintf("%s %s", phrase.Grouped(n), text))
		}
	}
	add(s.Deep, "calls were nested too deep to be followed")
	add(s.Cut, "instances called too much to be followed to the end: their trees end with an ellipsis")
	add(s.Stray, "times code ran that nobody was seen to call: trees may lack functions")
	add(s.Unsure, "instances were open for so long that not all is known that interleaved them")
	return list
}

// depthFlags read --depth and --drop; usual is the depth where none is given.
func depthFlags(usual behavior.Depth, depths, drops []string, vector func(string) (uint8, error)) (behavior.Plan, error) {
	p := behavior.Plan{Depth: usual, Depths: map[uint16]behavior.Depth{}}
	for _, text := range depths {
		name, value, one := strings.Cut(text, "=")
		if !one {
			name, value = "", text
		}
		d, err := behavior.ParseDepth(value)
		if err != nil {
			return p, fmt.Errorf("--depth: %w; or of one interrupt, as SPI_STC=4", err)
		}
		if !one {
			p.Depth = d
			continue
		}
		v, err := vector(name)
		if err != nil {
			return p, &job.NoVectorError{Flag: "depth", Err: err}
		}
		p.Depths[uint16(v)] = d
	}
	for _, text := range drops {
		name, depth, given := strings.Cut(text, "@")
		d := behavior.Drop{Model: name}
		v, err := behavior.VectorOf(name)
		if err != nil {
			return p, fmt.Errorf("--drop: %w, or with the depth at which it has that name, as B18@2", err)
		}
		if d.Depth = p.Of(v); given {
			if d.Depth, err = behavior.ParseDepth(depth); err != nil {
				return p, fmt.Errorf("--drop %s: %w", text, err)
			}
		}
		p.Drops = append(p.Drops, d)
	}
	if err := p.Check(); err != nil {
		return p, fmt.Errorf("--drop: %w", err)
	}
	return p, nil
}
