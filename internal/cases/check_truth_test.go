package cases_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"motehound/mote"
	"motehound/study/property/builtin"
	"motehound/study/property/memory"
	"motehound/world"
	"motehound/world/scenario"
)

// checked is one of T-Check's bugs: the scenario, the build that has it, and by what it shows: a count of some mote, a property
// that does not hold from then on, a wrong use of memory.
type checked struct {
	name, file, wrong string
	lives             string // counts what the firmware is for
	truth, unmet      string
	misuse            builtin.Kind // "" for none
}

const (
	fixed = "_fixed"

	buffersUnlock = "serial buffers unlock"
	allInTree     = "all that have a path to the root are in the tree"
)

var (
	reversed     = checked{"reversed", "serialbuf/reversed.star", "_reversed", "SerialbufC__received", "SerialDispatcherP__0__refusedFree", "", ""}
	locked       = checked{"locked", "serialbuf/locked.star", "_locked", "SerialbufC__received", "SerialDispatcherP__0__refused", buffersUnlock, ""}
	nullPayload  = checked{"null", "dissem/dissem.star", "_null", "DissemC__updates", "SummaryP__throughNull", "", memory.Null}
	lastStep     = checked{"step", "dissem/dissem.star", "_step", "DissemC__updates", "SummaryP__past", "", memory.Bounds}
	rightEnd     = checked{"end", "dissem/dissem.star", "_end", "DissemC__updates", "SummaryP__past", "", memory.Bounds}
	restOfRange  = checked{"rest", "dissem/dissem.star", "_rest", "DissemC__updates", "SummaryP__past", "", memory.Bounds}
	foreignKey   = checked{"versions", "versions/versions.star", "", "VersionsC__updates", "VersionsP__past", "", memory.Bounds}
	orphans      = checked{"orphan", "orphan/orphan.star", "", "OrphanC__reported", "", allInTree, ""}
	readingsPast = checked{"readings", "readings/readings.star", "", "ReadingsC__sent", "ReadingsC__past", "", memory.Bounds}
	wrongHeader  = checked{"bitvector", "bitvector/bitvector.star", "", "BitvectorC__updates", "BitvectorC__past", "", memory.Bounds}

	allChecked = []checked{reversed, locked, nullPayload, lastStep, rightEnd, restOfRange, foreignKey, orphans, readingsPast, wrongHeader}
)

// arranged makes the world of a scenario whose text is edited first: parameters at its beginning, then whatever else.
func arranged(t *testing.T, file, board, build string, motes int, edit func(text string) string) (*scenario.Scenario, *world.World) {
	t.Helper()
	return edited(t, file, board, build, func(text string) string { return edit(set(t, text, "motes", fmt.Sprint(motes))) })
}

// counts is what the first motes have counted.
func counts(t *testing.T, w *world.World, motes int, name string) []int {
	t.Helper()
	all := make([]int, motes)
	for i := range all {
		all[i] = number(t, w, i, name)
	}
	return all
}

func total(all []int) (sum int) {
	for _, n := range all {
		sum += n
	}
	return sum
}

// showsNothing runs a world to its end and holds its properties and counts against it.
func (c checked) showsNothing(t *testing.T, s *scenario.Scenario, w *world.World, motes int) {
	t.Helper()
	m := scenario.NewMonitor(s, w)
	if err := m.RunUntil(s.Time, world.Second/4); err != nil {
		t.Fatal(err)
	}
	for _, v := range m.Violations() {
		t.Errorf("%q is violated at %d ms", v.Property, v.Time/world.Millisecond)
	}
	for _, p := range m.Unmet() {
		t.Errorf("%q does not hold at the end", p.Name)
	}
	if n := counts(t, w, motes, c.lives); total(n) < 3*(motes-1) {
		t.Errorf("%s is only %v", c.lives, n)
	}
	if c.truth == "" {
		return
	}
	if n := counts(t, w, motes, c.truth); total(n) != 0 {
		t.Errorf("%s is %v", c.truth, n)
	}
}

