package gdb

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/job"
	"motehound/study/travel"
	"motehound/world"
	"motehound/world/medium"
)

// network is motes of an example in a line, for a time.
func network(t testing.TB, app, board string, n int, until uint64) *motes {
	t.Helper()
	k := testkit.Example(t, app, board)
	w := testkit.Network(t, k, n, medium.Line(n, medium.DefaultGain, 0), world.Config{}, 1)
	return newNetwork(&job.Journey{Traveller: travel.Timed(w, until, 0)})
}

func short(t testing.TB) debuggee { return network(t, "blink", "micaz", 2, world.Millisecond) }
func long(t testing.TB) debuggee  { return network(t, "blink", "micaz", 2, 1000*world.Second) }

// mixed is two motes with different firmware.
func mixed(t testing.TB, until uint64) *motes {
	t.Helper()
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: testkit.Example(t, "counter", "micaz"), ID: 0}, {Kind: testkit.Example(t, "blink", "micaz"), ID: 1}}}
	return newNetwork(&job.Journey{Traveller: travel.Timed(testkit.World(t, cfg, world.Natural{Seed: 1}), until, 0)})
}

// runs are what the scripts of testdata debug.
var runs = map[string]func(t testing.TB) *motes{
	"blink":   func(t testing.TB) *motes { return network(t, "blink", "micaz", 1, world.Second) },
	"uno":     func(t testing.TB) *motes { return network(t, "ring", "uno", 1, world.Second) },
	"pair":    func(t testing.TB) *motes { return network(t, "blink", "micaz", 2, world.Second) },
	"counter": func(t testing.TB) *motes { return network(t, "counter", "micaz", 3, world.Second) },
	"pollute": func(t testing.TB) *motes { return network(t, "pollute", "micaz", 2, 5*world.Second) },
	"mixed":   func(t testing.TB) *motes { return mixed(t, world.Second) },
}

// TestScripts has avr-gdb do what the files of testdata say: "(gdb) COMMAND", then lines that its output must contain, in this order.
// "(reconnect)" ends gdb and starts the next one on the same run.
func TestScripts(t *testing.T) {
	t.Parallel()
	need.Tools(t, "avr-gdb")
	files, err := filepath.Glob("testdata/*.gdb")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".gdb"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			follow(t, string(text))
		})
	}
}

// step is a command and what it must print.
type step struct {
	command string
	want    []string
}

// follow runs a script.
func follow(t *testing.T, text string) {
	t.Helper()
	var run *motes
	var addr string
	var steps []step
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, isRun := strings.CutPrefix(line, "run: ")
		command, isCommand := strings.CutPrefix(line, "(gdb) ")
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
		case isRun:
			run = runs[name](t)
			addr = serving(t, run)
		case line == "(reconnect)":
			play(t, addr, steps)
			steps = nil
		case isCommand:
			steps = append(steps, step{command: command})
		default:
			last := &steps[len(steps)-1]
			last.want = append(last.want, line)
		}
	}
	play(t, addr, steps)
}

// play has one gdb do some steps.
func play(t *testing.T, addr string, steps []step) {
	t.Helper()
	args := []string{"-nx", "-batch", "-ex", "set width 0", "-ex", "set schedule-multiple on", "-ex", "target remote " + addr}
	for i, s := range steps {
		args = append(args, "-ex", fmt.Sprintf(`echo \n<%d>\n`, i), "-ex", s.command)
	}
	out, err := need.Command(t, "avr-gdb", args...).CombinedOutput()
	if err != nil {
		t.Errorf("avr-gdb: %v", err)
	}
	if os.Getenv("GDB_SHOW") != "" {
		t.Logf("%s", out)
	}
	rest := string(out)
	for i, s := range steps {
		_, mine, _ := strings.Cut(rest, fmt.Sprintf("\n<%d>\n", i))
		rest = mine
		mine, _, _ = strings.Cut(mine, fmt.Sprintf("\n<%d>\n", i+1))
		all := mine
		for _, want := range s.want {
			_, after, ok := strings.Cut(mine, want)
			if !ok {
				t.Errorf("(gdb) %s\nprinted\n%s\nwhich lacks %q", s.command, all, want)
				break
			}
			mine = after
		}
	}
}
