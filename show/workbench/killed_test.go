package workbench

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const servedHere = "MOTEHOUND_SERVED_HERE"

// TestServed is a server that TestKilled starts: alone it does nothing.
func TestServed(t *testing.T) {
	if os.Getenv(servedHere) == "" {
		t.Skip("it is a part of TestKilled")
	}
	s, err := New(Options{Folder: ".", Version: "test", Token: token, Say: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("serving " + l.Addr().String())
	t.Fatal(s.Serve(context.Background(), l))
}

// elsewhere is a server in another process, which can be killed.
func elsewhere(t *testing.T, c *client) (kill func()) {
	t.Helper()
	p := exec.Command(os.Args[0], "-test.run=^TestServed$", "-test.v")
	p.Env = append(os.Environ(), servedHere+"=1")
	out, err := p.StdoutPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	ended := false
	kill = func() {
		if !ended {
			_ = p.Process.Kill() // as kill -9 does; it has nothing to say
			_ = p.Wait()
			ended = true
		}
	}
	t.Cleanup(kill)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if at, ok := strings.CutPrefix(lines.Text(), "serving "); ok {
			c.base = "http://" + at
			return kill
		}
	}
	t.Fatal("the server has not begun")
	return nil
}

// TestKilled: after kill -9, in the middle of work and of writing, findings, their life cycle, views, models, judgements and results are as they were.
func TestKilled(t *testing.T) {
	c := started(t)
	kill := elsewhere(t, c)
	hunted := c.job("hunt", `{"file": "example:ring", "serial_in": ["hello"], "budget_ns": 0, "total": 3000, "engines": ["check"]}`)
	var before, after listedDoc
	c.ask("GET", "/api/findings", "", &before)
	c.ask("POST", "/api/findings/"+before.Findings[0].Key, `{"reason": "known"}`, nil)
	c.ask("POST", "/api/jobs/1/judged", `{"key": "x", "says": "confirmed"}`, nil)
	mined := c.job("model", `{"file": "example:blink-micaz", "time_ns": 1000000000}`)
	c.ask("POST", "/api/models", `{"job": `+itoa(mined.ID)+`}`, nil)
	var run openedDoc
	c.ask("POST", "/api/runs", `{"file": "`+inStoreOf(t, c)+`"}`, &run)
	saved := 0
	for range 3 {
		var long jobDoc
		c.ask("POST", "/api/jobs", `{"command": "check", "request": {"file": "example:ring_fixed", "budget_ns": 0, "mode": "walk", "walks": 1000000000, "threads": 1}}`, &long)
		// Somebody saves views, one after the other, until the server is gone: what it has said is kept.
		stop := make(chan struct{})
		go func() {
			<-stop
			kill()
		}()
		for i := 0; ; i++ {
			if i == 20 {
				close(stop)
			}
			r := c.request("POST", "/api/views", fmt.Sprintf(`{"name": "view %06d", "address": "?run=%s&at=e%d"}`, saved%400, run.ID, saved))
			answer, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				break
			}
			answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				t.Fatalf("view %d: %s", saved, answer.Status)
			}
			saved++
		}
		kill = elsewhere(t, c)
		var views viewsDoc
		c.ask("GET", "/api/views", "", &views)
		if len(views.Views) < min(saved, 400) || len(views.Views) > saved+1 {
			t.Errorf("%d views were saved, and %d are there", saved, len(views.Views))
		}
		saved = len(views.Views) // one may have been written, and nobody told
		c.ask("GET", "/api/jobs/"+itoa(long.ID), "", &long)
		if long.State != "lost" {
			t.Errorf("%+v", long)
		}
	}
	c.ask("GET", "/api/findings", "", &after)
	var judged judgementsDoc
	c.ask("GET", "/api/jobs/1/judged", "", &judged)
	var models modelsDoc
	c.ask("GET", "/api/models", "", &models)
	var first jobDoc
	c.ask("GET", "/api/jobs/1", "", &first)
	c.ask("GET", "/api/jobs/1/result", "", nil)
	c.ask("GET", "/api/runs/"+run.ID+"/finding", "", nil)
	if len(after.Findings) != len(before.Findings) || after.Findings[0].State != "dismissed" || after.Findings[0].Reason != "known" || judged.Judged["x"] != "confirmed" || len(models.Files) != 1 || first.Verdict != hunted.Verdict {
		t.Errorf("%+v\n%+v\n%+v\n%+v", after, judged, models, first)
	}
	c.ask("DELETE", "/api/views/view%20000000", "", nil)
	c.refused("DELETE", "/api/views/nothing", "", 404, "no view")
	c.refused("POST", "/api/views", `{"name": "x", "address": "http://evil.example"}`, 400, "question mark")
}
