package simavr

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strconv"
	"time"
)

// BenchRunner times simavr on programs that need only the CPU and end with
// cli and sleep, where the stock runner exits.
type BenchRunner struct {
	Harness   *Harness
	MCU       string
	Frequency uint32
}

// BenchResult holds CPU times in user mode, as wait4 reports them, of whole
// processes: start-up and ELF loading (a few milliseconds) are in them.
type BenchResult struct {
	Instructions, Cycles uint64
	Stock                time.Duration // the simavr command as Debian ships it
	Loop                 time.Duration // the harness, calling avr_run until done: the same work
	Batched              time.Duration // the same with run_cycle_limit raised: simavr at its best
}

// Rate is instructions per CPU second.
func (r *BenchResult) Rate(d time.Duration) float64 { return float64(r.Instructions) / d.Seconds() }

// Run times one program in all three ways.
func (b *BenchRunner) Run(elf string) (BenchResult, error) {
	var r BenchResult
	var err error
	if r.Stock, err = b.Stock(elf); err != nil {
		return r, err
	}
	if r.Instructions, r.Cycles, r.Loop, err = b.loop(elf, 1); err != nil {
		return r, err
	}
	_, cycles, batched, err := b.loop(elf, 100_000)
	if err == nil && cycles != r.Cycles {
		err = fmt.Errorf("simavr: %s takes %d cycles in one loop and %d in the other", elf, r.Cycles, cycles)
	}
	r.Batched = batched
	return r, err
}

// Stock times the simavr command alone.
func (b *BenchRunner) Stock(elf string) (time.Duration, error) {
	cmd := exec.Command("simavr", "-m", b.MCU, "-f", strconv.FormatUint(uint64(b.Frequency), 10), elf)
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("simavr: the stock runner on %s: %w (it needs: %s)", elf, err, wanted)
	}
	return cmd.ProcessState.UserTime(), nil
}

func (b *BenchRunner) loop(elf string, limit uint64) (instructions, cycles uint64, user time.Duration, err error) {
	cmd := b.Harness.command("bench", strconv.FormatUint(limit, 10), b.MCU, strconv.FormatUint(uint64(b.Frequency), 10), elf)
	out, err := cmd.Output()
	runtime.KeepAlive(b.Harness)
	if err != nil {
		return 0, 0, 0, fmt.Errorf("simavr: timing %s: %w", elf, err)
	}
	var state CPUState
	if _, err := fmt.Sscan(string(out), &instructions, &cycles, &state); err != nil {
		return 0, 0, 0, fmt.Errorf("simavr: timing %s: the harness printed %q", elf, out)
	}
	if state != Done {
		return 0, 0, 0, fmt.Errorf("simavr: %s ended %v, not with cli and sleep", elf, state)
	}
	return instructions, cycles, cmd.ProcessState.UserTime(), nil
}
