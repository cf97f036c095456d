package cases_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/mote"
	"motehound/mote/periph"
	"motehound/study/symbolic/plan"
	"motehound/world"
	"motehound/world/reception"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// The properties of tinytcp's scenarios.
const (
	agreeConnected = "connected here, connected there"
	noReset        = "nobody resets a connection"
	hasPage        = "the client has its page"
	freeAgain      = "the server is free again"
	oneConnection  = "one connection for the same ends"
	hasPages       = "the client has its pages"
	nobodyAfter    = "nobody is connected after two minutes"
)

const (
	client = 0 // their indices
	server = 1

	indexPage = "<h1>Mote 2</h1><p>All is well.</p>\n"
)

// insidious is one of KleeNet's cases: the scenario, the build with the bug, and what shows it.
type insidious struct {
	name, file, wrong string
	pages             int // that a client gets if nothing goes wrong
	shows             []string
	edit              func(*testing.T, string) string // what makes it show, or
	answers           func(k world.ChoiceKind) []recipe.Answer
	only              map[string][]string // by medium, all faults that make it show: KIND MOTE.NUMBER=ANSWER
}

var allInsidious = []insidious{
	{name: "port 0", file: "tinytcp/port.star", wrong: "_port", pages: 3, shows: []string{agreeConnected}, edit: asks(0)},
	{name: "lost SYN/ACK", file: "tinytcp/loss.star", wrong: "_reset", pages: 1, shows: []string{noReset, hasPage},
		answers: fate(client, 0, uint32(reception.Lost)),
		only:    map[string][]string{"wire": {"wire 0.0=1"}, "radio": {"reception 0.0=1"}}},
	{name: "lost SYN/ACK, client gives up", file: "tinytcp/stuck.star", wrong: "_stuck", pages: 1, shows: []string{freeAgain, hasPage},
		answers: fate(client, 0, uint32(reception.Lost)),
		only:    map[string][]string{"wire": {"wire 0.0=1"}, "radio": {"reception 0.0=1"}}},
	{name: "doubled SYN", file: "tinytcp/duplicate.star", wrong: "_second", pages: 3, shows: []string{oneConnection, noReset, hasPages},
		answers: fate(server, 0, uint32(reception.Duplicated)),
		only:    map[string][]string{"wire": {"wire 1.0=3"}, "radio": {"reception 1.0=3"}}},
	{name: "outage of the client", file: "tinytcp/outage.star", wrong: "_stale", pages: 1, shows: []string{nobodyAfter},
		answers: func(frames world.ChoiceKind) []recipe.Answer { // when it has heard that what it told is known
			number := uint32(1)
			if frames == world.ChoiceReception { // where what it sends is asked about too
				number = 3
			}
			return []recipe.Answer{{Kind: world.ChoiceFault.String(), Mote: client, Number: number, Answer: world.FaultOutage}}
		},
		only: map[string][]string{"wire": {"fault 0.1=2"}, "radio": {"fault 0.2=2", "fault 0.3=2"}}},
}

// asks has the client ask for a port.
func asks(port int) func(*testing.T, string) string {
	return func(t *testing.T, text string) string {
		return instead(t, text, "vars = links)", fmt.Sprintf(`vars = links | {"ClientC__port": %d})`, port))
	}
}

func fate(to int, number uint32, what uint32) func(world.ChoiceKind) []recipe.Answer {
	return func(k world.ChoiceKind) []recipe.Answer {
		return []recipe.Answer{{Kind: k.String(), Mote: to, Number: number, Answer: what}}
	}
}

var media = []struct {
	name  string
	frame world.ChoiceKind
}{{"wire", world.ChoiceWire}, {"radio", world.ChoiceReception}}

// connection is a run of client and server.
type connection struct {
	s        *scenario.Scenario
	w        *world.World
	violated []string // properties, in the order of their names
	asked    []world.Choice
}

