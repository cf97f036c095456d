package chromium

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"motehound/internal/need"
)

// Tab is a page of a server on this machine that a test uses as a person does: with a mouse and a keyboard. It speaks Chromium's debugging protocol, over a pipe.
type Tab struct {
	t       testing.TB
	to      io.WriteCloser
	from    *bufio.Reader
	session string
	last    int
	// Wrong is what the page's scripts threw, and what its policy refused.
	Wrong []string
}

// Open opens the page at an address of this machine. Whatever its scripts throw fails the test when it ends.
func (s Screen) Open(t testing.TB, url string) *Tab {
	t.Helper()
	in, toBrowser, err1 := os.Pipe()
	fromBrowser, out, err2 := os.Pipe()
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	c := need.Command(t, "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
		"--user-data-dir="+t.TempDir(), "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "about:blank")
	c.ExtraFiles = []*os.File{in, out} // as descriptors 3 and 4
	var notes bytes.Buffer
	c.Stderr = &notes
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	out.Close()
	p := &Tab{t: t, to: toBrowser, from: bufio.NewReader(fromBrowser)}
	t.Cleanup(func() { p.close(c) })
	var made struct{ TargetID, SessionID string }
	p.call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	p.call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made)
	p.session = made.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		p.call(domain+".enable", nil, nil)
	}
	p.On(s)
	p.Go(url)
	return p
}

