package workbench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/internal/peer/chromium"
)

// user is somebody at the page of a server.
type user struct {
	*chromium.Tab
	*client
	t      *testing.T
	jobs   int
	axe    string // the script of axe-core; "" if it is not here
	looked int    // how often it was run
}

// seen keeps what is seen, and holds it against what people need who do not see it well: axe-core must have nothing serious to say, by day and by night.
func (u *user) seen(name string) {
	shot(u.Tab, name)
	if u.axe == "" {
		return
	}
	for _, screen := range []chromium.Screen{{Width: 640, Height: 900, Dark: true}, desk} {
		u.On(screen)
		u.Wait(fmt.Sprintf(`innerWidth === %d && matchMedia("(prefers-color-scheme: dark)").matches === %v`, screen.Width, screen.Dark))
		u.Eval("window.axe ? 0 : (() => {"+u.axe+"\n; return 0; })()", nil)
		var found []string
		u.Eval(`axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.filter((v) => v.impact === "serious" || v.impact === "critical")
			.map((v) => v.id + ": " + v.nodes.length + " times, as in " + v.nodes[0].html.slice(0, 200) + " " + (v.nodes[0].any[0]?.message ?? "")))`, &found)
		for _, x := range found {
			u.t.Errorf("%s, %d pixels wide: %s", name, screen.Width, x)
		}
		u.looked++
	}
}

// start starts a job, and shows its result.
func (u *user) start(command string) {
	u.Click("button", "Start "+command)
	u.jobs++
	u.Click(fmt.Sprintf("[data-job='%d'] button", u.jobs), "Show result")
}

