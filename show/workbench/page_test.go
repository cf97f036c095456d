package workbench

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"motehound/internal/peer/chromium"
)

// pictures is where tests keep what they have seen, if somebody wants to look at it.
var pictures = os.Getenv("MOTEHOUND_PICTURES")

// shot keeps what is seen, on a desk by day and on half a screen by night.
func shot(p *chromium.Tab, name string) {
	if pictures == "" {
		return
	}
	p.Picture(filepath.Join(pictures, name+".png"))
	p.On(chromium.Screen{Width: 640, Height: 900, Dark: true})
	p.Wait("innerWidth === 640")
	p.Picture(filepath.Join(pictures, name+"-half.png"))
	p.On(desk)
	p.Wait("innerWidth === 1280")
}

var desk = chromium.Screen{Width: 1280, Height: 900}

// TestPlayed: a network is played, stopped, stepped and scrubbed, forwards and backwards, with the mouse and with keys.
func TestPlayed(t *testing.T) {
	c := started(t)
	p := desk.Open(t, c.base+"/?token="+token)
	p.Fill("input[name=file]", "example:counter-micaz")
	p.Click("label.choice", "run")
	p.Fill("input[name=nodes]", "5")
	p.Fill("input[name=seconds]", "4")
	p.Click("button", "Look inside a run")
	p.Wait(`document.querySelectorAll(".map .mote").length === 5 && document.querySelector(".motes tbody tr")`)
	at := func() (ps float64) {
		p.Eval(`Number(new URLSearchParams(location.search).get("at"))`, &ps)
		return ps
	}
	p.Click("button[aria-label=play]", "")
	p.Wait(`Number(new URLSearchParams(location.search).get("at")) > 1.5e12`)
	p.Press(" ")
	p.Wait(`document.querySelector("button[aria-label=play]").getAttribute("aria-pressed") === "false"`)
	stopped := at()
	shot(p, "network")
	p.Press(".")
	p.Wait(`Number(new URLSearchParams(location.search).get("at")) > ` + itoa(int(stopped)))
	p.Press(",")
	p.Press(",")
	p.Wait(`Number(new URLSearchParams(location.search).get("at")) <= ` + itoa(int(stopped)))
	p.Press("b")
	p.Wait(`Number(new URLSearchParams(location.search).get("at")) < 1e12`)
	p.Press("b")
	p.Click(".map .mote[aria-label^='mote 3']", "")
	p.Wait(`document.querySelector(".mote-pane h2")?.innerText === "Mote 3"`)
	p.Press("f")
	for range 26 { // until the calls of the mote are to be seen
		p.Press("w")
	}
	p.Wait(`Number(document.querySelector("canvas").dataset.calls) > 0`)
	p.Wait(`document.querySelector(".moment").dataset.busy === "false"`)
	shot(p, "zoomed")
	p.Press("?")
	p.Wait(`document.querySelector("dialog[open]")?.innerText.includes("previous event")`)
	shot(p, "keys")
	p.Click("dialog[open] button", "Close")
	// A view is saved, and found again by its name.
	p.Click("header button", "save view")
	p.Fill("dialog[open] input[name=name]", "here <b>it</b> begins")
	p.Click("dialog[open] button", "Save")
	p.Wait(`!document.querySelector("dialog[open]")`)
	var address string
	p.Eval("location.search", &address)
	p.Press("h")
	p.Wait(`document.querySelector(".view .link")?.innerText === "here <b>it</b> begins"`)
	p.Press(":")
	p.Fill(".palette input", "view begins")
	p.Wait(`document.querySelectorAll(".palette li").length === 1`)
	shot(p, "palette")
	p.Press("Enter")
	p.Wait("location.search === " + quoted(address) + ` && document.querySelector(".mote-pane h2")?.innerText === "Mote 3"`)
	p.Click("header button", "commands")
	p.Fill(".palette input", "next event")
	p.Click(".palette li", "Next event")
	p.Wait("location.search !== " + quoted(address))
}

