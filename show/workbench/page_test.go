package workbench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/internal/peer/chromium"
)

// pictures is where tests keep what they have seen, if somebody wants to look at it.
var pictures = os.Getenv("MOTEHOUND_PICTURES")

func picture(p *chromium.Tab, name string) {
	if pictures != "" {
		p.Picture(filepath.Join(pictures, name+".png"))
	}
}

var desk = chromium.Screen{Width: 1280, Height: 900}

// TestFromFirmwareToLine: a new user finds the race of the ring buffer, and who wrote the variable, by clicking.
func TestFromFirmwareToLine(t *testing.T) {
	c := started(t)
	p := desk.Open(t, c.base+"/?token="+token)
	p.Fill("input[name=file]", "example:ring")
	p.Fill("input[name=serial]", "hello")
	p.Fill("input[name=budget]", "5")
	picture(p, "start")
	p.Click("button", "Start check")
	p.Wait(`document.querySelector("[data-job='1']")?.innerText.includes("violated")`)
	picture(p, "jobs")
	p.Click("[data-job='1'] button", "Show result")
	p.Wait(`document.querySelector("#finding")?.innerText.includes("lost update of count")`)
	picture(p, "finding")
	p.Click("#finding button", "Travel to it")
	p.Wait(`document.querySelector(".code tr.here[data-line='42']")?.innerText.includes("count--")`)
	if says := p.Text(".moment"); !strings.Contains(says, "in event 2") || !strings.Contains(says, "ring.c:42") {
		t.Errorf("it says %q", says)
	}
	picture(p, "run")
	p.Click(".code tr.here button.variable", "count")
	p.Wait(`document.querySelector(".answer")?.innerText.includes("go there")`)
	if says := p.Text(".answer"); !strings.Contains(says, "ring.c:19") || !strings.Contains(says, "0 → 1") {
		t.Errorf("it says %q", says)
	}
	var address string
	p.Eval("location.href", &address)
	p.Click(".answer button", "go there")
	p.Wait(`document.querySelector(".code tr.here[data-line='19']")?.innerText.includes("count++")`)
	picture(p, "wrote")
	p.Click(".code tr[data-line='42'] .no button", "")
	p.Click(".asked button", "runs next")
	p.Wait(`document.querySelector(".code tr.here[data-line='42']")`)
	// A link shows a colleague the same.
	again := chromium.Screen{Width: 700, Height: 900, Dark: true}.Open(t, c.base+"/?token="+token)
	again.Go(address)
	again.Wait(`document.querySelector(".code tr.here[data-line='42']")`)
	picture(again, "half")
}
