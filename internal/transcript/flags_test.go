package transcript

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"motehound/internal/testkit"
)

// foreign are flags that documents name, of programs that are not ours.
var foreign = []string{"--ignore-errors"}

var (
	inline     = regexp.MustCompile("`[^`]+`")
	longFlag   = regexp.MustCompile(`(?:^|[\s/])(--[a-z][a-z0-9-]*)`)
	helpFlag   = regexp.MustCompile(`(?m)^ +(?:-\w, )?(--[a-z][a-z0-9-]*)`)
	subcommand = regexp.MustCompile(`(?m)^  (\w+) +[A-Z]`)
)

// helps asks the command and all its subcommands which flags they have. A command that has subcommands has theirs, too.
func helps(t *testing.T, name string, all map[string][]string) {
	t.Helper()
	out, err := exec.Command(testkit.Command(t), append(strings.Fields(name), "--help")...).Output()
	if err != nil {
		t.Fatalf("motehound %s --help: %v", name, err)
	}
	for _, m := range helpFlag.FindAllStringSubmatch(string(out), -1) {
		all[name] = append(all[name], m[1])
	}
	_, list, _ := strings.Cut(string(out), "Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	for _, m := range subcommand.FindAllStringSubmatch(list, -1) {
		if m[1] != "help" && m[1] != "completion" {
			sub := strings.TrimSpace(name + " " + m[1])
			helps(t, sub, all)
			all[name] = append(all[name], all[sub]...)
		}
	}
}

// TestFlags wants every flag that a text names to be one of the command that it names with it, or of any if it names none. RATIONALE.md
// also tells of flags that are no more.
func TestFlags(t *testing.T) {
	flags := map[string][]string{}
	helps(t, "", flags)
	if len(flags) < 10 || !slices.Contains(flags["model verify"], "--strict") {
		t.Fatalf("the help is not understood: %v", flags)
	}
	for _, name := range documents(t) {
		if name == "docs/RATIONALE.md" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		inBlock := false
		for i, line := range strings.Split(string(text), "\n") {
			if fence.MatchString(line) {
				inBlock = !inBlock
			}
			if inBlock {
				continue
			}
			for _, span := range inline.FindAllString(line, -1) {
				words := strings.Fields(strings.TrimPrefix(strings.Trim(span, "`"), "motehound "))
				n := min(2, len(words))
				for n > 0 && flags[strings.Join(words[:n], " ")] == nil {
					n--
				}
				known := append(foreign, flags[strings.Join(words[:n], " ")]...)
				for _, m := range longFlag.FindAllStringSubmatch(strings.Join(words, " "), -1) {
					if !slices.Contains(known, m[1]) {
						t.Errorf("%s:%d: %s: there is no such flag as %s", name, i+1, span, m[1])
					}
				}
			}
		}
	}
}
