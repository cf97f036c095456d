package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/job/document"
	"motehound/study/behavior"
)

// staged is a scenario of an example with other settings at its top.
func staged(t *testing.T, app, name string, settings map[string]string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", app, name+".star"))
	if err != nil {
		t.Fatal(err)
	}
	elf, err := filepath.Abs(filepath.Join("..", "..", "examples", "elf"))
	if err != nil {
		t.Fatal(err)
	}
	s := strings.ReplaceAll(string(text), `"../elf/`, `"`+elf+"/")
	for key, value := range settings {
		line := regexp.MustCompile(`(?m)^` + key + ` = .*$`)
		if !line.MatchString(s) {
			t.Fatalf("%s/%s.star has no setting %s", app, name, key)
		}
		s = line.ReplaceAllString(s, key+" = "+value)
	}
	return write(t, name+".star", s)
}

// build says which board's and which build's firmware a scenario runs.
func build(board, build string) map[string]string {
	return map[string]string{"board": `"` + board + `"`, "build": `"` + build + `"`}
}

// minedModels runs model mine and reads the models.
func minedModels(t *testing.T, args string) (file string, models *behavior.File) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "models.json")
	r := motehound(t, strings.Fields("model mine --quiet --models "+file+" "+args)...)
	if r.status != exitFine {
		t.Fatalf("model mine %s: exit status %d\n%s%s", args, r.status, r.stdout, r.stderr)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	models = new(behavior.File)
	if err := json.Unmarshal(data, models); err != nil {
		t.Fatal(err)
	}
	return file, models
}

// flowOf is the main job flow of an interrupt.
func flowOf(t *testing.T, f *behavior.File, vector uint16) string {
	t.Helper()
	for _, v := range f.Vectors {
		if v.Vector == vector && len(v.Flows) > 0 {
			return v.Flows[0].Models
		}
	}
	t.Fatalf("vector %d has no flow", vector)
	return ""
}

// summaries is what the models of a flow do, in order, each once.
func summaries(f *behavior.File, flow string) string {
	var list []string
	for _, name := range slices.Compact(strings.Fields(flow)) {
		for _, v := range f.Vectors {
			for _, m := range v.Models {
				if m.Name == name {
					list = append(list, strings.Join(m.Functions, " "))
				}
			}
		}
	}
	return strings.Join(list, "\n")
}

// T-Morph's case study 1: from a quiet run of a relay its job flow is mined; with a sender that comes at random, a second
// packet is received before the first is sent, as often as the firmware counts that it dropped one.
func TestModelCase1(t *testing.T) {
	for _, c := range []struct {
		board, vector string
		number        uint16
		depth         int // deeper on a Mica2, how a frame's bits lie in the SPI's bytes makes a difference
		builds        []string
	}{
		{"mica2", "SPI_STC", 18, 2, []string{"", "_noinline"}},
		{"micaz", "TIMER1_CAPT", 12, 3, []string{""}},
	} {
		for _, b := range c.builds {
			t.Run(c.board+b, func(t *testing.T) {
				t.Parallel()
				mine := func(b string) (string, *behavior.File) {
					return minedModels(t, fmt.Sprintf("--node 1 --vector %s --background TIMER0_COMP --depth %d %s", c.vector, c.depth, staged(t, "drop", "quiet", build(c.board, b))))
				}
				models, file := mine(b)
				flow := flowOf(t, file, c.number)
				if c.board == "mica2" {
					// Received, and passed on; sent, and done.
					order := regexp.MustCompile(`(?s)receiveByte.*task: CC1000LinkP.received.*nextByte.*task: CC1000LinkP.sent`)
					if what := summaries(file, flow); !order.MatchString(what) {
						t.Errorf("the flow is %s:\n%s", flow, what)
					}
				}
				busy := staged(t, "drop", "drop", build(c.board, b))
				doc := verified(t, exitFound, "--node 1 --models "+models+" "+busy)
				if len(doc.Violations) != 1 {
					t.Fatalf("%d violations, want that of the job flow only: %+v", len(doc.Violations), doc.Violations)
				}
				v := doc.Violations[0]
				seen := 0
				for _, name := range strings.Fields(v.Sequence) {
					if name == v.Model {
						seen++
					}
				}
				if v.Kind != behavior.JobflowViolation || v.Flow != flow || seen < 2 {
					t.Errorf("%+v", *v.Violation)
				}
				dropped := func(seconds float64) int {
					text, err := os.ReadFile(busy)
					if err != nil {
						t.Fatal(err)
					}
					short := strings.Replace(string(text), `time = "20s"`, fmt.Sprintf(`time = "%dus"`, int(seconds*1e6)), 1)
					for _, v := range runJSON(t, "--var", "DropC__dropped", write(t, "short.star", short)).Vars {
						if v.Mote == 1 {
							return int(v.Value.(float64))
						}
					}
					t.Fatal("no DropC__dropped of mote 1")
					return 0
				}
				// Motes are switched on within 100 ms, and the drop is a task after the last byte.
				const hertz, late = 7_372_800, 0.12
				before, after := dropped(float64(v.Window.FromCycle)/hertz), dropped(float64(v.Window.ToCycle)/hertz+late)
				if after != before+1 {
					t.Errorf("the firmware counts %d packets dropped before the stretch and %d after it", before, after)
				}
				if all := dropped(20); uint64(all) != v.Count {
					t.Errorf("%d violations, and the firmware counts %d packets dropped", v.Count, all)
				}

				fixed, _ := mine("_fixed" + b)
				verified(t, exitFine, "--node 1 --models "+fixed+" "+staged(t, "drop", "drop", build(c.board, "_fixed"+b)))
			})
		}
	}
}

