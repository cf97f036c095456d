package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/campaign"
	"motehound/job/document"
	"motehound/job/hunt"
	"motehound/show/text"
)

// startParted starts a campaign of a job that is done in parts of its own kind. If these are known from the start, each is done so often.
func (f *driveFlags) startParted(ctx context.Context, s campaign.Strand, name string, request any, often int) error {
	var err error
	if s.Request, err = json.Marshal(request); err != nil {
		return err
	}
	term := newTerminal(f.json, f.quiet, nil)
	err = s.Count(ctx, term.host())
	term.clear()
	if err != nil {
		return err
	}
	s.Items *= often
	return f.start(ctx, s.Job+" "+name, s)
}

func startMineCommand() *cobra.Command {
	f, drive := mineFlags{asked: job.NewMine()}, driveFlags{}
	cmd := &cobra.Command{Use: "mine [flags] FIRMWARE|SCENARIO...", Short: "Rank the intervals of many runs, made on many machines",
		Long: `Does what 'motehound mine' does, in items: each is a run, of a seed (--runs) or of a value (--sweep). The last item ranks the intervals of all of
them: the ranking is that of 'motehound mine' with the same flags. Exit status: 1 something stands out, 0 nothing does.`,
		Args: atLeastOne("firmware file", "example:sense")}
	f.register(cmd.Flags())
	f.mining(cmd.Flags())
	drive.register(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r := f.asked
		r.World, r.Files = f.request(), args
		return drive.startParted(cmd.Context(), campaign.Strand{Job: "mine"}, args[0], r, 1)
	}
	return cmd
}

func startSymbolicCommand() *cobra.Command {
	f, drive := symbolicFlags{asked: job.NewSymbolic("")}, driveFlags{}
	pieces := uint64(100_000_000)
	cmd := &cobra.Command{Use: "symbolic [flags] SCENARIO|FIRMWARE", Short: "Look for inputs and failures that lead into a bad state, on many machines",
		Long: `Does what 'motehound symbolic' does, in items: pieces of the outcomes. A piece that takes more than --item-events instructions is cut into
smaller ones, by what inputs and failures have told apart until then. Exit status: 1 something is violated, 0 nothing is.`,
		Args: exactlyOne("scenario or firmware file", "port.star")}
	f.register(cmd.Flags(), "loss", "drift", "stagger")
	f.exploring(cmd.Flags())
	drive.register(cmd.Flags())
	cmd.Flags().Uint64Var(&pieces, "item-events", pieces, about("item-events"))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r := f.requested(args[0])
		r.Budget = 0
		return drive.startParted(cmd.Context(), campaign.Strand{Job: "symbolic", Events: pieces}, args[0], r, 1)
	}
	return cmd
}

func startHuntCommand() *cobra.Command {
	f, drive := huntFlags{asked: hunt.New("")}, driveFlags{}
	events, seeds := uint64(300_000), 1
	cmd := &cobra.Command{Use: "hunt [flags] FIRMWARE|SCENARIO", Short: "Look for everything that can be found, on many machines",
		Long: `Does what 'motehound hunt' does, in items: each is a trial of one engine on one network, with --item-events events. With --seeds, each trial is made
so often, with other seeds. The last item replays what was found, and reports each cause once. Findings of earlier hunts play no part.
Exit status: 1 a violation or a race was found, 0 none was.`,
		Args: exactlyOne("firmware file or scenario", "example:ring")}
	f.trying(cmd.Flags())
	drive.register(cmd.Flags())
	cmd.Flags().Uint64Var(&events, "item-events", events, about("item-events"))
	cmd.Flags().IntVar(&seeds, "seeds", seeds, "how often each trial is made, with other seeds")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if seeds < 1 || events < 1 {
			return fmt.Errorf("--seeds %d --item-events %d: give at least 1", seeds, events)
		}
		r := f.asked
		r.World, r.File, r.Version = f.request(), args[0], version()
		r.Budget, r.Threads, r.Store = 0, 1, ""
		return drive.startParted(cmd.Context(), campaign.Strand{Job: "hunt", Events: events}, args[0], r, seeds)
	}
	return cmd
}

// readParted reads the document of a job that was done in parts; nil if it is of another one.
func readParted(s *document.CampaignStrand) any {
	docs := map[string]func() any{
		"mine":     func() any { return new(document.Rankings) },
		"symbolic": func() any { return new(document.Symbolic) },
		"hunt":     func() any { return new(document.Hunted) },
	}
	if docs[s.Job] == nil {
		return nil
	}
	d := docs[s.Job]()
	if json.Unmarshal(s.Document, d) != nil {
		return nil
	}
	return d
}

// printParted prints the document of a job that was done in parts.
func printParted(to io.Writer, l *campaign.Ledger, n int, s *document.CampaignStrand) {
	if !l.Parted(n) {
		return
	}
	switch d := readParted(s).(type) {
	case *document.Rankings:
		printRankings(to, d.Rankings)
	case *document.Symbolic:
		asked := job.NewSymbolic("")
		_ = json.Unmarshal(l.Request(n), &asked) // it was read before
		text.Symbolic(to, &asked, d)
	case *document.Hunted:
		text.Hunt(to, d, false, "")
	}
}

// keepParted writes the bundles of a strand that was done in parts, and names them in its document.
func (f *driveFlags) keepParted(s *document.CampaignStrand, bundles *[][]byte, n *int) error {
	next := func(name *string) error {
		data := (*bundles)[0]
		*bundles = (*bundles)[1:]
		if data == nil {
			return nil
		}
		*n++
		*name = filepath.Join(f.out, fmt.Sprintf("finding-%d.zip", *n))
		return os.WriteFile(*name, data, 0o666)
	}
	if len(*bundles) == 0 {
		return nil
	}
	d := readParted(s)
	switch d := d.(type) {
	case *document.Symbolic:
		for _, x := range d.Findings {
			if err := next(&x.Bundle); err != nil {
				return err
			}
		}
	case *document.Hunted:
		for _, x := range d.Findings {
			if err := next(&x.Replay); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	var err error
	s.Document, err = json.Marshal(d)
	return err
}