// introduce makes the world of one of the scenarios.
func introduce(t *testing.T, file, board, build, medium string, edit func(*testing.T, string) string, answers []recipe.Answer) *connection {
	t.Helper()
	var c connection
	c.s, c.w = answered(t, file, board, build, func(text string) string {
		if strings.Contains(text, "\nmedium = ") {
			text = set(t, text, "medium", `"`+medium+`"`)
		}
		if edit != nil {
			text = edit(t, text)
		}
		return text
	}, answers)
	return &c
}

// again is a connection in a world of its own, where other choices are not left to chance.
func (c *connection) again(t *testing.T, answers []recipe.Answer) *connection {
	t.Helper()
	r := recipe.Recipe{Seed: c.s.Seed, Answers: answers}
	choose, err := r.Chooser()
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.New(c.w.Config(), choose)
	if err != nil {
		t.Fatal(err)
	}
	return &connection{s: c.s, w: w}
}

// talk runs the world to its end and looks at the scenario's properties, at lines of the source too, and at how memory is used.
func (c *connection) talk(t *testing.T) {
	t.Helper()
	found := map[string]bool{}
	c.w.Observe(world.Observer{Choice: func(x world.Choice, _ uint32) {
		if x.Allowed&(x.Allowed-1) != 0 {
			c.asked = append(c.asked, x)
		}
	}})
	c.watchLines(t, found)
	misuse := watchMemory(t, c.w)
	m := scenario.NewMonitor(c.s, c.w)
	if err := m.RunUntil(c.s.Time, world.Second/10); err != nil {
		t.Fatal(err)
	}
	if bad := misuse.Findings(); len(bad) > 0 {
		t.Errorf("wrong uses of memory: %v", bad)
	}
	for _, v := range m.Violations() {
		found[v.Property] = true
	}
	for _, p := range c.s.Properties {
		if found[p.Name] {
			c.violated = append(c.violated, p.Name)
		}
	}
	slices.Sort(c.violated)
}

// watchLines evaluates properties about lines whenever a mote is there.
func (c *connection) watchLines(t *testing.T, found map[string]bool) {
	t.Helper()
	eval := scenario.NewEvaluator()
	for i := range c.s.Properties {
		p := &c.s.Properties[i]
		if p.Kind != scenario.AtLine {
			continue
		}
		at := func(k *mote.Kind) (words []uint32) {
			for _, a := range k.Image.AddrsOf(p.File, p.Line) {
				words = append(words, a/2)
			}
			return words
		}
		c.w.Observe(world.Observer{CodeAt: at, Code: func(mote int, _ uint64, pc uint32) bool {
			if mote == p.Mote && slices.Contains(at(c.w.Motes()[mote].Kind), pc) {
				v, err := eval.EvaluateAt(p, scenario.WorldView(c.w), mote)
				if err != nil {
					t.Fatal(err)
				}
				found[p.Name] = found[p.Name] || !v.Holds
			}
			return false
		}})
	}
}

// boards is those that are tried.
func boards() []string {
	if testing.Short() { // a Mica2's radio has an interrupt for every byte of noise
		return []string{"micaz"}
	}
	return []string{"micaz", "mica2"}
}

// A timed run connects, brings the pages and closes, on every board and medium, and shows none of the bugs.
func TestTinytcpQuiet(t *testing.T) {
	for _, x := range allInsidious {
		for _, board := range boards() {
			for _, medium := range media {
				for _, build := range []string{x.wrong, fixed} {
					t.Run(x.file+"/"+board+"/"+medium.name+build, func(t *testing.T) {
						t.Parallel()
						c := introduce(t, x.file, board, build, medium.name, nil, nil)
						c.talk(t)
						if len(c.violated) > 0 {
							t.Errorf("%q are violated", c.violated)
						}
						if n := number(t, c.w, client, "ClientC__pages"); n != x.pages {
							t.Errorf("%d pages came", n)
						}
						if page := value(t, c.w, client, "ClientC__page").String(); page != strconv.Quote(indexPage) {
							t.Errorf("the page is %s", page)
						}
						c.isOver(t, 1)
					})
				}
			}
		}
	}
}

