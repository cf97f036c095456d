package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"motehound/internal/motes"
	"motehound/mote/board"
	"motehound/world"
	"motehound/world/medium"
)

// boot is when every mote of a network has been switched on (within the first second) and has started its radio: what
// comes later is the steady state.
const boot = 2 * world.Second

// steady is how long the steady state is measured, in seconds.
const steady = 10

// network is motes that run one example in a topology, switched on within a second.
func network(app string, b *board.Board, n int, topology string) (*world.World, error) {
	k, err := motes.Kind(app, b)
	if err != nil {
		return nil, err
	}
	links, err := medium.Named(topology, n, medium.DefaultGain, 0, 1)
	if err != nil {
		return nil, err
	}
	cfg := &world.Config{Motes: motes.Of(k, n), Stagger: 1_000_000, Drift: 20}
	if cfg.Net, err = medium.New(n, links); err != nil {
		return nil, err
	}
	return world.New(cfg, world.Natural{Seed: 1})
}

// networks is how fast networks of counters run in which everybody hears everybody, as a table: simulated seconds per
// second of processor time, for booting and the steady state apart.
func networks() ([]result, error) {
	fmt.Println("counter, simulated s per CPU s    mica2: boot     steady    micaz: boot     steady")
	var bound result
	for _, n := range []int{1, 2, 4, 8, 16} {
		fmt.Printf("%23d motes", n)
		for _, b := range []*board.Board{&board.Mica2, &board.MicaZ} {
			starts, runs, err := pace(b, n)
			if err != nil {
				return nil, err
			}
			fmt.Printf(" %15.1f %10.1f", starts, runs)
			if b == &board.Mica2 {
				bound = result{fmt.Sprintf("counter on %d mica2, steady state: simulated / CPU time", n), runs, "times", "at least", 30}
			}
		}
		fmt.Println()
	}
	return []result{bound}, nil
}

// pace is how many seconds of a network of n pass in a second of processor time, at boot and afterwards.
func pace(b *board.Board, n int) (starts, runs float64, err error) {
	var first, then []float64
	for range rounds {
		w, err := network("counter", b, n, "full")
		if err != nil {
			return 0, 0, err
		}
		before := motes.CPUTime()
		w.RunUntil(boot)
		booted := motes.CPUTime()
		w.RunUntil(boot + steady*world.Second)
		first = append(first, boot/world.Second/(booted-before).Seconds())
		then = append(then, steady/(motes.CPUTime()-booted).Seconds())
	}
	return median(first), median(then), nil
}

// thousandFlag has the program run the thousand motes and nothing else.
var thousandFlag = flag.Bool("thousand", false, "run a grid of a thousand MicaZ for 10 s, and print nothing")

// runThousand is what a process with thousandFlag does.
func runThousand() error {
	w, err := network("counter", &board.MicaZ, 1000, "grid")
	if err != nil {
		return err
	}
	w.RunUntil(10 * world.Second)
	return nil
}

// thousand is what a thousand motes cost: in a process of their own, so that its peak of resident memory is theirs.
func thousand() ([]result, error) {
	_, cpu, resident, err := apart("-thousand")
	if err != nil {
		return nil, fmt.Errorf("a thousand motes: %w", err)
	}
	return []result{
		{what: "grid of 1000 micaz, 10 simulated seconds: CPU time", got: cpu, unit: "s"},
		{"... most memory resident", resident, "MiB", "at most", 1024},
	}, nil
}

// apart runs this program with a flag in a process of its own: what it prints, and how many seconds of processor time and MiB of memory it takes.
func apart(flag string) (printed []byte, cpu, resident float64, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, 0, 0, err
	}
	var said bytes.Buffer
	cmd := exec.Command(self, flag)
	cmd.Stderr = &said
	if printed, err = cmd.Output(); err != nil {
		return nil, 0, 0, fmt.Errorf("%w: %s", err, said.Bytes())
	}
	used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return printed, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), float64(used.Maxrss) / 1024, nil
}
