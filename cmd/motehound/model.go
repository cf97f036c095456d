package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/observe/calltree"
	"motehound/show/live"
	"motehound/study/behavior"
	"motehound/study/builds"
	"motehound/world"
	"motehound/world/recipe"
)

func modelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Show how the firmware behaves, approve it, and check later runs against it",
		Long: `Shows how the firmware really behaves, and checks later runs against that (T-Morph). A run becomes behaviour models: what each event
procedure calls, layer by layer; in which order the procedures of an interrupt follow each other (job flows); and what interleaves
those flows. You approve the models by keeping them in a file beside the firmware. Later runs are verified against the file: new
procedures, new flows and new interleavings are reported.`,
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
func (f *modelFlags) motes(w *world.World) ([]int, error) { return chosenMotes(w, f.nodeIDs) }

// listener hears of a run: behavior's Miner and Verifier.
type listener interface {
	Take(calltree.Instance) // in order of start
	Touch(calltree.Touch)
	Data() bool // Touch matters
	NoData()    // there is no variable of which it could hear
}

// observe makes the run of a recipe and tells of the motes of a build.
func (f *modelFlags) observe(ctx context.Context, rec *recipe.Recipe, w *world.World, of *builds.Build, book *calltree.Book, filter calltree.Filter,
	term *terminal, to listener) error {
	if f.field.trace != "" {
		return f.field.instances(rec, w, of.Motes, book, term, to.Take)
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
			list = append(list, fmt.Sprintf("%s %s", grouped(n), text))
		}
	}
	add(s.Deep, "calls were nested too deeply to be followed")
	add(s.Cut, "instances made too many calls: their trees are cut off with an ellipsis")
	add(s.Stray, "times code ran although no call of it was seen: trees may lack functions")
	add(s.Unsure, "instances were open for so long that some of their interleavings are not known")
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
			return p, fmt.Errorf("--depth: %w; or for one interrupt, such as SPI_STC=4", err)
		}
		if !one {
			p.Depth = d
			continue
		}
		v, err := vector(name)
		if err != nil {
			return p, &noVectorError{"depth", err}
		}
		p.Depths[uint16(v)] = d
	}
	for _, text := range drops {
		name, depth, given := strings.Cut(text, "@")
		d := behavior.Drop{Model: name}
		v, err := behavior.VectorOf(name)
		if err != nil {
			return p, fmt.Errorf("--drop: %w, or a name with its depth, such as B18@2", err)
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

// What model takes from call trees.
type (
	callBook     = calltree.Book
	callInstance = calltree.Instance
	callTouch    = calltree.Touch
	callFilter   = calltree.Filter
)

func newCallBook() *callBook { return calltree.NewBook() }
