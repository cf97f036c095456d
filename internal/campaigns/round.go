//go:build linux

package main

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// round is a campaign, and who is killed meanwhile.
type round struct {
	job     string
	items   int
	servers int
	kills   int
	seed    uint64
	dir     string
	traffic *traffic // nil if nobody wants to know
}

// jobs are what is done, in about so many items. They are cheap: the bus is tried, not them.
var jobs = map[string]func(items int) []string{
	"check": func(items int) []string {
		return []string{"--mode", "walk", "--events", "30", "--shorten", "2000", "--item-walks", "1", "--walks", fmt.Sprint(items), "--no-memory", "--unguided", "--serial-in", "hello", "example:ring"}
	},
	"mine": func(items int) []string {
		return []string{"--runs", fmt.Sprint(items), "--time", "200ms", "--nodes", "2", "example:counter"}
	},
	"hunt": func(items int) []string { // of a run and a check each
		return []string{"--seeds", fmt.Sprint((items + 1) / 2), "--item-events", "50", "--engine", "run", "--engine", "check", "--time", "50ms", "--serial-in", "hello", "example:ring"}
	},
	"symbolic": func(items int) []string { // pieces of as many outcomes
		return []string{"--item-events", "1000", "--time", "250ms", "--outcomes", "100000", "--serial-in", fmt.Sprintf("any:%d", bits.Len(uint(items))), "example:novolatile"}
	},
}

// battle is a round that is going on.
type battle struct {
	round
	*servers
	workers     []*process
	coordinator *process
	random      *rand.Rand
	plan        []kill
	killed      map[string]int
	seen        int // results
	still       int // how often nothing has changed
	halted      bool
}

// kill is who is killed, when so many results are there.
type kill struct {
	at  int
	who *process
}

// round does a campaign, and gives its result and who was killed.
func (p programs) round(r round) (result []byte, killed string, err error) {
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return nil, "", err
	}
	b := &battle{round: r, random: rand.New(rand.NewPCG(r.seed, 1)), killed: map[string]int{}}
	if b.servers, err = p.newServers(r); err != nil {
		return nil, "", err
	}
	for n := range 2 {
		store := filepath.Join(r.dir, fmt.Sprintf("worker%d", n))
		b.workers = append(b.workers, &process{name: fmt.Sprintf("worker %d", n), make: func() *exec.Cmd {
			return exec.Command(p.motehound, "worker", "--nats", b.urls, "--store", store)
		}})
	}
	b.coordinator = &process{name: "coordinator", make: func() *exec.Cmd {
		return exec.Command(p.motehound, append([]string{"campaign", "start", r.job, "--nats", b.urls, "--workers", "0", "--json"}, jobs[r.job](r.items)...)...)
	}}
	for _, x := range b.everybody() {
		defer x.kill()
	}
	for _, x := range b.everybody() {
		if err := b.start(x); err != nil {
			return nil, "", err
		}
	}
	b.schedule()
	if result, err = b.fight(); err != nil {
		return nil, "", fmt.Errorf("%w\n%s", err, b.report())
	}
	if r.traffic != nil {
		err = ask(b.monitor[0]+"/varz", r.traffic)
	}
	return result, fmt.Sprint(b.killed), err
}

func (b *battle) everybody() []*process {
	return slices.Concat(b.all, b.workers, []*process{b.coordinator})
}

// schedule says who is killed and when: anybody at random moments. Of a cluster, one server dies in the middle, and another when that one is back.
func (b *battle) schedule() {
	all := b.everybody()
	for range b.kills {
		b.plan = append(b.plan, kill{b.random.IntN(b.items), all[b.random.IntN(len(all))]})
	}
	if len(b.all) > 1 && b.kills > 0 {
		first := b.random.IntN(len(b.all))
		second := (first + 1 + b.random.IntN(len(b.all)-1)) % len(b.all)
		b.plan = append(b.plan, kill{b.items / 5, b.all[first]}, kill{b.items / 4, b.all[second]})
	}
	slices.SortStableFunc(b.plan, func(x, y kill) int { return cmp.Compare(x.at, y.at) })
}

func isServer(x *process) bool { return strings.HasPrefix(x.name, "server") }

