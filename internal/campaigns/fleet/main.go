// Command fleet runs the real coordinator against a made-up fleet: a thousand workers in virtual time, which take as long as real items of a real campaign took, live as
// long as they are told to, and lose items as real ones do. It prints whether an item was lost, the throughput against the ideal, and what the coordinator costs. docs/scale.md quotes it.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"motehound/internal/cases/measured"
	"motehound/job/campaign"
)

func main() {
	f := fleet{}
	flag.IntVar(&f.workers, "workers", 1000, "how many workers")
	items := flag.Int("items", 200_000, "items of the campaign")
	flag.Float64Var(&f.cost, "cost", 0, "seconds that an item takes, on average; 0 to measure it first")
	measure := flag.Int("measure", 10, "how many items are measured")
	lives := flag.String("life", "24h,4h,1h,10m,5m", "how long a worker lives on average, with commas")
	window := flag.Int("window", 4, "items in the queue, for each worker")
	seed := flag.Uint64("seed", 1, "of the fleet's accidents")
	flag.Parse()
	var err error
	if f.cost == 0 {
		err = f.measure(*measure)
	}
	for _, text := range strings.Split(*lives, ",") {
		life, bad := time.ParseDuration(text)
		if bad != nil || life <= 0 {
			bad = fmt.Errorf("-life %s: give times above 0, such as 24h,1h", *lives)
		}
		if err = cmp.Or(err, bad); err != nil {
			break
		}
		x := f
		x.life = life.Seconds()
		fmt.Printf("\nworkers live for %s on average:\n", text)
		err = x.run(*items, *window, *seed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		os.Exit(2)
	}
}

func (f *fleet) run(items, window int, seed uint64) error {
	request, err := json.Marshal(map[string]any{"file": "example:ring"})
	if err != nil {
		return err
	}
	c := &campaign.Campaign{Format: campaign.Format, Version: "fleet", Title: "a fleet", Strands: []campaign.Strand{{Job: "check", Request: request, Items: items, Walks: 10}}}
	l, err := campaign.NewLedger(c)
	if err != nil {
		return err
	}
	f.begin(c, seed)
	before := measured.CPUSeconds()
	if err := (&campaign.Coordinator{Ledger: l, Queue: f, Window: window * f.workers}).Run(context.Background()); err != nil {
		return err
	}
	cpu := measured.CPUSeconds() - before
	doc, _ := l.Result()
	var mem runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&mem)
	if walks := doc.Strands[0].Explored.Walks; walks != uint64(10*items) || len(doc.Failed) > 0 {
		return fmt.Errorf("%d walks of %d were counted, %d items failed", walks, 10*items, len(doc.Failed))
	}
	ideal := f.worked / float64(f.workers)
	fmt.Printf("%d workers, %d items of %.1f s, %d workers died: no item is lost, none counted twice\n", f.workers, items, f.cost, f.died)
	fmt.Printf("virtual time %.0f s, ideal %.0f s: %.1f %% of the ideal throughput; %d results came twice\n", f.now, ideal, 100*ideal/f.now, f.twice)
	fmt.Printf("coordinator: %.0f us of CPU time an item without the server; %d MB in use at the end\n", cpu*1e6/float64(items), mem.HeapAlloc>>20)
	runtime.KeepAlive(l)
	return nil
}
