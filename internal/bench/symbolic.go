package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path"
	"time"

	"motehound/internal/motes"
	"motehound/mote/board"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/engine"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/plan"
	"motehound/study/symbolic/solver"
	"motehound/world"
	"motehound/world/scenario"
)

// symbolic is how fast the symbolic engine is where nothing is symbolic, and what KleeNet's cases cost, each in a process of its own.
func symbolic() ([]result, error) {
	var out []result
	for _, what := range []string{"nothing symbolic", "one byte symbolic"} {
		for _, name := range []string{"cpu-sort", "cpu-crypt", "cpu-arith"} {
			var mips []float64
			for range rounds {
				v, err := concreteMIPS(name, what == "one byte symbolic")
				if err != nil {
					return nil, err
				}
				mips = append(mips, v)
			}
			out = append(out, result{"symbolic engine, " + what + ": " + name, median(mips), "MIPS", "at least", 10})
		}
	}
	for _, name := range []string{"port", "loss", "duplicate", "stuck", "outage", "shell"} {
		r, err := symbolicCase(name)
		if err != nil {
			return nil, err
		}
		out = append(out, r...)
	}
	return out, nil
}

// concreteMIPS is how many million instructions a program that only computes executes in the engine, in a second of processor time. A byte in
// memory that is symbolic has every access to memory looked at.
func concreteMIPS(name string, symbolic bool) (float64, error) {
	k, err := motes.Kind(name, &board.MicaZ)
	if err != nil {
		return 0, err
	}
	pool := expr.NewPool()
	cfg := engine.Config{World: &world.Config{Motes: motes.Of(k, 1)}, Until: 10 * world.Second,
		Core: core.Config{Pool: pool, Solver: solver.New(pool, solver.NewBuiltin(pool, 0), solver.Config{})}}
	if symbolic {
		cfg.Vars = []engine.Var{{Input: core.Input{At: "main", Var: "done"}}}
	}
	e, err := engine.New(cfg)
	if err != nil {
		return 0, err
	}
	before := motes.CPUTime()
	if err := e.Run(); err != nil {
		return 0, err
	}
	return float64(e.Stats().Instructions) / 1e6 / (motes.CPUTime() - before).Seconds(), nil
}

// symbolicFlag has the program explore one of tinytcp's scenarios and nothing else.
var symbolicFlag = flag.String("symbolic", "", "explore this scenario of tinytcp, and print what it cost")

// cost is what an exploration took.
type cost struct {
	Seconds  float64
	Outcomes int
	Findings int
	Solver   solver.Stats
}

// runSymbolic is what a process with symbolicFlag does.
func runSymbolic(name string) error {
	s, err := scenario.LoadFS(os.DirFS("examples"), "tinytcp/"+name+".star", scenario.Options{})
	if err != nil {
		return fmt.Errorf("%w (run it in the repository)", err)
	}
	r, err := s.Recipe()
	if err != nil {
		return err
	}
	open := func(name string) ([]byte, error) { return os.ReadFile(path.Join("examples/elf", path.Base(name))) }
	w, err := s.World(r, open)
	if err != nil {
		return err
	}
	start := time.Now()
	p, err := plan.New(s, r, w.Config(), plan.Options{Until: s.Time, Clock: func() time.Duration { return time.Since(start) }})
	if err != nil {
		return err
	}
	defer p.Close()
	got, err := p.Explore(open)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(cost{motes.CPUTime().Seconds(), len(got.Outcomes), len(got.Findings), got.Solver})
}

// symbolicCase explores a scenario of tinytcp in a process of its own.
func symbolicCase(name string) ([]result, error) {
	printed, _, resident, err := apart("-symbolic=" + name)
	if err != nil {
		return nil, fmt.Errorf("tinytcp/%s.star: %w", name, err)
	}
	var c cost
	if err := json.Unmarshal(printed, &c); err != nil {
		return nil, err
	}
	s := c.Solver
	cached := s.Trivial + s.Branch + s.Recent + s.Exact + s.UnsatCore + s.Superset + s.Subset
	fmt.Printf("tinytcp/%s.star: %d outcomes, %d findings, %d queries, %d answered without the solver, %d by it in %v\n", name, c.Outcomes,
		c.Findings, s.Queries, cached, s.Backend, s.Time.Round(time.Millisecond))
	return []result{
		{"tinytcp/" + name + ".star, symbolic: CPU time", c.Seconds, "s", "at most", 6},
		{"... most memory resident", resident, "MiB", "at most", 256},
	}, nil
}
