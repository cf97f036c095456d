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
	fmt.Println("| app | board | events | lost | flash an hour | paper | space saved | paper | RAM | paper | program memory | paper | cycles awake | interrupts wait |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, r := range tracing.Rows {
		for _, b := range tracing.Boards {
			c, err := r.Measure(b, minutes*60*world.Second)
			if err != nil {
				return fmt.Errorf("%s on a %s: %w", r.App, b.Name, err)
			}
			fmt.Printf("| %s | %s | %d | %d | %d | %d | %.1f %% | %.1f %% | %d | %d | %d | %d | +%.1f %% | %d cycles, %.0f us |\n", r.App, b.Name,
				c.Events, c.Lost, c.Flash*60/int(minutes), r.Paper.Flash, c.Savings, r.Paper.Savings, c.RAM, r.Paper.RAM, c.Program, r.Paper.Program,
				c.Added(), max(c.Blocked, c.Longest), float64(max(c.Blocked, c.Longest))*1e6/float64(b.Hertz))
		}
	}
	return nil
}