// On has the page shown on another screen.
func (p *Tab) On(s Screen) {
	p.t.Helper()
	theme := map[bool]string{false: "light", true: "dark"}[s.Dark]
	p.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": theme}}}, nil)
	p.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": s.Width, "height": s.Height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// For has a part of the test use the page, until that part ends.
func (p *Tab) For(t testing.TB) {
	whole := p.t
	p.t = t
	t.Cleanup(func() { p.t = whole })
}

func (p *Tab) close(c *exec.Cmd) {
	for _, x := range p.Wrong {
		p.t.Errorf("the page: %s", x)
	}
	p.session = ""
	text, _ := json.Marshal(map[string]any{"id": p.last + 1, "method": "Browser.close"})
	_, _ = p.to.Write(append(text, 0)) // it may have gone already
	p.to.Close()
	_ = c.Wait()
}

// call has the browser do something, and reads what it answers. What it tells besides is looked through.
func (p *Tab) call(method string, with map[string]any, into any) {
	p.t.Helper()
	p.last++
	message := map[string]any{"id": p.last, "method": method, "params": with}
	if with == nil {
		delete(message, "params")
	}
	if p.session != "" {
		message["sessionId"] = p.session
	}
	text, err := json.Marshal(message)
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.to.Write(append(text, 0)); err != nil {
		p.t.Fatal(err)
	}
	for {
		text, err := p.from.ReadBytes(0)
		if err != nil {
			p.t.Fatalf("%s: chromium has gone: %v", method, err)
		}
		var answer struct {
			ID             int
			Method         string
			Params, Result json.RawMessage
			Error          *struct{ Message string }
		}
		if err := json.Unmarshal(text[:len(text)-1], &answer); err != nil {
			p.t.Fatal(err)
		}
		switch {
		case answer.ID != p.last:
			p.told(answer.Method, answer.Params)
			continue
		case answer.Error != nil:
			p.t.Fatalf("%s: %s", method, answer.Error.Message)
		case into != nil:
			if err := json.Unmarshal(answer.Result, into); err != nil {
				p.t.Fatal(err)
			}
		}
		return
	}
}

// told notes what is wrong with the page.
func (p *Tab) told(method string, params json.RawMessage) {
	var x struct {
		Entry            struct{ Level, Text, URL string }
		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if json.Unmarshal(params, &x) != nil {
		return
	}
	switch {
	case method == "Runtime.exceptionThrown":
		p.Wrong = append(p.Wrong, x.ExceptionDetails.Text+" "+x.ExceptionDetails.Exception.Description)
	case method == "Log.entryAdded" && x.Entry.Level == "error":
		p.Wrong = append(p.Wrong, x.Entry.Text+" "+x.Entry.URL)
	}
}

// Go opens another address.
func (p *Tab) Go(url string) {
	p.t.Helper()
	var gone struct{ ErrorText string }
	if p.call("Page.navigate", map[string]any{"url": url}, &gone); gone.ErrorText != "" {
		p.t.Fatalf("%s: %s", url, gone.ErrorText)
	}
	p.Wait(`document.readyState === "complete" && location.href !== "about:blank"`)
}

// Eval gives the value of an expression of the page; of a promise what it becomes.
func (p *Tab) Eval(expression string, into any) {
	p.t.Helper()
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	p.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &got)
	if got.ExceptionDetails != nil {
		p.t.Fatalf("%s: %s", expression, got.ExceptionDetails.Exception.Description)
	}
	if into != nil {
		if err := json.Unmarshal(got.Result.Value, into); err != nil {
			p.t.Fatalf("%s: %v: %s", expression, err, got.Result.Value)
		}
	}
}

// Wait waits until something is so on the page.
func (p *Tab) Wait(condition string) {
	p.t.Helper()
	const patience = 60_000 // then the page hangs, and it is better to see what it shows
	var ok bool
	p.Eval(fmt.Sprintf(`new Promise((done) => {
		const end = performance.now() + %d;
		const look = () => (%s) ? done(true) : performance.now() > end ? done(false) : setTimeout(look, 20);
		look();
	})`, patience, condition), &ok)
	if !ok {
		var text string
		p.Eval("document.body.innerText", &text)
		p.t.Fatalf("never was %s; the page shows\n%.3000s", condition, text)
	}
}

// quoted is a text as an expression.
func quoted(text string) string {
	q, _ := json.Marshal(text)
	return string(q)
}

// Text is what an element shows, when it is there.
func (p *Tab) Text(selector string) (text string) {
	p.t.Helper()
	p.Wait("document.querySelector(" + quoted(selector) + ")")
	p.Eval("document.querySelector("+quoted(selector)+").innerText", &text)
	return text
}

// Click clicks on the middle of an element when it is there; one that holds a text, if a text is given.
func (p *Tab) Click(selector, text string) {
	p.t.Helper()
	find := fmt.Sprintf("[...document.querySelectorAll(%s)].find((e) => e.innerText === undefined || e.innerText.includes(%s))", quoted(selector), quoted(text))
	p.Wait(find)
	var at struct{ X, Y float64 } // where it stays for two pictures in a row, as somebody who aims would see it
	p.Eval(fmt.Sprintf(`new Promise((done) => {
		const place = () => { const r = (%s).getBoundingClientRect(); return { x: r.x + r.width / 2, y: r.y + r.height / 2 }; };
		const look = (last) => requestAnimationFrame(() => {
			const now = place();
			now.x === last.x && now.y === last.y ? done(now) : look(now);
		});
		(%s).scrollIntoView({ block: "center" });
		look({});
	})`, find, find), &at)
	p.ClickAt(at.X, at.Y)
}

// ClickAt clicks somewhere in the window.
func (p *Tab) ClickAt(x, y float64) {
	p.t.Helper()
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		p.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}, nil)
	}
}

// Fill types a text into a field, instead of what is in it.
func (p *Tab) Fill(selector, text string) {
	p.t.Helper()
	p.Wait("document.querySelector(" + quoted(selector) + ")")
	p.Eval("(() => { const e = document.querySelector("+quoted(selector)+"); e.focus(); e.select(); })()", nil)
	p.Type(text)
}

// Type types a text where the cursor is.
func (p *Tab) Type(text string) {
	p.t.Helper()
	p.call("Input.insertText", map[string]any{"text": text}, nil)
}

// Press presses a key.
func (p *Tab) Press(key string) {
	p.t.Helper()
	down := map[string]any{"type": "keyDown", "key": key}
	if len(key) == 1 {
		down["text"] = key
		down["code"] = "Key" + strings.ToUpper(key)
	}
	if key == "Escape" {
		down["windowsVirtualKeyCode"] = 27 // by which dialogs know it
	}
	p.call("Input.dispatchKeyEvent", down, nil)
	p.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}, nil)
}

// Picture writes what is seen to a PNG file.
func (p *Tab) Picture(path string) {
	p.t.Helper()
	var shot struct{ Data string }
	p.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}