// isOver checks that so many connections were opened and closed, that all are closed, and that nothing was in vain.
func (c *connection) isOver(t *testing.T, connections int) {
	t.Helper()
	for name, want := range map[string]int{"ClientC__closed": connections, "ClientC__resets": 0, "ClientC__timeouts": 0} {
		if n := number(t, c.w, client, name); n != want {
			t.Errorf("%s is %d", name, n)
		}
	}
	if n := number(t, c.w, server, "ServerC__visits"); n != connections {
		t.Errorf("ServerC__visits is %d", n)
	}
	for i := range c.w.Motes() {
		for _, name := range []string{"TcpP__sentAgain", "TcpP__resetsSent", "TcpP__outOfOrder", "TcpP__noRoom", "NetP__refused", "LinkP__dropped",
			"TcpP__connections[0].state", "TcpP__connections[1].state"} {
			if n := number(t, c.w, i, name); n != 0 {
				t.Errorf("mote %d: %s is %d", i+1, name, n)
			}
		}
	}
}

// Each bug shows when it is made to, and the same does nothing to the fixed build.
func TestTinytcpForced(t *testing.T) {
	for _, x := range allInsidious {
		for _, board := range boards() {
			for _, medium := range media {
				for _, build := range []string{x.wrong, fixed} {
					t.Run(x.name+"/"+board+"/"+medium.name+build, func(t *testing.T) {
						t.Parallel()
						var answers []recipe.Answer
						if x.answers != nil {
							answers = x.answers(medium.frame)
						}
						c := introduce(t, x.file, board, build, medium.name, x.edit, answers)
						c.talk(t)
						var want []string
						if build == x.wrong {
							want = slices.Sorted(slices.Values(x.shows))
						}
						if !slices.Equal(c.violated, want) {
							t.Errorf("%q are violated, not %q", c.violated, want)
						}
						for _, a := range answers {
							if !slices.ContainsFunc(c.asked, func(q world.Choice) bool {
								return q.Kind.String() == a.Kind && q.Mote == a.Mote && q.Number == a.Number
							}) {
								t.Errorf("nobody asked for the %d. %s of mote %d", a.Number+1, a.Kind, a.Mote)
							}
						}
					})
				}
			}
		}
	}
}

// What KleeNet's client saw of ports: one is served; 0 is connected, acknowledged and closed by a stack alone; all others are refused.
func TestTinytcpPorts(t *testing.T) {
	for _, port := range []int{7777, 0, 1, 7776, 7778, 24926, 30208, 65535} {
		for _, build := range []string{"_port", fixed} {
			t.Run(fmt.Sprint(port, build), func(t *testing.T) {
				t.Parallel()
				c := introduce(t, "tinytcp/port.star", "micaz", build, "radio", asks(port), nil)
				c.talk(t)
				visits, asked := number(t, c.w, server, "ServerC__visits"), number(t, c.w, client, "ClientC__asked")
				resets, pages := number(t, c.w, client, "ClientC__resets"), number(t, c.w, client, "ClientC__pages")
				want := [...]int{0, 0, 1, 0}
				if port == 7777 {
					want = [...]int{1, 3, 0, 3}
				} else if port == 0 && build == "_port" {
					want = [...]int{0, 1, 0, 0}
				}
				if got := [...]int{visits, asked, resets, pages}; got != want {
					t.Errorf("%v visits, requests acknowledged, resets and pages, not %v", got, want)
				}
			})
		}
	}
}

// everyFault runs a scenario with every way to spend its budget of faults: the runs that violate something, as what went wrong in them.
func everyFault(t *testing.T, x insidious, build, medium string, edit func(*testing.T, string) string) (runs int, bad map[string][]string) {
	t.Helper()
	bad = map[string][]string{}
	first := introduce(t, x.file, "micaz", build, medium, edit, nil)
	work := [][]recipe.Answer{nil}
	for len(work) > 0 {
		answers := work[len(work)-1]
		work = work[:len(work)-1]
		c := first.again(t, answers)
		c.talk(t)
		runs++
		if len(c.violated) > 0 {
			bad[tellAnswers(answers)] = c.violated
		}
		work = append(work, c.others(answers)...)
	}
	return runs, bad
}