// TestNames: what files, symbols and scripts are called is shown as text, whatever is in it.
func TestNames(t *testing.T) {
	c := started(t)
	const evil = `<img src=x onerror=alert(1)>&"'.star`
	script := `network(motes = [mote(id = 1, board = "uno", firmware = "example:blink-uno")])
run(time = "1s", seed = 1)
always("<script>document.title = 'owned'</script><img src=x onerror=\"document.title = 'owned'\">", lambda net: False)
`
	if err := os.WriteFile(evil, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	p := desk.Open(t, c.base+"/?token="+token)
	p.Click(".browser summary", "")
	p.Click(".browser button", "onerror")
	p.Fill("input[name=budget]", "2")
	p.Click("button", "Start check")
	p.Click("[data-job='1'] button", "Show result")
	p.Wait(`document.querySelector("#finding")?.innerText.includes("<script>document.title")`)
	p.Click("#finding button", "Travel to it")
	p.Wait(`document.querySelector("main.run .verdict")?.innerText.includes("<script>document.title")`)
	p.Go(c.base + `/?run=%3Cscript%3Ealert(1)%3C%2Fscript%3E`)
	p.Wait(`document.querySelector("[role=alert]")?.innerText.includes("<script>alert")`)
	p.Wrong = nil // that run is not there: 404
	var title string
	var images int
	p.Eval("document.title", &title)
	p.Eval("document.images.length", &images)
	if title != "Motehound" || images != 0 {
		t.Errorf("the page has the title %q, and %d images", title, images)
	}
}

// TestMillionEvents prints how smooth the timeline is when a million things happen: a figure, not a bar that a busy machine fails.
func TestMillionEvents(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	c := started(t)
	var run openedDoc
	c.ask("POST", "/api/runs", `{"file": "example:counter-mica2", "nodes": 16, "time_ns": 30000000000}`, &run)
	p := desk.Open(t, c.base+"/?token="+token)
	p.Go(c.base + "/?run=" + run.ID + "&mote=0&at=15000000000000")
	p.Wait(`document.querySelector("canvas")?.clientHeight > 500`)
	p.Wait(`document.querySelector("main.run[data-whole=true]")`)
	for range 22 {
		p.Press("s") // until all of it is in view
	}
	events := func() (n int) {
		p.Eval(`(async () => { const r = await (await fetch("api/runs/`+run.ID+`/timeline?from=0&to=30000000000000&bins=1000")).json(); return r.motes.flatMap((m) => m.lanes).reduce((n, l) => n + l.total, 0); })()`, &n)
		return n
	}()
	if events < 1_000_000 {
		t.Errorf("only %d things happen", events)
	}
	var times []float64
	p.Eval(`(async () => {
		const times = [];
		document.body.focus();
		let last = await new Promise(requestAnimationFrame);
		for (let i = 0; i < 180; i++) {
			document.body.dispatchEvent(new KeyboardEvent("keydown", { key: i % 60 < 20 ? "w" : i % 60 < 40 ? (i % 2 ? "a" : "d") : "s", bubbles: true }));
			const now = await new Promise(requestAnimationFrame);
			times.push(now - last);
			last = now;
		}
		return times;
	})()`, &times)
	shot(p, "million")
	figures(t, c, p, run.ID)
	slices.Sort(times)
	t.Logf("%d events: a frame takes %.1f ms in the middle, %.1f ms for 95 of 100, %.1f ms at worst", events, times[len(times)/2], times[len(times)*95/100], times[len(times)-1])
}

// figures prints how soon the first view is there, and how much CPU time of the server a jump in a run takes.
func figures(t *testing.T, c *client, p *chromium.Tab, run string) {
	t.Helper()
	spent := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	var jumps []time.Duration
	for i := range 20 {
		before := spent()
		c.ask("GET", "/api/runs/"+run+"/state?mote=0&at="+itoa((i*7919%300)*100_000_000_000), "", nil)
		jumps = append(jumps, spent()-before)
	}
	slices.Sort(jumps)
	p.Go(c.base + "/")
	p.Wait(`document.querySelector(".start") && performance.getEntriesByName("first-contentful-paint").length`)
	var first float64
	p.Eval(`performance.getEntriesByName("first-contentful-paint")[0].startTime`, &first)
	t.Logf("the first view is there after %.0f ms; a jump in 30 s of 16 motes takes %v of CPU time in the middle, %v at worst", first, jumps[len(jumps)/2], jumps[len(jumps)-1])
}