// A timed run of each scenario shows nothing, whichever build: a damaged frame is left out, and what may go wrong does not.
func TestCheckedQuiet(t *testing.T) {
	networks := []struct {
		board string
		motes int
	}{{"micaz", 2}, {"micaz", 8}, {"mica2", 2}}
	if testing.Short() {
		networks = networks[:1]
	}
	for _, c := range allChecked {
		for _, n := range networks {
			for _, build := range []string{c.wrong, fixed} {
				t.Run(fmt.Sprintf("%s/%d %s%s", c.name, n.motes, n.board, build), func(t *testing.T) {
					t.Parallel()
					s, w := arranged(t, c.file, n.board, build, n.motes, func(text string) string {
						return strings.Replace(text, "damaged = True", "damaged = False", 1) // where there is one
					})
					c.showsNothing(t, s, w, n.motes)
				})
			}
		}
	}
}

// In the fixed builds motes agree again after whatever was lost, and whoever rebooted: there check must find nothing.
func TestCheckedFixedRecovers(t *testing.T) {
	for _, c := range []checked{nullPayload, lastStep, foreignKey, wrongHeader} {
		for _, motes := range []int{2, 8} {
			t.Run(fmt.Sprintf("%s/%d", c.name, motes), func(t *testing.T) {
				t.Parallel()
				s, w := arranged(t, c.file, "micaz", fixed, motes, func(text string) string {
					text = instead(t, text, "line(motes)", "line(motes, loss = 0.2)")
					text = instead(t, text, `time = "60s"`, `time = "180s"`)
					return text + fmt.Sprintf("reboot_at(1, \"12s\")\nreboot_at(0, \"31s\")\nreboot_at(%d, \"52s\")\n", motes-1)
				})
				c.showsNothing(t, s, w, motes)
			})
		}
	}
}

// forced is what makes a bug show in a timed run: an edit of its scenario.
type forced struct {
	checked
	how   string
	motes []int
	edit  func(t *testing.T, text string) string
	time  uint64 // how long it takes
}

var allForced = []forced{
	{reversed, "while the task runs", []int{2, 8}, also(backToBack), 25 * world.Second},
	{locked, "damaged", []int{2, 8}, as("damaged", "True"), 60 * world.Second},
	{locked, "while the task runs", []int{2, 8}, both(as("damaged", "False"), also(backToBack)), 60 * world.Second},
	{nullPayload, "busy channel", []int{2}, both(jammed, also(repeated)), 2 * world.Second},
	{lastStep, "lost", []int{2, 8}, lost(5), 10 * world.Second},
	{rightEnd, "lost", []int{2, 8}, lost(5), 10 * world.Second},
	{restOfRange, "lost", []int{2, 8}, lost(5), 10 * world.Second},
	{foreignKey, "rebooted", []int{2, 8}, also(`reboot_at(1, "11s")`), 15 * world.Second},
	{orphans, "died", []int{2, 8}, as("died", `"20s"`), 60 * world.Second},
	{readingsPast, "timers overdue", []int{2, 8}, late, 2 * world.Second},
	{wrongHeader, "lost", []int{2, 8}, lost(10), 20 * world.Second},
}

const (
	// Mote 1 is told to check its program, and told more while it does: the task of the first frame runs.
	backToBack = `
AM_CHECK = 10
check = tinyos_packet(am = AM_CHECK)
count = tinyos_packet(am = AM_COUNTER, payload = [0, 99])
serial(mote = 1, at = "20s", data = list(check.elems()) + list(count.elems()))
`

	// The host changes a value, and says it again when mote 0 has just begun to tell.
	repeated = `
for n in range(10):
    for after in [0, 33]:
        value = tinyos_packet(am = AM_DISSEM, payload = [MSG_VALUE, 12, 0, 0, 9, n % 2])
        serial(mote = 0, at = "%dms" % (500 + 150 * n + after), data = value)
`
)

// also adds lines to a scenario.
func also(lines string) func(*testing.T, string) string {
	return func(_ *testing.T, text string) string { return text + lines }
}