// TestFirmwareToLine: a new user goes from the firmware to the line that is wrong, by clicking: in each of the case studies.
func TestFirmwareToLine(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	packages, err := filepath.Abs(npmPackages)
	if err != nil {
		t.Fatal(err)
	}
	c := started(t)
	for _, file := range []string{"serialbuf/reversed.star", "serialbuf/dispatcher.c", "elf/serialbuf_reversed-micaz.elf", "drop/quiet.star", "drop/drop.star", "drop/drop.c", "elf/drop-micaz.elf",
		"tinytcp/port.star", "tinytcp/client.c", "tinytcp/tcp.c", "elf/tinytcp_port-micaz.elf"} {
		data, err := os.ReadFile(filepath.Join(examples, file))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(file), 0o755)
		}
		if err == nil {
			err = os.WriteFile(file, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	u := &user{Tab: desk.Open(t, c.base+"/?token="+token), client: c}
	if axe, err := os.ReadFile(filepath.Join(packages, "axe-core", "axe.min.js")); err == nil && !testing.Short() {
		u.axe = string(axe)
	}
	for _, x := range []struct {
		name string
		does func(*testing.T, *user)
	}{{"ring", ringBuffer}, {"serial", serialLock}, {"pollute", pollutedPacket}, {"relay", relayDrops}, {"tinytcp", portZero}, {"starve", starvedTasks}, {"explore", ownWay}, {"scenario", ownScenario}, {"network", onTheAir}} {
		t.Run(x.name, func(t *testing.T) {
			u.For(t)
			u.t = t
			u.Go(c.base + "/")
			x.does(t, u)
		})
	}
	t.Logf("axe-core has looked at %d views (none: its package is not here, or -short)", u.looked)
}

// ringBuffer: check finds the race of the ring buffer, and who wrote the variable.
func ringBuffer(t *testing.T, p *user) {
	p.Fill("input[name=file]", "example:ring")
	p.Fill("input[name=serial]", "hello")
	p.Fill("input[name=budget]", "5")
	p.Click(".browser summary", "")
	p.seen("start")
	p.Click("header button", "commands")
	p.seen("palette")
	p.Press("Escape")
	p.Click("header button", "?")
	p.seen("keys")
	p.Click("dialog[open] button", "Close")
	p.start("check")
	p.Wait(`document.querySelector("#finding")?.innerText.includes("lost update of count")`)
	p.seen("finding")
	p.Click("#finding button", "Travel to it")
	p.Wait(`document.querySelector(".code tr.here[data-line='42']")?.innerText.includes("count--")`)
	if says := p.Text(".moment"); !strings.Contains(says, "in event 2") || !strings.Contains(says, "ring.c:42") {
		t.Errorf("it says %q", says)
	}
	p.seen("run")
	p.Click(".code tr.here button.variable", "count")
	p.Wait(`document.querySelector(".answer")?.innerText.includes("go there")`)
	if says := p.Text(".answer"); !strings.Contains(says, "ring.c:19") || !strings.Contains(says, "0 → 1") {
		t.Errorf("it says %q", says)
	}
	var address string
	p.Eval("location.href", &address)
	p.Click(".answer button", "go there")
	p.Wait(`document.querySelector(".code tr.here[data-line='19']")?.innerText.includes("count++")`)
	p.Wait(`document.querySelector(".explore")?.innerText.includes("At the start")`)
	p.Click(".code tr[data-line='42'] .no button", "")
	p.Click(".asked button", "runs next")
	p.Wait(`document.querySelector(".code tr.here[data-line='42']")`)
	p.Go(p.base + "/")
	p.Go(address) // a link shows a colleague the same
	p.Wait(`document.querySelector(".code tr.here[data-line='42']")`)
}

// pollutedPacket: mine ranks the polluted packet of Sentomist first, and names the line that overwrites it.
func pollutedPacket(t *testing.T, p *user) {
	p.Fill("input[name=file]", "example:pollute-micaz")
	p.Wait(`document.querySelector("#examples option")`)
	p.Click("label.choice", "mine")
	p.Fill("input[name=nodes]", "2")
	p.start("mine")
	p.Wait(`document.querySelector("#lost")?.innerText.includes("PolluteC.packets")`)
	p.Click("#ranking tr[data-rank='1']", "")
	p.Wait(`document.querySelector("#source tr.named[data-line='154']")?.innerText.includes("readings")`)
	p.Wait(`document.querySelector("#normal")?.textContent.includes("the nearest normal interval: rank")`) // beside it
	var lanes, normal []string
	p.Eval(`[...document.querySelectorAll("#timeline .lane-name")].map((t) => t.textContent)`, &lanes)
	p.Eval(`[...document.querySelectorAll("#normal .lane-name")].map((t) => t.textContent)`, &normal)
	if len(lanes) < 3 || len(normal) < 2 || len(lanes) <= len(normal) { // what came in between is what is wrong
		t.Errorf("lanes %q, and normally %q", lanes, normal)
	}
	p.Eval(`document.querySelector("#chosen").scrollIntoView()`, nil)
	p.seen("mine")
	// Whoever says that it is harmless has others first, also when the page is opened again; and back.
	first := `document.querySelector("#ranking tbody tr")?.dataset.rank`
	p.Click("#judgement button", "It is harmless")
	p.Wait(first + ` !== "1"`)
	p.Eval("location.reload()", nil)
	p.Wait(`document.querySelector("#ranking .said.rejected") && ` + first + ` !== "1"`)
	shot(p.Tab, "judged")
	p.Click("#ranking tr[data-rank='1']", "")
	p.Click("#judgement button", "It is a symptom")
	p.Wait(first + ` === "1" && document.querySelector("#ranking .said.confirmed")`)
}

// serialLock: T-Check's serial stack bug, from a scenario of the working folder to who chose the wrong buffer.
func serialLock(_ *testing.T, p *user) {
	p.choose("serialbuf", "reversed.star")
	p.Fill("input[name=budget]", "20")
	p.start("check")
	p.Wait(`document.querySelector("#finding")?.innerText.includes("a free buffer takes the frame")`)
	p.Click("#finding button", "Travel to it")
	p.Wait(`document.querySelector(".mote-pane .values")`)
	p.Fill(".mote-pane input[type=search]", "receiveState")
	p.Click(".mote-pane .values button", "receiveState")
	p.Click(".answer button", "go there")
	p.Wait(`document.querySelector(".code tr.here")?.innerText.includes("receiveState")`)
	shot(p.Tab, "lock")
}

// choose chooses a file of a folder.
func (u *user) choose(folder, file string) {
	u.Click(".browser summary", "")
	u.Click(".browser button", folder)
	u.Click(".browser button", file)
	u.Wait(`document.querySelector("input[name=file]").value === "` + folder + "/" + file + `"`)
}

// relayDrops: T-Morph's relay. The models of a quiet run are approved; a busy run leaves them where a packet is dropped, and nobody sends it on.
func relayDrops(_ *testing.T, p *user) {
	p.choose("drop", "quiet.star")
	p.Click("label.choice", "model")
	p.Fill("input[name=node]", "1")
	p.start("model")
	p.Wait(`document.querySelector(".behaviour section[data-model='A8']")?.innerText.includes("CC2420ReceiveP.receive")`)
	p.seen("model")
	folded := `[...document.querySelectorAll(".behaviour section[data-model='A8'] .side")].filter((g) => g.style.display !== "none").length`
	var all int
	p.Eval(folded, &all)
	p.Click(".behaviour section[data-model='A8'] .tools button", "1")
	p.Wait(folded + " < " + itoa(all))
	p.Click(".behaviour section[data-model='A8'] .tools button", "all")
	p.Click("button", "Approve these models")
	p.Wait(`document.querySelector("[role=status].verdict")?.innerText.includes("drop-micaz.models.json")`)
	p.Click("nav button", "Work")
	p.choose("drop", "drop.star")
	p.Click("label.choice", "verify")
	p.Fill("input[name=node]", "1")
	p.Wait(`document.querySelector("input[name=models]").value.endsWith("drop-micaz.models.json")`)
	p.start("verify")
	p.Wait(`document.querySelector("#violation-0")?.innerText.includes("a new event procedure, B8")`)
	p.Wait(`document.querySelector("#text .line.at[data-line='209']")?.innerText.includes("forward")`)
	p.seen("violation")
	p.Click("#places button", "see it run")
	p.Wait(`document.querySelector("main.run .code tr.chosen[data-line='209']")?.innerText.includes("forward")`)
	shot(p.Tab, "relay")
	p.Click("nav button", "Result of job")
	p.Click("#violation-0 button", "Travel to it")
	p.Wait(`document.querySelector("main.run .mote-pane .values")`)
	p.Click("nav button", "Result of job")
	p.Click("#violation-0 button", "Approve")
	p.Wait(`document.querySelector("[role=status].verdict")?.innerText.includes("later runs may do this")`)
	p.Click("nav button", "Work")
	p.choose("drop", "drop.star")
	p.Click("label.choice", "verify")
	p.Fill("input[name=node]", "1")
	p.start("verify")
	p.Wait(`document.querySelector("#violation-0")?.innerText.includes("not an approved job flow")`) // the procedure is approved, where it comes is not
}

// portZero: KleeNet's kind of bug. One of three outcomes fails, with port 0, and its line is shown.
func portZero(_ *testing.T, p *user) {
	p.choose("tinytcp", "port.star")
	p.Click("label.choice", "symbolic")
	p.start("symbolic")
	p.Click(".end.violates button", "show the line")
	p.Wait(`document.querySelector("#finding tr.here[data-line='119']")`)
	p.Click(".end:not(.violates) > summary", "no violation")
	p.Click(".end:not(.violates) .conditions summary", "condition")
	p.Wait(`document.querySelector(".end:not(.violates) .conditions[open] li")?.innerText`)
	p.seen("outcomes")
	p.Click("#finding button", "Travel to it")
	p.Wait(`document.querySelector(".code tr.here")?.innerText`)
	shot(p.Tab, "tcp")
}

// starvedTasks: Lightweight Tracing's case study. The log ends with the handler on the path that fails, and then the reset.
func starvedTasks(_ *testing.T, p *user) {
	p.Fill("input[name=file]", "example:starve_traced-mica2")
	p.Click("label.choice", "trace")
	p.start("trace")
	p.Click(".trace button", "Go to the last reset")
	p.Click(".trace tr.again button.lines", "link.c:31,34,36-39")
	p.Wait(`document.querySelector(".path-code tr.path[data-line='34']")?.innerText.includes("StarveP__listen")`)
	p.seen("trace")
}

// ownWay: somebody chooses what happens, event by event, until an interrupt in the middle of a line loses an update.
func ownWay(t *testing.T, p *user) {
	p.Fill("input[name=file]", "example:ring")
	p.Fill("input[name=serial]", "hello")
	p.Click("button", "Choose what happens")
	p.Wait(`document.querySelectorAll(".explore .choice").length > 0`)
	first := p.Text(".explore .choice")
	p.Click(".explore .choice", "")
	p.Wait(`document.querySelector(".explore")?.innerText.includes("After event 1")`)
	p.Click(".explore button", "run on 1")
	p.Wait(`document.querySelector(".explore")?.innerText.includes("After event 2")`)
	var path string
	p.Eval(`new URLSearchParams(location.search).get("path")`, &path)
	p.Click(".explore button", "back")
	p.Wait(`document.querySelector(".explore")?.innerText.includes("another choice leaves it here")`)
	p.Click(".explore details summary", "in the middle of something")
	p.Click(".explore details .choice", "before it writes count")
	p.Wait(`document.querySelector(".explore .verdict.bad")?.innerText.includes("lost update of count")`)
	p.seen("explore")
	p.Eval("history.back()", nil)
	p.Wait(`new URLSearchParams(location.search).get("at") === "e2"`)
	if now := p.Text(".explore .choice"); first == "" || path == "" || now == "" {
		t.Errorf("first %q, path %q, now %q", first, path, now)
	}
	p.Click(".explore button", "run on 100")
	p.Wait(`document.querySelector(".explore")?.innerText.includes("no event is enabled") || document.querySelectorAll(".explore .choice").length > 0`)
}

// ownScenario: somebody writes a scenario, is shown in its place what is wrong with it, corrects that, and has it run.
func ownScenario(t *testing.T, p *user) {
	p.Fill("input[name=file]", "example:blink-micaz")
	p.Wait(`document.querySelector("#examples option")`)
	p.Fill("input[name=nodes]", "2")
	p.Click("label.choice", "one ordinary run")
	p.Click("button", "Write a scenario")
	p.Wait(`document.querySelector(".editor .errors")?.innerText.includes("Nothing is wrong")`)
	p.Type("x = undefined_name\n")
	p.Wait(`document.querySelector(".editing").shadowRoot.querySelector(".cm-lintRange-error")?.innerText === "undefined_name"`)
	if says := p.Text(".editor .errors"); !strings.Contains(says, "line 1, column 5") || !strings.Contains(says, "undefined_name") {
		t.Errorf("it says %q", says)
	}
	p.seen("editor")
	p.Click(".editor .errors button", "line 1")
	p.Type("1 # ")
	p.Wait(`document.querySelector(".editor .errors")?.innerText.includes("Nothing is wrong")`)
	p.Click(".editor button", "Save and start run")
	p.jobs++
	p.Click(fmt.Sprintf("[data-job='%d'] button", p.jobs), "Show result")
	p.Wait(`document.querySelector(".result .title")?.innerText.includes("run of blink-micaz.star")`)
	text, err := os.ReadFile("blink-micaz.star")
	if err != nil || !strings.HasPrefix(string(text), "x = 1 # undefined_name\nnetwork(") {
		t.Errorf("%s (%v)", text, err)
	}
}

// onTheAir: frames on their way in a network with a link that loses everything, what that took from batteries, and time at another speed, forwards and backwards.
func onTheAir(t *testing.T, p *user) {
	const text = `network(
    motes = [mote(id = i, board = "micaz", firmware = "example:counter-micaz") for i in range(3)],
    links = [link(0, 1, loss = 0.0), link(0, 2, loss = 1.0)],
    faults = [reboot(mote = 2, max = 1)],
)
run(time = "4s", seed = 1)
`
	if err := os.WriteFile("air.star", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	p.Fill("input[name=file]", "air.star")
	p.Click("label.choice", "one ordinary run")
	p.Fill("input[name=seconds]", "4")
	p.Click("button", "Look inside a run")
	p.Wait(`document.querySelector("main.run[data-whole=true]")`)
	frame := `document.querySelector(".flight")?.innerText ?? ""`
	for range 20 { // until it is one of mote 0, which both others are in reach of
		p.Click(".network button", "frame ▶")
		p.Wait(`document.querySelector(".moment").dataset.busy === "false" && (` + frame + `).includes("sends a frame")`)
		var says string
		if p.Eval(frame, &says); strings.HasPrefix(says, "Mote 0 ") {
			break
		}
	}
	if says := p.Text(".flight"); !strings.Contains(says, "mote 1 will have heard it") {
		t.Errorf("it says %q", says)
	}
	if says := p.Text(".faults"); !strings.Contains(says, "reboot at mote 2 (0 of 1)") {
		t.Errorf("it says %q", says)
	}
	var whole, lost int
	p.Eval(`document.querySelectorAll(".map .frame:not(.lost)").length`, &whole)
	p.Eval(`document.querySelectorAll(".map .frame.lost").length`, &lost)
	if whole != 1 || lost != 1 {
		t.Errorf("%d frames are shown, and %d that get lost", whole, lost)
	}
	p.seen("air")
	energy := `Number(document.querySelector(".motes tbody tr td:last-child").innerText)`
	var took, at float64
	p.Eval(energy, &took)
	p.Eval(`Number(new URLSearchParams(location.search).get("at"))`, &at)
	p.Eval(`(() => { const s = document.querySelector("select[aria-label=speed]"); s.value = "0.1"; s.dispatchEvent(new Event("change", { bubbles: true })); })()`, nil)
	p.Click("button[aria-label=play]", "")
	p.Wait(energy + fmt.Sprintf(" > %f", took))
	p.Click("button[aria-label='play backwards']", "")
	p.Wait(`Number(new URLSearchParams(location.search).get("at")) < ` + fmt.Sprintf("%.0f", at))
	p.Click("button[aria-label='play backwards']", "")
}
