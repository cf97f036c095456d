package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
	"motehound/job/campaign"
	"motehound/job/campaign/bus"
	"motehound/job/document"
	"motehound/job/findings"
	"motehound/show/text"
)

func campaignCommand() *cobra.Command {
	return family(&cobra.Command{
		Use:   "campaign",
		Short: "Do a hunt, a check or another job on many machines",
		Long: `A campaign splits a job into items, which 'motehound worker' processes do, on this machine and on others. The result is the same whatever
the number of workers, their order and their deaths. A server inside of 'campaign start' keeps everything in .motehound/campaigns; with
--nats a NATS server of your own does. docs/scale.md says more.`,
	}, campaignStartCommand(), campaignStatusCommand(), campaignWatchCommand(), campaignStopCommand(), campaignResultCommand())
}

// busFlags say where campaigns are.
type busFlags struct {
	access bus.Access
	store  string
	listen string
	// lasting says that the command stays: others may rely on its server.
	lasting bool
}

func (f *busFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.access.URL, "nats", "", about("nats"))
	fl.StringVar(&f.access.Credentials, "nats-creds", "", about("nats-creds"))
	fl.StringVar(&f.access.CA, "nats-ca", "", about("nats-ca"))
	fl.StringVar(&f.access.Cert, "nats-cert", "", about("nats-cert"))
	fl.StringVar(&f.access.Key, "nats-key", "", about("nats-key"))
	fl.StringVar(&f.store, "store", findings.Folder, about("store"))
}

// tokenVariable has the token of a server that a process of ours runs: others on this machine do not see it.
const tokenVariable = "MOTEHOUND_NATS_TOKEN"

// home opens what keeps the campaigns.
func (f *busFlags) home(ctx context.Context, name string) (*bus.Home, error) {
	f.access.Name, f.access.Token, f.access.Wait = name, os.Getenv(tokenVariable), pause
	if f.access.URL != "" {
		b, err := bus.Connect(ctx, f.access)
		return &bus.Home{Bus: b, Access: f.access}, err
	}
	o := bus.ServerOptions{Dir: filepath.Join(f.store, "campaigns"), Token: cmp.Or(f.access.Token, rand.Text()), Lasting: f.lasting, Say: newTerminal(false, false, nil).note}
	if f.listen != "" {
		var err error
		if o.Host, o.Port, err = hostPort("--listen", f.listen); err != nil {
			return nil, err
		}
	}
	return bus.OpenHome(ctx, o, f.access)
}

// campaignVersion is what workers must have, too. A program that was built from changed sources has only its own name in common with others.
func campaignVersion() string {
	b := builtFrom(debug.ReadBuildInfo())
	v := b.Version + " " + b.Commit
	if b.Commit == "" || b.Modified {
		v += " " + bus.ProgramHash()
	}
	return v
}

// driveFlags are those of commands that have a campaign done.
type driveFlags struct {
	busFlags
	workers int
	metrics string
	out     string
	json    bool
	quiet   bool
}

func (f *driveFlags) register(fl *pflag.FlagSet) {
	f.busFlags.register(fl)
	f.lasting = true
	fl.StringVar(&f.listen, "listen", "", "let workers on other machines reach the server of this process: `HOST:PORT`")
	fl.IntVar(&f.workers, "workers", runtime.NumCPU(), "start this many workers on this machine")
	fl.StringVar(&f.metrics, "metrics", "", about("metrics"))
	fl.StringVar(&f.out, "out", "", about("out"))
	registerOutput(fl, &f.json, &f.quiet)
}