// lost has mote 1 miss the change that mote 0 makes at that second.
func lost(second int) func(*testing.T, string) string {
	return also(fmt.Sprintf("cut(0, 1, at = \"%dms\")\nheal(0, 1, at = \"%dms\")\n", 1000*second-100, 1000*second+1000))
}

func as(name, value string) func(*testing.T, string) string {
	return func(t *testing.T, text string) string { return set(t, text, name, value) }
}

func both(first, second func(*testing.T, string) string) func(*testing.T, string) string {
	return func(t *testing.T, text string) string { return second(t, first(t, text)) }
}

// instead replaces what is there once.
func instead(t *testing.T, text, old, new string) string {
	t.Helper()
	if n := strings.Count(text, old); n != 1 {
		t.Fatalf("%q is there %d times", old, n)
	}
	return strings.Replace(text, old, new, 1)
}

// jammed has twelve motes around mote 0 that send all the time and do not hear each other, so that mote 0 hardly ever finds the
// channel free.
func jammed(t *testing.T, text string) string {
	text = instead(t, text, "for i in range(motes)],", `for i in range(motes)] + jammers,`)
	text = instead(t, text, "links = line(motes)", "links = [link(0, 1)] + [link(100 + i, 0, both = False) for i in range(12)]")
	return instead(t, text, "\nnetwork(", `
source = {"TOS_NODE_ID": 2, "DropC__least": 0, "DropC__spread": 1}
jammers = [mote(id = 100 + i, board = board, firmware = "../elf/drop-%s.elf" % board, vars = source) for i in range(12)]

network(`)
}

// late has mote 1 check its program so often, and read so often, that several of its timer's firings are due at once.
func late(t *testing.T, text string) string {
	return instead(t, text, "firmware = firmware)", `firmware = firmware, vars = {"ReadingsC__period": 3, "ReadingsC__testPeriod": 50})`)
}

// Each bug shows when it is made to, and the same does nothing to the fixed build.
func TestCheckedForced(t *testing.T) {
	for _, f := range allForced {
		for _, motes := range f.motes {
			if testing.Short() && motes > 2 {
				continue
			}
			for _, build := range []string{f.wrong, fixed} {
				t.Run(fmt.Sprintf("%s/%s/%d%s", f.name, f.how, motes, build), func(t *testing.T) {
					t.Parallel()
					s, w := arranged(t, f.file, "micaz", build, motes, func(text string) string { return f.edit(t, text) })
					watch := watchMemory(t, w)
					w.RunUntil(f.time)
					f.compare(t, s, w, watch, motes, build == f.wrong)
				})
			}
		}
	}
}

// watchMemory has the memory checks alone look at a world.
func watchMemory(t *testing.T, w *world.World) *builtin.Watch {
	t.Helper()
	var kinds []*mote.Kind
	for _, m := range w.Motes() {
		kinds = append(kinds, m.Kind)
	}
	set, err := builtin.Prepare([]builtin.Check{memory.Check{}}, kinds, &builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set.Attach(w)
}

// compare looks whether the bug shows in each way that it can, or in none.
func (c checked) compare(t *testing.T, s *scenario.Scenario, w *world.World, watch *builtin.Watch, motes int, shows bool) {
	t.Helper()
	if c.truth != "" {
		if n := counts(t, w, motes, c.truth); (total(n) > 0) != shows {
			t.Errorf("%s is %v", c.truth, n)
		}
	}
	if c.unmet != "" {
		m := scenario.NewMonitor(s, w)
		if err := m.Look(); err != nil {
			t.Fatal(err)
		}
		isUnmet := slices.ContainsFunc(m.Unmet(), func(p scenario.Property) bool { return p.Name == c.unmet })
		if isUnmet != shows {
			t.Errorf("that %q does not hold at the end is %v", c.unmet, isUnmet)
		}
	}
	found := watch.Findings()
	isFound := slices.ContainsFunc(found, func(x builtin.Finding) bool { return x.Kind == c.misuse })
	if isFound != (shows && c.misuse != "") || !isFound && len(found) > 0 {
		t.Errorf("wrong uses of memory: %v", found)
	}
}