// start starts a process. Those who need a server wait for one.
func (b *battle) start(x *process) error {
	const tries = 300
	for range tries {
		if isServer(x) || b.reached() {
			return x.start()
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("no server can be reached")
}

// fight goes on until the coordinator has the result. It fails when somebody ends who should not, and when nothing happens any more.
func (b *battle) fight() ([]byte, error) {
	const pollEvery, mostStill = 50 * time.Millisecond, 2000
	for {
		select {
		case err := <-b.coordinator.done:
			b.coordinator.done <- nil
			var status *exec.ExitError
			if errors.As(err, &status) && status.ExitCode() == 1 { // it has found something
				err = nil
			}
			if err == nil {
				return b.coordinator.out.Bytes(), b.enough()
			}
			if err := b.gaveUp(b.coordinator, err); err != nil {
				return nil, err
			}
		case <-time.After(pollEvery):
		}
		for _, x := range slices.Concat(b.workers, b.all) {
			if err, ended := x.ended(); ended {
				if err := b.gaveUp(x, err); err != nil {
					return nil, err
				}
			}
		}
		if n := b.progress(); n > b.seen {
			b.seen, b.still = n, 0
		} else if b.still++; b.still > mostStill {
			return nil, fmt.Errorf("nothing has changed for %d looks: %d results", mostStill, b.seen)
		}
		if err := b.disturb(); err != nil {
			return nil, err
		}
	}
}

// progress is how many results there are.
func (b *battle) progress() (n int) {
	for _, h := range b.held() {
		n = max(n, h.results)
	}
	return n
}

// disturb kills who is next, if it is time.
func (b *battle) disturb() error {
	if len(b.plan) == 0 || b.seen < b.plan[0].at {
		return b.halt(false)
	}
	x := b.plan[0].who
	if isServer(x) && len(b.all) > 1 && !b.healthy() {
		return b.halt(b.seen > b.items/2) // the campaign shall not be over before this one was killed
	}
	b.plan = b.plan[1:]
	time.Sleep(time.Duration(b.random.IntN(50)) * time.Millisecond)
	x.kill()
	b.killed[strings.TrimRight(x.name, " 0123456789")]++
	b.still = 0
	if isServer(x) {
		time.Sleep(time.Duration(b.random.IntN(500)) * time.Millisecond)
	}
	if err := b.start(x); err != nil {
		return err
	}
	return b.halt(false)
}

// gaveUp starts somebody again who found no server: all of them were dead. Everybody else has no reason to end.
func (b *battle) gaveUp(x *process, err error) error {
	b.killed[strings.TrimRight(x.name, " 0123456789")+" gave up"]++
	if len(b.all) > 1 || isServer(x) || b.kills == 0 || !strings.Contains(x.said.String(), "no server for campaigns") || b.killed[x.name+" gave up"] > b.kills {
		return fmt.Errorf("%s has ended by itself: %v", x.name, err)
	}
	return b.start(x)
}

// enough tells whether those were killed who were to be.
func (b *battle) enough() error {
	if len(b.all) > 1 && b.kills > 0 && b.killed["server"] < 2 {
		return fmt.Errorf("the campaign was over when %d servers were killed: give it more items", b.killed["server"])
	}
	return nil
}

// report is what everybody said last, and what the servers have.
func (b *battle) report() string {
	var text strings.Builder
	for i, h := range b.held() {
		fmt.Fprintf(&text, "server %d keeps %d items and %d results\n", i, h.items, h.results)
	}
	fmt.Fprintf(&text, "killed: %v\n", b.killed)
	for _, x := range b.everybody() {
		fmt.Fprintf(&text, "---- %s said last:\n", x.name)
		for line := range strings.Lines(x.said.String()) {
			if !strings.Contains(line, "[INF]") && !strings.Contains(line, "Healthcheck") { // of servers
				text.WriteString(line)
			}
		}
	}
	return text.String()
}

// halt has workers wait, or go on.
func (b *battle) halt(yes bool) error {
	if b.halted == yes {
		return nil
	}
	b.halted = yes
	signal := syscall.SIGCONT
	if yes {
		signal = syscall.SIGSTOP
	}
	for _, x := range b.workers {
		if err := x.cmd.Process.Signal(signal); err != nil {
			return err
		}
	}
	return nil
}