// forgetData makes a model file one that knows nothing of data, as those of version 1.
func forgetData(t *testing.T, models string) {
	t.Helper()
	data, err := os.ReadFile(models)
	if err != nil {
		t.Fatal(err)
	}
	f, err := behavior.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	f.Data, f.Orders = false, nil
	if err := os.WriteFile(models, f.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Case study 2: readings come as A A B, at every period; when it is short, the radio's interrupts come between them.
func TestModelCase2(t *testing.T) {
	for _, c := range []struct {
		board  string
		drop   string // the radio's own readings
		radio  uint16
		builds []string
	}{
		{"mica2", "--drop C22", 18, []string{"", "_noinline"}},
		{"micaz", "", 12, []string{""}},
	} {
		for _, b := range c.builds {
			t.Run(c.board+b, func(t *testing.T) {
				t.Parallel()
				for _, fixed := range []string{"", "_fixed"} {
					at := func(name string, period int) string {
						s := build(c.board, fixed+b)
						s["period"] = fmt.Sprint(period)
						return staged(t, "pollute", name, s)
					}
					models, file := minedModels(t, fmt.Sprintf("--node 1 --vector ADC --background TIMER0_COMP %s %s", c.drop, at("quiet", 100)))
					if flow := flowOf(t, file, 22); flow != "A22 A22 B22" {
						t.Errorf("%s: the flow is %s", fixed, flow)
					}
					for _, period := range []int{80, 60, 40} {
						verified(t, exitFine, "--node 1 --models "+models+" "+at("quiet", period))
					}
					if fixed != "" {
						verified(t, exitFine, "--node 1 --models "+models+" "+at("quiet", 20))
						continue
					}
					doc := verified(t, exitFound, "--node 1 --models "+models+" "+at("quiet", 20))
					var polluted uint64
					for _, v := range runJSON(t, "--var", "PolluteC__polluted", at("quiet", 20)).Vars {
						if v.Mote == 1 {
							polluted = uint64(v.Value.(float64))
						}
					}
					if v := doc.Violations[0]; v.Kind != behavior.InterleavingViolation || v.Variable != "PolluteC__packets[0]" || v.Count != polluted {
						t.Errorf("%d polluted packets, and the first violation is %+v", polluted, *v.Violation)
					}
					// At a given depth, and without a word on data, what comes in between is the radio.
					models, _ = minedModels(t, fmt.Sprintf("--node 1 --vector ADC --depth 3 --background TIMER0_COMP %s %s", c.drop, at("quiet", 100)))
					forgetData(t, models)
					doc = verified(t, exitFound, "--node 1 --models "+models+" "+at("quiet", 20))
					found := false
					for _, v := range doc.Violations {
						n, err := behavior.VectorOf(v.Model)
						found = found || v.Kind == behavior.InterleavingViolation && err == nil && n == c.radio
					}
					if !found {
						t.Errorf("no interleaving by vector %d: %+v", c.radio, doc.Violations)
					}
				}
			})
		}
	}
}

// Case study 3: what mote 3 does at its timer's interrupt, motes 1 and 2 do too; mote 0 takes its own packets for delivered.
func TestModelCase3(t *testing.T) {
	for _, b := range []struct{ board, build string }{{"mica2", ""}, {"mica2", "_noinline"}, {"micaz", ""}} {
		t.Run(b.board+b.build, func(t *testing.T) {
			t.Parallel()
			const watch = "--vector TIMER0_COMP --depth 9 --exclude nx_* "
			bug := staged(t, "router", "router", build(b.board, b.build))
			models, _ := minedModels(t, watch+"--node 3 "+bug)
			for _, node := range []string{"1", "2"} {
				doc := motehound(t, strings.Fields("model verify --json --models "+models+" --node "+node+" "+bug)...)
				var v document.VerifiedModels
				if err := json.Unmarshal([]byte(doc.stdout), &v); err != nil {
					t.Fatal(err)
				}
				for _, x := range v.Violations {
					if x.Kind == behavior.ProcedureViolation {
						t.Errorf("mote %s: %+v", node, *x.Violation)
					}
				}
			}
			doc := verified(t, exitFound, "--models "+models+" --node 0 "+bug)
			i := slices.IndexFunc(doc.Violations, func(v *document.VerifiedViolation) bool { return v.Kind == behavior.ProcedureViolation })
			if i < 0 {
				t.Fatalf("%+v", doc.Violations)
			}
			l := doc.Violations[i].Leaves
			if l == nil || !strings.HasPrefix(l.In.Function, "ForwardingP.") && !strings.HasPrefix(l.In.Function, "EngineP.") {
				t.Errorf("it leaves at %+v", l)
			}
			good := staged(t, "router", "router", build(b.board, "_fixed"+b.build))
			models, _ = minedModels(t, watch+"--node 3 "+good)
			for _, node := range []string{"0", "1", "2"} {
				verified(t, exitFine, "--models "+models+" --node "+node+" "+good)
			}
		})
	}
}

// namesIn is the functions of an interrupt's models, and its flow, without where they are; in order, if they are not layered.
func namesIn(t *testing.T, f *behavior.File, vector uint16, layered bool) (models []string, flow string) {
	t.Helper()
	for _, v := range f.Vectors {
		if v.Vector != vector {
			continue
		}
		for _, m := range v.Models {
			var text []string
			for _, line := range m.Functions {
				name, _, _ := strings.Cut(line, " @ ")
				if !layered {
					name = strings.TrimSpace(name)
				}
				text = append(text, name)
			}
			models = append(models, m.Name+"\n"+strings.Join(text, "\n"))
		}
	}
	return models, flowOf(t, f, vector)
}

// What a release build and one without inlining do is the same, function by function. The accessors of network types are left
// out: inlined, they are one instruction of their caller's, which no longer has their name. Where GCC shares the code of two equal
// calls, only one of the callers is left to tell: in the deepest layers the order is compared.
func TestInliningMakesNoDifferenceToModels(t *testing.T) {
	for _, c := range []struct {
		app, scenario, vector string
		number                uint16
		node                  int
	}{
		{"drop", "quiet", "SPI_STC", 18, 1},
		{"pollute", "quiet", "ADC", 22, 1},
		{"router", "router", "TIMER0_COMP", 16, 3},
	} {
		for _, depth := range []int{2, 3, 9} {
			t.Run(fmt.Sprint(c.app, depth), func(t *testing.T) {
				t.Parallel()
				mined := func(b string) ([]string, string) {
					_, f := minedModels(t, fmt.Sprintf("--node %d --vector %s --depth %d --exclude nx_* %s", c.node, c.vector, depth,
						staged(t, c.app, c.scenario, build("mica2", b))))
					return namesIn(t, f, c.number, depth < 9)
				}
				release, flow := mined("")
				plain, plainFlow := mined("_noinline")
				if flow != plainFlow {
					t.Errorf("the flow is %s, without inlining %s", flow, plainFlow)
				}
				if !slices.Equal(release, plain) {
					for i := range release {
						if i >= len(plain) || release[i] != plain[i] {
							t.Errorf("release build:\n%s\nwithout inlining:\n%s", release[i], append(plain, "nothing")[min(i, len(plain))])
						}
					}
				}
			})
		}
	}
}

// Models are of names, not of addresses: those of the committed build hold for one in which everything is somewhere else.
func TestModelsSurviveARebuild(t *testing.T) {
	t.Parallel()
	sources := filepath.Join("..", "..", "examples")
	var files []string
	for _, dir := range []string{"drop", "kernel", "kernel/mica", "kernel/micaz"} {
		list, err := filepath.Glob(filepath.Join(sources, dir, "*.c"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	// What the committed build has in it, in another order.
	here, err := filepath.Abs(filepath.Join(sources, "elf", "drop-micaz.elf"))
	if err != nil {
		t.Fatal(err)
	}
	im, err := image.Load(here)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, f := range im.Files() {
		used[filepath.Base(f)] = true
	}
	files = slices.DeleteFunc(files, func(f string) bool { return !used[filepath.Base(f)] })
	slices.Reverse(files)
	rebuilt := filepath.Join(t.TempDir(), "drop-micaz.elf")
	include := func(dir string) string { return "-I" + filepath.Join(sources, dir) }
	tool(t, "gcc-avr avr-libc", "avr-gcc", append([]string{"-mmcu=atmega128", "-std=gnu99", "-Os", "-gdwarf-4", "-w", include("drop"), include("kernel"),
		include("kernel/micaz"), include("kernel/mica"), "-o", rebuilt}, files...)...)
	again, err := image.Load(rebuilt)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(im.Flash, again.Flash) {
		t.Fatal("the rebuilt program is the same, byte for byte")
	}
	models, _ := minedModels(t, "--node 1 --vector TIMER1_CAPT --background TIMER0_COMP "+staged(t, "drop", "quiet", build("micaz", "")))
	text, err := os.ReadFile(staged(t, "drop", "quiet", build("micaz", "")))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^firmware = .*$`)
	other := write(t, "other.star", line.ReplaceAllString(string(text), `firmware = "`+rebuilt+`"`))
	verified(t, exitFine, "--node 1 --models "+models+" "+other)
}

// Sentomist's case III: nine motes whose forwarder waits for ever once the radio has refused a message. Held to models of the fixed build, the
// first violation is the send that is never answered, on the motes whose firmware counts that it failed, and when it did.
func TestModelUnanswered(t *testing.T) {
	for _, board := range []string{"micaz", "mica2"} {
		t.Run(board, func(t *testing.T) {
			t.Parallel()
			fixed, hangs := staged(t, "hang", "hang", build(board, "_fixed")), staged(t, "hang", "hang", build(board, ""))
			models, _ := minedModels(t, "--runs 6 --seed 30 "+fixed)
			for _, seed := range []string{"1", "18"} {
				v := verified(t, exitFound, "--models "+models+" --seed "+seed+" "+hangs).Violations[0]
				failed, at := map[int]bool{}, map[int]float64{}
				for _, x := range runJSON(t, "--seed", seed, "--var", "ForwarderP__failed", "--var", "ForwarderP__failedTime[0]", hangs).Vars {
					if n := x.Value.(float64); x.Name == "ForwarderP__failed" && n > 0 {
						failed[int(x.Mote)] = true
					} else if x.Name != "ForwarderP__failed" {
						at[int(x.Mote)] = n / 1024
					}
				}
				if v.Kind != behavior.UnansweredViolation || v.Request.Answer != "ForwarderP.Data.sendDone" || len(v.Motes) != len(failed) {
					t.Fatalf("seed %s: motes %v failed, and the first violation is %+v", seed, failed, *v.Violation)
				}
				for _, mote := range v.Motes {
					if !failed[mote] {
						t.Errorf("seed %s: mote %d did not fail", seed, mote)
					}
				}
				if began := float64(v.Start) / 7_372_800; math.Abs(began-at[v.Mote]) > 0.01 {
					t.Errorf("seed %s: it began at %.3f s, and the firmware failed at %.3f s", seed, began, at[v.Mote])
				}
				if r := motehound(t, strings.Fields("model verify --json --models "+models+" --seed "+seed+" "+fixed)...); strings.Contains(r.stdout, `"kind": "unanswered"`) {
					t.Errorf("seed %s: the fixed build does not hang: %s", seed, r.stdout)
				}
			}
		})
	}
}