// drive has a campaign done, shows how far it is, and prints its result.
func (f *driveFlags) drive(ctx context.Context, b *bus.Home, c *campaign.Campaign) error {
	term := newTerminal(f.json, f.quiet, nil)
	l, err := campaign.NewLedger(c)
	if err != nil {
		return err
	}
	q, err := b.Queue(ctx, c.ID())
	if err != nil {
		return err
	}
	meter, err := newMetrics(f.metrics)
	if err != nil {
		return err
	}
	defer meter.close()
	crew := newCrew(f.workers, b.Access, f.store, c.ID(), term)
	defer crew.end()
	start := time.Now()
	co := campaign.Coordinator{Ledger: l, Queue: q, Window: campaign.UsualWindow, Say: term.note, Tell: func(waiting, working int) {
		done, items, found := l.Progress()
		meter.set(done, items, waiting, working, found)
		term.doing("%d of %d items done, %d being done, %d found, %s", done, items, working, found, time.Since(start).Round(time.Second))
	}}
	err = co.Run(ctx)
	term.clear()
	if ctx.Err() != nil {
		return fmt.Errorf("%w: the campaign goes on with: motehound campaign watch %s", job.ErrInterrupted, c.ID())
	}
	if err != nil {
		return err
	}
	if err := b.SetState(ctx, c, bus.Finished); err != nil {
		return err
	}
	return f.print(l, term)
}

// print prints the result of a campaign, and keeps its recipes.
func (f *driveFlags) print(l *campaign.Ledger, term *terminal) error {
	doc, found := l.Result()
	if f.out != "" {
		if err := f.keep(doc, found); err != nil {
			return err
		}
	}
	return answer(f.json, doc, doc.Verdict, func() {
		for i := range doc.Strands {
			printParted(term.text, l, i, &doc.Strands[i])
		}
		text.Campaign(term.text, doc)
	})
}

// keep keeps recipes, bundles and the document.
func (f *driveFlags) keep(doc *document.Campaign, found *campaign.Found) error {
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return err
	}
	n := 0
	for i := range doc.Strands {
		for _, x := range doc.Strands[i].Findings {
			x.Recipe = filepath.Join(f.out, fmt.Sprintf("finding-%d.json", n+1))
			if err := job.Movable(found.Recipes[n], f.out).Write(x.Recipe); err != nil {
				return err
			}
			n++
		}
	}
	for i := range doc.Strands {
		if err := f.keepParted(&doc.Strands[i], &found.Bundles, &n); err != nil {
			return err
		}
	}
	return job.KeepReport(f.out, doc)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// startFlags are those of campaign start.
type startFlags struct {
	checkFlags
	drive     driveFlags
	walks     int
	itemWalks int
	pieces    uint64
	epochs    int
}

func campaignStartCommand() *cobra.Command {
	return family(&cobra.Command{Use: "start", Short: "Start a campaign, or go on with it",
		Long: `Starts a campaign and has it done. The same command again, after whatever ended it, goes on with it: a campaign is named by what it is about.`},
		startCheckCommand(), startFuzzCommand(), startHuntCommand(), startMineCommand(), startSymbolicCommand(), startJobsCommand())
}

func (f *startFlags) common(fl *pflag.FlagSet) {
	f.register(fl, "time", "drift", "stagger", "serial-at", "serial-baud", "serial-pause")
	f.checking(fl)
	f.drive.register(fl)
	fl.IntVar(&f.walks, "walks", f.walks, "number of walks")
	fl.IntVar(&f.itemWalks, "item-walks", 10, "walks of an item")
}

func startCheckCommand() *cobra.Command {
	f := startFlags{checkFlags: checkFlags{asked: job.NewCheck("")}, walks: 10_000}
	cmd := &cobra.Command{Use: "check [flags] FIRMWARE|SCENARIO", Short: "Look for orders of events that break a property, on many machines",
		Long: `Does what 'motehound check' does, in items: batches of walks, and pieces of the search. A piece that takes more than --item-events events is
cut into smaller ones. What is found is made short and explained at the end, once for each cause. Exit status: 1 something is violated, 0 nothing is.`,
		Args: exactlyOne("firmware file or scenario", "example:counter")}
	f.common(cmd.Flags())
	f.ordering(cmd.Flags())
	cmd.Flags().Uint64Var(&f.pieces, "item-events", 300_000, about("item-events"))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s := campaign.Strand{Job: "check"}
		if f.asked.Mode != "search" {
			s.Items, s.Walks = (f.walks+f.itemWalks-1)/max(1, f.itemWalks), f.itemWalks
		}
		if f.asked.Mode != "walk" {
			s.Events = f.pieces
		}
		r := f.asked
		if f.events == job.UsualEvents && !f.changed("events") {
			f.events = shortWalk
		}
		r.World, r.File, r.Events = f.request(), args[0], &f.events
		return f.start(cmd.Context(), "check "+args[0], s, r)
	}
	return cmd
}