// others is how a run could go on otherwise, after the last choice that was not left to chance.
func (c *connection) others(answers []recipe.Answer) (all [][]recipe.Answer) {
	after := 0
	if n := len(answers); n > 0 {
		last := answers[n-1]
		after = 1 + slices.IndexFunc(c.asked, func(q world.Choice) bool {
			return q.Kind.String() == last.Kind && q.Mote == last.Mote && q.Number == last.Number
		})
	}
	for _, q := range c.asked[after:] {
		for a := uint32(1); a < q.Options; a++ {
			if q.Allows(a) {
				all = append(all, append(slices.Clone(answers), recipe.Answer{Kind: q.Kind.String(), Mote: q.Mote, Number: q.Number, Answer: a}))
			}
		}
	}
	return all
}

func tellAnswers(answers []recipe.Answer) string {
	var parts []string
	for _, a := range slices.SortedFunc(slices.Values(answers), func(a, b recipe.Answer) int {
		return cmp.Or(cmp.Compare(a.Mote, b.Mote), cmp.Compare(a.Number, b.Number))
	}) {
		parts = append(parts, fmt.Sprintf("%s %d.%d=%d", a.Kind, a.Mote, a.Number, a.Answer))
	}
	return strings.Join(parts, " ")
}

// Of all that the faults of its scenario can do, one thing makes the bug show, and nothing does in the fixed build. The symbolic engine finds
// the same.
func TestTinytcpEveryFault(t *testing.T) {
	list := allInsidious[1:]
	if testing.Short() {
		list = list[:1]
	}
	for _, x := range list {
		for _, medium := range media {
			for _, build := range []string{x.wrong, fixed} {
				t.Run(x.name+"/"+medium.name+build, func(t *testing.T) {
					t.Parallel()
					runs, bad := everyFault(t, x, build, medium.name, nil)
					var want []string
					if build == x.wrong {
						want = x.only[medium.name]
					}
					if got := slices.Sorted(maps.Keys(bad)); !slices.Equal(got, want) || runs < 7 {
						t.Errorf("of %d runs, %v are bad, not %v", runs, bad, want)
					}
					symbolicAgrees(t, x, build, medium.name, runs, bad)
				})
			}
		}
	}
}

// firmwareOf finds the examples that a scenario names.
func firmwareOf(name string) ([]byte, error) {
	for _, f := range examples.All {
		if f.File() == path.Base(name) {
			return f.ELF(), nil
		}
	}
	return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
}

// symbolically explores the scenario of a connection.
func (c *connection) symbolically(t *testing.T, opt plan.Options) *plan.Result {
	t.Helper()
	r, err := c.s.Recipe()
	if err != nil {
		t.Fatal(err)
	}
	opt.Until = c.s.Time
	p, err := plan.New(c.s, r, c.w.Config(), opt)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	got, err := p.Explore(firmwareOf)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range slices.Concat(got.LeftOut, got.Refuted) {
		t.Errorf("not explored, or not believed: %s", text)
	}
	return got
}

// symbolicAgrees compares what the symbolic engine comes to with all these runs, one by one: as many outcomes, and each violates the same.
func symbolicAgrees(t *testing.T, x insidious, build, medium string, runs int, want map[string][]string) {
	t.Helper()
	r := introduce(t, x.file, "micaz", build, medium, nil, nil).symbolically(t, plan.Options{})
	bad := map[string][]string{}
	for _, o := range r.Outcomes {
		if len(o.Violates) > 0 {
			bad[tellAnswers(o.Answers)] = slices.Sorted(slices.Values(o.Violates))
		}
	}
	if len(r.Outcomes) != runs || !maps.EqualFunc(bad, want, slices.Equal) {
		t.Errorf("symbolic: %d outcomes, of which %v are bad; of %d runs %v", len(r.Outcomes), bad, runs, want)
	}
}

