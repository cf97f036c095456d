// Command table prints what tracing costs, over one simulated hour of each application of the paper's Table 1; docs/tracing.md
// shows it.
package main

import (
	"flag"
	"fmt"
	"os"

	"motehound/internal/tracing"
	"motehound/world"
)

func main() {
	minutes := flag.Uint64("minutes", 60, "of virtual time; flash is given for an hour in any case")
	flag.Parse()
	if err := table(*minutes); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(2)
	}
}

func table(minutes uint64) error {
	fmt.Println("| app | board | events | lost | flash an hour | paper | space saved | paper | RAM | paper | program memory | paper | at rest, RAM and program | cycles awake | interrupts wait | in handlers |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, r := range tracing.Rows {
		for _, b := range r.Boards {
			minutes := minutes
			if r.Minutes > 0 {
				minutes = min(minutes, r.Minutes)
			}
			c, err := r.Measure(b, minutes*60*world.Second)
			if err != nil {
				return fmt.Errorf("%s on a %s: %w", r.App, b.Name, err)
			}
			time := func(cycles uint64) string {
				if cycles == 0 {
					return "-"
				}
				return fmt.Sprintf("%d cycles, %.0f us", cycles, float64(cycles)*1e6/float64(b.Hertz))
			}
			fmt.Printf("| %s | %s | %d | %d | %d | %s | %.1f %% | %s | %d | %s | %d | %s | %d, %d | +%.1f %% | %s | %s |\n", r.App+r.Build, b.Name,
				c.Events, c.Lost, c.Flash*60/int(minutes), known("%.0f", float64(r.Paper.Flash)), c.Savings, known("%.1f %%", r.Paper.Savings),
				c.RAM, known("%.0f", float64(r.Paper.RAM)), c.Program, known("%.0f", float64(r.Paper.Program)), c.IdleRAM, c.IdleProgram, c.Added(), time(c.Waits), time(c.InHandlers))
		}
	}
	return nil
}

// known is what the paper has, if it does.
func known(format string, n float64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf(format, n)
}