// shortWalk is how long walks are if nothing is said: items are to be short.
const shortWalk = 20_000

func startFuzzCommand() *cobra.Command {
	f := startFlags{checkFlags: checkFlags{asked: job.NewFuzz("").Check}, walks: 10_000}
	cmd := &cobra.Command{Use: "fuzz [flags] FIRMWARE|SCENARIO", Short: "Make up inputs that break something, on many machines",
		Long: `Does what 'motehound fuzz' does, in items: batches of walks. In each epoch, walks begin with the inputs that those of the epoch before found worth
trying. Exit status: 1 something is violated, 0 nothing is.`,
		Args: exactlyOne("firmware file or scenario", "example:overrun")}
	f.common(cmd.Flags())
	cmd.Flags().IntVar(&f.epochs, "epochs", 4, "how often workers share what they have learned")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r := job.Fuzz{Check: f.asked}
		r.World, r.File = f.request(), args[0]
		each := max(1, f.itemWalks) * max(1, f.epochs)
		return f.start(cmd.Context(), "fuzz "+args[0], campaign.Strand{Job: "fuzz", Items: (f.walks + each - 1) / each, Walks: f.itemWalks, Epochs: f.epochs}, r)
	}
	return cmd
}

// start starts a campaign of one strand.
func (f *startFlags) start(ctx context.Context, title string, s campaign.Strand, request any) error {
	var err error
	if s.Request, err = json.Marshal(request); err != nil {
		return err
	}
	return f.drive.start(ctx, title, s)
}

// start makes a campaign known, and has it done.
func (f *driveFlags) start(ctx context.Context, title string, strands ...campaign.Strand) error {
	c := &campaign.Campaign{Format: campaign.Format, Version: campaignVersion(), Title: title, Strands: strands}
	files, err := c.Gather(newTerminal(f.json, f.quiet, nil).host())
	if err == nil {
		err = c.Check()
	}
	if err != nil {
		return err
	}
	home, err := f.home(ctx, "campaign start")
	if err != nil {
		return err
	}
	defer home.Close()
	if err := home.Create(ctx, c, files); err != nil {
		return err
	}
	if !f.quiet {
		fmt.Fprintf(os.Stderr, "campaign %s: %s\n", c.ID(), title)
		if f.listen != "" && home.Serves() {
			fmt.Fprintf(os.Stderr, "on other machines: %s=%s motehound worker --nats %s\n", tokenVariable, home.Access.Token, home.Access.URL)
		}
	}
	return f.drive(ctx, home, c)
}

func startJobsCommand() *cobra.Command {
	var f driveFlags
	cmd := &cobra.Command{Use: "jobs [flags] FILE", Short: "Do a list of jobs, on many machines",
		Long: `Does jobs of a file, each as one item: tables over seeds, sweeps, other firmware. The file has a title and a list of jobs; each has a job (check, fuzz,
symbolic, mine or run), a label, and a request as in docs/go.md:
  {"title": "two seeds", "jobs": [{"job": "check", "label": "1", "request": {"file": "example:ring", "seed": 1, "total": 20000}}, ...]}
A request must have a budget in events (total, max_paths) or of virtual time: there is no clock. Exit status: 1 something is violated, 0 nothing is.`,
		Args: exactlyOne("file of jobs", "jobs.json")}
	f.register(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		title, strands, err := readJobs(args[0])
		if err != nil {
			return err
		}
		return f.start(cmd.Context(), title, strands...)
	}
	return cmd
}

