package torture

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/internal/testkit"
)

// TestCommands gives damaged files to the process itself. Its CPU time is limited, far above what it needs.
func TestCommands(t *testing.T) {
	dir := Make(t).Dir
	own := t.TempDir()
	name := func(file string) string { return filepath.Join(own, file) }
	elf := examples.All[0].ELF()
	if err := os.WriteFile(name("approved.json"), Read(t, dir+"/models.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file   string // how the damaged file is called
		good   []byte
		change func(*rand.Rand, []byte) []byte
		args   []string // with the damaged file at the end
	}{
		{"a.elf", elf, mutateELF, []string{"run", "--time", "5ms"}},
		{"b.elf", elf, mutateELF, []string{"mine", "--time", "20ms"}},
		{"c.elf", elf, mutateELF, []string{"check", "--budget", "0", "--walks", "1", "--events", "50", "--depth", "1"}},
		{"d.elf", elf, mutateELF, []string{"symbolic", "--time", "5ms"}},
		{"a.star", Read(t, exampleDir+"/hang/hang.star"), mutateText, []string{"run", "--time", "5ms"}},
		{"b.star", Read(t, exampleDir+"/hang/hang.star"), mutateText, []string{"check", "--budget", "0", "--walks", "1", "--events", "50", "--depth", "1"}},
		{"run.json", Read(t, dir+"/run/recipe.json"), mutateText, []string{"replay"}},
		{"check.json", Read(t, dir+"/check/finding-1.json"), mutateText, []string{"replay"}},
		{"symbolic.json", Read(t, dir+"/symbolic/finding-1.json"), mutateText, []string{"replay"}},
		{"check.zip", Read(t, dir+"/check/finding-1.zip"), mutate, []string{"replay"}},
		{"travelled.json", Read(t, dir+"/run/recipe.json"), mutateText, []string{"debug", "-e", "goto end", "-e", "back", "-e", "where"}},
		{"explored.json", Read(t, dir+"/check/finding-1.json"), mutateText, []string{"debug", "-e", "finding", "-e", "back", "-e", "events"}},
		{"b.zip", Read(t, dir+"/check/finding-1.zip"), mutate, []string{"debug", "-e", "finding"}},
		{"commands.txt", []byte("goto end\nwhere\nbreak main if x == 3\nrc\norigin TOS_NODE_ID\ntimeline 3ms\nx 0x100 64\nbetween 0s 1ms\n"), mutateText,
			[]string{"debug", "--time", "20ms", "example:blink-micaz", "-x"}},
		{"models.json", Read(t, dir+"/models.json"), mutateText, []string{"model", "show"}},
		{"report.json", Read(t, dir+"/verify/report.json"), mutateText, []string{"model", "approve", "--all", "--models", name("approved.json")}},
		{"flash.bin", Read(t, dir+"/flash.bin"), mutate, []string{"trace", "decode"}},
		{"summed.bin", Read(t, dir+"/flash.bin"), func(r *rand.Rand, data []byte) []byte { return testkit.TraceSums(mutate(r, data)) }, []string{"trace", "decode", "--last", "10"}},
		{"gains.txt", []byte("gain 0 1 -54.0\ngain 1 0 -55.5\n"), mutateText, []string{"run", "--nodes", "2", "--time", "5ms", "example:counter", "--topology"}},
	} {
		r := rand.New(rand.NewPCG(3, 17))
		for i := range times(20) {
			data := c.change(r, c.good)
			if tooLong(data) {
				continue
			}
			if err := os.WriteFile(name(c.file), data, 0o600); err != nil {
				t.Fatal(err)
			}
			status, out := Make(t).Run("ulimit -t 120;", append(c.args, name(c.file))...)
			if status < 0 || status > 2 || status == 2 && !strings.Contains(out, "motehound: ") {
				t.Errorf("%s, case %d: status %d\n%.2000s\n%s", fmt.Sprint(c.args), i, status, out, excerpt(data))
			}
		}
	}
}

// tooLong tells whether a recipe asks for more than a second: it would be right, and take its time.
func tooLong(data []byte) bool {
	var doc struct {
		Until float64 `json:"until_ps"`
	}
	return json.Unmarshal(data, &doc) == nil && doc.Until > 2e12
}
