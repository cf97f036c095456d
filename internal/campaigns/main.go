//go:build linux

// Command campaigns has campaigns done while workers, coordinators and servers are killed, and compares their results with that of an undisturbed one. Run it
// from the root of the module: it builds Motehound and a NATS server. docs/scale.md quotes it.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	items := flag.Int("items", 10_000, "items of a campaign")
	rounds := flag.Int("rounds", 20, "how many campaigns are disturbed")
	kills := flag.Int("kills", 30, "how often somebody is killed in each, at most")
	cluster := flag.Bool("cluster", false, "a cluster of three servers, of which one at a time is killed")
	job := flag.String("job", "check", "what is done: check, mine, hunt or symbolic")
	jumps := flag.Bool("jumps", false, "the clocks of all jump by an hour, again and again; the programs are built for it, which takes a while")
	flag.Parse()
	if err := disturb(*job, *items, *rounds, *kills, *cluster, *jumps); err != nil {
		fmt.Fprintln(os.Stderr, "campaigns:", err)
		os.Exit(2)
	}
}

func disturb(job string, items, rounds, kills int, cluster, jumps bool) error {
	if jobs[job] == nil {
		return fmt.Errorf("-job %s: choose check, mine, hunt or symbolic", job)
	}
	dir, err := os.MkdirTemp("", "motehound-campaigns-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, err := build(dir, jumps)
	if err != nil {
		return err
	}
	servers := 1
	if cluster {
		servers = 3
	}
	var bytes traffic
	start := time.Now()
	want, _, err := p.round(round{job: job, items: items, servers: servers, dir: dir + "/undisturbed", traffic: &bytes})
	if err != nil {
		return err
	}
	fmt.Printf("undisturbed: %d items in %s, %d bytes to the server and %d from it for each\n", items, time.Since(start).Round(time.Second), bytes.InBytes/int64(items), bytes.OutBytes/int64(items))
	for n := range rounds {
		got, killed, err := p.round(round{job: job, items: items, servers: servers, kills: kills, seed: uint64(n + 1), dir: fmt.Sprintf("%s/%d", dir, n)})
		if err != nil {
			return fmt.Errorf("round %d: %w", n+1, err)
		}
		if string(got) != string(want) {
			return fmt.Errorf("round %d: the result differs:\n%s\nundisturbed:\n%s", n+1, got, want)
		}
		fmt.Printf("round %d: %d items, killed: %s; the result is the same, byte for byte\n", n+1, items, killed)
	}
	return nil
}