// readJobs reads a file of jobs.
func readJobs(name string) (string, []campaign.Strand, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return "", nil, err
	}
	var list struct {
		Title string            `json:"title"`
		Jobs  []campaign.Strand `json:"jobs"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return "", nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(list.Jobs) == 0 {
		return "", nil, fmt.Errorf("%s: it has no jobs: see motehound campaign start jobs --help", name)
	}
	return cmp.Or(list.Title, filepath.Base(name)), list.Jobs, nil
}

// found is a campaign of the server, by the first letters of its id; the only one if there are none.
func found(ctx context.Context, b *bus.Home, args []string) (*campaign.Campaign, error) {
	list, err := b.List(ctx)
	if err != nil {
		return nil, err
	}
	if len(args) == 1 {
		list = slices.DeleteFunc(list, func(l bus.Listed) bool { return !strings.HasPrefix(l.ID, args[0]) })
	}
	switch len(list) {
	case 0:
		return nil, errors.New("there is no such campaign: motehound campaign status lists all")
	case 1:
		return b.Campaign(ctx, list[0].ID)
	}
	return nil, fmt.Errorf("%d campaigns fit: say which, motehound campaign status lists all", len(list))
}

// aboutOne completes a command that is about one campaign, and brings it into a state, unless that is empty.
func (f *busFlags) aboutOne(cmd *cobra.Command, state string, do func(ctx context.Context, home *bus.Home, c *campaign.Campaign) error) *cobra.Command {
	cmd.Args = cobra.MaximumNArgs(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		home, err := f.home(cmd.Context(), commandName(cmd))
		if err != nil {
			return err
		}
		defer home.Close()
		c, err := found(cmd.Context(), home, args)
		if err == nil && state != "" {
			err = home.SetState(cmd.Context(), c, state)
		}
		if err != nil || do == nil {
			return err
		}
		return do(cmd.Context(), home, c)
	}
	return cmd
}

func campaignWatchCommand() *cobra.Command {
	var f driveFlags
	cmd := &cobra.Command{Use: "watch [flags] [ID]", Short: "Have a campaign done that was started, and show how far it is",
		Long: `Goes on with a campaign: after its 'campaign start' has ended, or beside it. Exit status: 1 something is violated, 0 nothing is.`}
	f.register(cmd.Flags())
	return f.aboutOne(cmd, bus.Running, f.drive)
}

func campaignStopCommand() *cobra.Command {
	var f busFlags
	cmd := &cobra.Command{Use: "stop [flags] [ID]", Short: "Stop a campaign: workers take no more items of it",
		Long: `Stops a campaign. What was done is kept: 'campaign result' shows it, and 'campaign watch' goes on.`}
	f.register(cmd.Flags())
	return f.aboutOne(cmd, bus.Stopped, nil)
}

func campaignResultCommand() *cobra.Command {
	var f driveFlags
	cmd := &cobra.Command{Use: "result [flags] [ID]", Short: "Print what a campaign has found",
		Long: `Prints the result of a campaign. Of one that is not finished, it says what is missing. Exit status: 1 something is violated, 0 nothing is.`}
	f.busFlags.register(cmd.Flags())
	cmd.Flags().StringVar(&f.out, "out", "", about("out"))
	cmd.Flags().BoolVar(&f.json, "json", false, about("json"))
	return f.aboutOne(cmd, "", func(ctx context.Context, home *bus.Home, c *campaign.Campaign) error {
		l, err := (&bus.Follower{Bus: home.Bus}).Ledger(ctx, c.ID())
		if err != nil {
			return err
		}
		return f.print(l, newTerminal(f.json, true, nil))
	})
}

func campaignStatusCommand() *cobra.Command {
	var f busFlags
	var asJSON bool
	cmd := &cobra.Command{Use: "status [flags] [ID]", Short: "List campaigns, how far they are, and who works", Args: cobra.MaximumNArgs(1),
		Long: `Lists campaigns: how many items are done, being done and waiting, what was found, and which workers answer.`}
	f.register(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, about("json"))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		home, err := f.home(ctx, "campaign status")
		if err != nil {
			return err
		}
		defer home.Close()
		only := ""
		if len(args) == 1 {
			only = args[0]
		}
		doc, err := (&bus.Follower{Bus: home.Bus}).Look(ctx, only, time.After(300*time.Millisecond))
		if err != nil {
			return err
		}
		if asJSON {
			return document.Write(stdout, doc)
		}
		text.Campaigns(stdout, doc)
		return nil
	}
	return cmd
}
