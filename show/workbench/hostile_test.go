package workbench

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
)

// TestPaths: nothing outside of the working folder is read, written or listed.
func TestPaths(t *testing.T) {
	c := started(t)
	secret := t.TempDir()
	if err := os.WriteFile(secret+"/secret.star", []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, "link"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"..", "../..", secret, "link", "link/secret.star", "a/../../x", "/etc/passwd", "./../x.elf", "..\\..\\x", "nul\x00l", "/proc/self/environ", "link/new.star"} {
		escaped := strings.NewReplacer("\\", "\\\\", "\x00", "\\u0000").Replace(path)
		if path != "..\\..\\x" { // is a name like any other here
			c.refused("GET", "/api/files?folder="+strings.ReplaceAll(path, "\x00", "%00"), "", 403, "outside")
			c.refused("POST", "/api/runs", `{"file": "`+escaped+`"}`, 403, "outside")
			c.refused("POST", "/api/jobs", `{"command": "check", "request": {"file": "`+escaped+`"}}`, 403, "outside")
			c.refused("POST", "/api/jobs", `{"command": "check", "request": {"file": "example:ring", "kernels": ["1=`+escaped+`"]}}`, 403, "outside")
			c.refused("POST", "/api/jobs", `{"command": "run", "request": {"file": "example:ring", "topology": "`+escaped+`"}}`, 403, "outside")
			c.refused("POST", "/api/jobs", `{"command": "run", "request": {"file": "example:ring", "serial_in": ["@`+escaped+`"]}}`, 403, "outside")
			c.refused("POST", "/api/jobs", `{"command": "trace", "request": {"file": "example:blink_traced-mica2", "trace_map": "`+escaped+`"}}`, 403, "outside")
			c.refused("POST", "/api/jobs", `{"command": "trace", "request": {"file": "`+escaped+`"}}`, 403, "outside")
			c.refused("POST", "/api/jobs", `{"command": "verify", "request": {"file": "example:blink-micaz", "models": "`+escaped+`"}}`, 403, "outside")
			for _, path := range []string{"/api/scenarios", "/api/scenarios/check"} {
				c.refused("POST", path, `{"path": "`+escaped+`/own.star", "text": "x", "version": ""}`, 403, "outside")
			}
			c.refused("GET", "/api/scenarios?path="+strings.ReplaceAll(path, "\x00", "%00")+"/own.star", "", 403, "outside")
		}
		r := c.request("POST", "/api/files?name="+strings.NewReplacer("\x00", "%00", "/", "%2F", "\\", "%5C").Replace(path), "x")
		r.Header.Set("Content-Type", mediaBytes)
		if status, answer := c.send(r); status != 400 && path != "link" {
			t.Errorf("%q can be written: %d %s", path, status, answer)
		}
	}
	for field, command := range map[string]string{`"corpus": "/tmp"`: "fuzz", `"queries": "x"`: "symbolic", `"trace": "x"`: "mine", `"lifecycle": "x"`: "run"} {
		file := `"file": "example:ring"`
		if command == "mine" {
			file = `"files": ["example:ring"]`
		}
		c.refused("POST", "/api/jobs", `{"command": "`+command+`", "request": {`+file+`, `+field+`}}`, 400, "command line")
	}
	// Out and store are the server's to choose.
	j := c.job("run", `{"file": "example:blink-uno", "time_ns": 1000000, "out": "`+secret+`/out"}`)
	if _, err := os.Stat(secret + "/out"); err == nil || j.State != "done" {
		t.Errorf("%+v: %v", j, err)
	}
	for _, path := range []string{"/../../go.mod", "/%2e%2e/%2e%2e/go.mod", "/dist/../workbench.go", "/api/runs/..%2f..%2fgo", "/api/jobs/..%2f1/result"} {
		if status, answer := c.send(c.request("GET", path, "")); status == 200 && !strings.Contains(string(answer), "<!doctype html>") {
			t.Errorf("GET %s: %.100s", path, answer)
		}
	}
}