// A symbolic port has three outcomes, and the one with port 0 is bad. The fixed build has two. On a wire the bytes of the port, and of the
// checksum, may or may not be escaped: there are more outcomes, but of the same kinds.
func TestTinytcpSymbolicPort(t *testing.T) {
	x := allInsidious[0]
	for build, want := range map[string]int{x.wrong: 3, fixed: 2} {
		for _, medium := range media {
			t.Run(medium.name+build, func(t *testing.T) {
				t.Parallel()
				r := introduce(t, x.file, "micaz", build, medium.name, nil, nil).symbolically(t, plan.Options{})
				bad := 0
				for _, o := range r.Outcomes {
					if len(o.Violates) > 0 {
						bad++
						if !slices.Equal(o.Violates, x.shows) || len(o.Inputs) != 1 || o.Inputs[0].Value != 0 {
							t.Errorf("%q are violated for %v", o.Violates, o.Inputs)
						}
					}
				}
				if len(r.Outcomes) != want && medium.name == "radio" || len(r.Outcomes) < want || bad != want-2 || len(r.Findings) != want-2 {
					t.Errorf("%d outcomes, %d of them bad, and %d findings", len(r.Outcomes), bad, len(r.Findings))
				}
			})
		}
	}
}

// The fixed build stands more than that: two frames lost, or one lost and one that comes twice.
func TestTinytcpTwoFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs")
	}
	for _, faults := range []string{"[lose(max = 2)]", "[lose(max = 1), duplicate(max = 1)]"} {
		for _, medium := range media {
			t.Run(faults+"/"+medium.name, func(t *testing.T) {
				t.Parallel()
				x := allInsidious[1]
				runs, bad := everyFault(t, x, fixed, medium.name, as("faults", faults))
				if len(bad) > 0 || runs < 60 {
					t.Errorf("of %d runs, these are bad: %v", runs, bad)
				}
			})
		}
	}
}

// A shell gets pages over a router.
func TestTinytcpShell(t *testing.T) {
	for _, board := range []string{"micaz", "mica2"} {
		for name, want := range map[string]string{"index1": indexPage + "ok\n", "status": "up\nok\n", "nosuch": "not found\n", "a": "not found\n"} {
			t.Run(board+"/"+name, func(t *testing.T) {
				t.Parallel()
				s, w := edited(t, "tinytcp/shell.star", board, fixed, func(text string) string {
					return instead(t, text, `"get index1\n")`, fmt.Sprintf(`"get %s\n")`, name))
				})
				var shown []byte
				w.Observe(world.Observer{Serial: func(mote int, _ uint8, c periph.SerialChar) {
					if mote == client {
						shown = append(shown, c.Data.V())
					}
				}})
				m := scenario.NewMonitor(s, w)
				if err := m.RunUntil(s.Time, world.Second/10); err != nil {
					t.Fatal(err)
				}
				if v := m.Violations(); len(v) > 0 {
					t.Errorf("%q is violated", v[0].Property)
				}
				if string(shown) != want {
					t.Errorf("the shell shows %q, not %q", shown, want)
				}
				const router = 2
				if n := number(t, w, router, "NetP__forwarded"); n < 7 {
					t.Errorf("the router forwarded %d packets", n)
				}
			})
		}
	}
}

// Scenarios name lines of the source by their numbers: those lines say so.
func TestTinytcpLines(t *testing.T) {
	files, err := filepath.Glob("../../examples/tinytcp/*.star")
	if err != nil || len(files) != 6 {
		t.Fatalf("%q, %v", files, err)
	}
	lines := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`at_line\("([^"]+)", (\d+),`).FindAllStringSubmatch(string(text), -1) {
			source, err := os.ReadFile("../../examples/" + m[1])
			if err != nil {
				t.Fatal(err)
			}
			n, _ := strconv.Atoi(m[2])
			if all := strings.Split(string(source), "\n"); n > len(all) || !strings.Contains(all[n-1], "// ASSERT: ") {
				t.Errorf("%s: %s:%d is no place for an assertion", file, m[1], n)
			}
			lines++
		}
	}
	if lines != 8 {
		t.Errorf("there are %d such lines, not 8", lines)
	}
}
