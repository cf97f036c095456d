// Package recorded keeps what Motehound did yesterday: commands, each with the hash of what comes of it. A change that is meant to change
// no behaviour must leave all of them as they are.
//
// testdata/runs.txt has one command per line, with the hashes of the final states of its runs: those of run, and of the recipes that check
// and symbolic keep of their findings; testdata/long.txt has those that take as long as a hundred others, other seeds of which are among these, for
// MOTEHOUND_LONG=1. testdata/documents.txt has commands with a hash of the JSON document that they print.
//
//	go test ./internal/recorded -update             write the hashes of this build
//	go test ./internal/recorded -keep DIR           also write every document into a folder, to compare two builds with diff -r
//	go test ./internal/recorded -motehound FILE     try another build of the command
package recorded

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"motehound/internal/need"
	"motehound/internal/testkit"
)

var (
	update  = flag.Bool("update", false, "write the hashes of this build")
	keep    = flag.String("keep", "", "write every document into this folder")
	program = flag.String("motehound", "", "try this build of the command")
)

func TestMain(m *testing.M) { testkit.Main(m) }

// TestRuns: the runs end in the same states.
func TestRuns(t *testing.T) {
	if need.Long() {
		compare(t, "testdata/long.txt", finalStates)
	}
	hashes := compare(t, "testdata/runs.txt", finalStates)
	if len(hashes) < 200 {
		t.Errorf("%d runs are recorded, want at least 200", len(hashes))
	}
}

// TestDocuments: the commands print the same documents.
func TestDocuments(t *testing.T) {
	compare(t, "testdata/documents.txt", document)
}

// compare runs the commands of a file and compares what comes of each with what the file says. It gives all hashes.
func compare(t *testing.T, file string, result func(t *testing.T, program string, args []string) string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	built := *program
	if built == "" {
		built = testkit.Command(t)
	}
	var seen sync.Map
	t.Run("commands", func(t *testing.T) {
		for i, line := range lines {
			want, words, ok := strings.Cut(line, " ")
			if _, twice := seen.LoadOrStore(words, true); !ok || twice {
				t.Fatalf("%s:%d: want a hash and a command that is not there yet: %q", file, i+1, line)
			}
			t.Run(words, func(t *testing.T) {
				t.Parallel()
				if testing.Short() && i%20 != 0 {
					t.Skip("one of 20 is run")
				}
				got := result(t, built, strings.Fields(words))
				lines[i] = got + " " + words
				if got != want && !*update {
					t.Errorf("%s:%d: motehound %s\n gives %s\nbefore %s; if that is meant, write it with -update and say why in the commit",
						file, i+1, words, got, want)
				}
			})
		}
	})
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var hashes []string
	for _, line := range lines {
		hash, _, _ := strings.Cut(line, " ")
		hashes = append(hashes, strings.Split(hash, ",")...)
	}
	return hashes
}

// finalStates is the hashes of a command's runs, in the order of its recipes. A finding's recipe must replay.
func finalStates(t *testing.T, program string, args []string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "kept")
	run(t, program, append(args, "--json", "--out", dir)...)
	recipes, err := filepath.Glob(filepath.Join(dir, map[bool]string{true: "recipe.json", false: "finding-*.json"}[args[0] == "run"]))
	if err != nil || len(recipes) == 0 {
		t.Fatalf("no recipe in %s: %v", dir, err)
	}
	slices.Sort(recipes)
	var hashes []string
	for _, file := range recipes {
		var recipe struct{ Hash string }
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &recipe); err != nil {
			t.Fatal(err)
		}
		if args[0] != "run" {
			run(t, program, "replay", "--json", file)
		}
		hashes = append(hashes, recipe.Hash)
	}
	return strings.Join(hashes, ",")
}

// document is a hash of the document that a command prints, but for what depends on the host.
func document(t *testing.T, program string, args []string) string {
	t.Helper()
	status, text := run(t, program, append(args, "--json")...)
	var doc map[string]any
	numbers := json.NewDecoder(bytes.NewReader(text))
	numbers.UseNumber()
	if err := numbers.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	delete(doc, "speed")
	doc["schema_version"] = 1 // as when most were recorded: what is in a document is compared here, and its version in cmd
	if args[0] == "check" || args[0] == "symbolic" {
		delete(doc, "time_s")
		if solver, ok := doc["solver"].(map[string]any); ok {
			delete(solver, "time_s")
		}
	}
	plain, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if *keep != "" {
		name := strings.NewReplacer("/", "+", " ", "_").Replace(strings.Join(args, " ")) + ".json"
		if err := errors.Join(os.MkdirAll(*keep, 0o755), os.WriteFile(filepath.Join(*keep, name), plain, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	sum := sha256.Sum256(fmt.Appendf(plain, "\nstatus %d\n", status))
	return hex.EncodeToString(sum[:16])
}

// run runs a command in the root of the repository, where the examples are.
func run(t *testing.T, program string, args ...string) (status int, stdout []byte) {
	t.Helper()
	c := exec.Command(program, args...)
	var stderr bytes.Buffer
	c.Dir, c.Stderr = testkit.Root, &stderr
	stdout, err := c.Output()
	if status = c.ProcessState.ExitCode(); status != 0 && status != 1 {
		t.Fatalf("motehound %s: %v\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return status, stdout
}