// TestStrangers: whoever has no token, or comes from another site, gets nothing, and no script may come from elsewhere.
func TestStrangers(t *testing.T) {
	c := started(t)
	for name, x := range map[string]struct {
		change func(r *http.Request)
		want   int
	}{
		"as it should be": {func(*http.Request) {}, 200},
		"no token":        {func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		"wrong token":     {func(r *http.Request) { r.Header.Set("Authorization", "Bearer sesamo") }, 401},
		"part of it":      {func(r *http.Request) { r.Header.Set("Authorization", "Bearer sesam") }, 401},
		"wrong cookie":    {func(r *http.Request) { r.Header.Del("Authorization"); r.Header.Set("Cookie", "motehound-1=sesame") }, 401},
		"rebound name":    {func(r *http.Request) { r.Host = "evil.example:7070" }, 421},
		"rebound, close":  {func(r *http.Request) { r.Host = "127.0.0.1.evil.example" }, 421},
		"localhost":       {func(r *http.Request) { r.Host = "localhost" + r.Host[strings.LastIndex(r.Host, ":"):] }, 200},
		"other origin":    {func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403},
		"null origin":     {func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		"other port":      {func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }, 403},
		"own origin":      {func(r *http.Request) { r.Header.Set("Origin", "http://"+r.Host) }, 200},
		"cross-site":      {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"same site":       {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, 403},
	} {
		r := c.request("GET", "/api/jobs", "")
		r.Host = r.URL.Host
		x.change(r)
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if p := answer.Header.Get("Content-Security-Policy"); answer.StatusCode != x.want || !strings.Contains(p, "default-src 'none'") || strings.Contains(p, "unsafe") {
			t.Errorf("%s: %d, want %d; policy %q", name, answer.StatusCode, x.want, p)
		}
	}
	for path, want := range map[string]int{"/?token=sesame&run=1": 303, "/?token=wrong": 401, "/api/jobs?token=sesame": 401, "/": 401} {
		r := c.request("GET", path, "")
		r.Header.Del("Authorization")
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		cookie := answer.Header.Get("Set-Cookie")
		if answer.StatusCode != want || want == 303 && (answer.Header.Get("Location") != "/?run=1" || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict")) {
			t.Errorf("%s: %d, %v", path, answer.StatusCode, answer.Header)
		}
	}
	r := c.request("POST", "/api/jobs", `{"command": "run", "request": {"file": "example:ring"}}`)
	r.Header.Set("Content-Type", "text/plain") // as a form of another site can send it
	if status, _ := c.send(r); status != http.StatusUnsupportedMediaType {
		t.Errorf("a form is taken: %d", status)
	}
}

// TestEveryDoor: no route, whichever there are, lets in who has no token or comes from elsewhere, or takes a form of another site or a body without end.
func TestEveryDoor(t *testing.T) {
	c := started(t)
	endless := `{"x": "` + strings.Repeat("x", mostBody) + `"}`
	for _, rt := range routes() {
		path := inPath.ReplaceAllString(rt.path, "1")
		for name, x := range map[string]struct {
			change func(r *http.Request)
			body   string
			want   int
		}{
			"no token":     {func(r *http.Request) { r.Header.Del("Authorization") }, "{}", 401},
			"wrong token":  {func(r *http.Request) { r.Header.Set("Authorization", "Bearer sesamo") }, "{}", 401},
			"rebound name": {func(r *http.Request) { r.Host = "evil.example:7070" }, "{}", 421},
			"other origin": {func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, "{}", 403},
			"cross-site":   {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, "{}", 403},
			"a form":       {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, "{}", 415},
			"endless":      {func(*http.Request) {}, endless, 413},
			"no JSON":      {func(*http.Request) {}, "{", 400},
		} {
			if rt.media() == mediaBytes && rt.in != nil || rt.in == nil && x.want >= 413 && x.want != 421 || rt.in == nil && x.want == 400 {
				continue // it reads no JSON
			}
			r := c.request(rt.method, path, x.body)
			x.change(r)
			if status, answer := c.send(r); status != x.want {
				t.Errorf("%s: %s %s: %d, want %d: %.100s", name, rt.method, path, status, x.want, answer)
			}
		}
	}
}

// TestTooMuch: what is sent is bounded, and so is what is done.
func TestTooMuch(t *testing.T) {
	c := started(t)
	c.refused("POST", "/api/jobs", `{"command": "`+strings.Repeat("x", mostBody)+`"}`, 413, "at most")
	c.refused("POST", "/api/jobs", `{"command": "run", "request": {"file": "example:ring", "nonsense": 1}}`, 400, "nonsense")
	c.refused("POST", "/api/jobs", `{"command": "rm", "request": {}}`, 400, "choose one of")
	c.refused("POST", "/api/jobs", `{"command": "run", "request": [1]}`, 400, "wrong")
	c.refused("POST", "/api/jobs", `{`, 400, "wrong")
	c.refused("GET", "/api/jobs/9", "", 404, "no job")
	c.refused("GET", "/api/runs/x'%22%3Cscript%3E", "", 404, "there is no run")
	c.refused("GET", "/api/runs/000000000000/state?at=1&mote=1", "", 404, "no run")
	const busy = `{"command": "check", "request": {"file": "example:ring_fixed", "budget_ns": 0, "mode": "walk", "walks": 1000000000, "threads": 1}}`
	for range mostRunning + mostWaiting {
		c.ask("POST", "/api/jobs", busy, nil)
	}
	c.refused("POST", "/api/jobs", busy, 429, "cancel one")
	var run openedDoc
	c.ask("POST", "/api/runs", `{"file": "example:blink-uno", "time_ns": 1000000000}`, &run)
	in := "/api/runs/" + run.ID
	c.refused("GET", in+"/state?mote=0", "", 400, "at is missing")
	c.refused("GET", in+"/state?mote=9&at=1", "", 400, "no mote")
	c.refused("GET", in+"/state?mote=1&at=e1", "", 400, "no moment of this run")
	c.refused("GET", in+"/state?mote=1&at=-1", "", 400, "no moment")
	c.refused("GET", in+"/timeline?from=0&to=5&bins=99999999", "", 400, "give 1 to")
	c.refused("GET", in+"/timeline?from=5&to=5&bins=9", "", 400, "empty")
	c.refused("GET", in+"/step?mote=1&at=0&by=leap", "", 400, "no step")
	c.refused("GET", in+"/source?mote=1&file=/etc/passwd", "", 404, "no source file")
	c.refused("GET", in+"/wrote?mote=1&at=5&variable=nothing", "", 400, "nothing")
	c.refused("GET", in+"/ran?mote=1&at=5&file=x&line=1", "", 400, "no code")
}

// TestSlow: two hundred connections that send a byte now and then leave others alone, and take little.
func TestSlow(t *testing.T) {
	c := started(t)
	var before, during runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 200 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		text := "GET / HTTP/1.1\r\nHost: 127"
		if i%2 == 0 {
			text = fmt.Sprintf("POST /api/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{", token)
		}
		if _, err := conn.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	c.ask("GET", "/api/about", "", nil)
	runtime.ReadMemStats(&during)
	if more := int64(during.HeapAlloc) - int64(before.HeapAlloc); more > 32<<20 {
		t.Errorf("200 slow connections take %d bytes", more)
	}
}

// TestConnections: beyond a number of connections, the next ones are closed, and places become free again.
func TestConnections(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	few := bounded(l, 1)
	accepted := make(chan net.Conn, 3)
	go func() {
		for {
			conn, err := few.Accept()
			if err != nil {
				return
			}
			accepted <- conn
		}
	}()
	dial := func() net.Conn {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	first := dial()
	defer first.Close()
	held := <-accepted
	second := dial()
	defer second.Close()
	if n, err := second.Read(make([]byte, 1)); err == nil {
		t.Errorf("a connection too many got %d bytes", n)
	}
	held.Close()
	held.Close()
	third := dial()
	defer third.Close()
	(<-accepted).Close()
}
