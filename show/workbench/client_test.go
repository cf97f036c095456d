package workbench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const token = "sesame"

// client asks a server, and holds every answer against the description of the API.
type client struct {
	t       *testing.T
	base    string
	schemas *jsonschema.Compiler
	asked   map[string]bool // routes
}

// started is a server in a folder of its own, which becomes the working folder.
func started(t *testing.T) *client {
	t.Helper()
	t.Chdir(t.TempDir())
	return again(t)
}

// again is a server where there may have been one before.
func again(t *testing.T) *client {
	t.Helper()
	s, err := New(Options{Folder: ".", Version: "test", Token: token, Say: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	text, err := json.Marshal(openAPI())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, base: "http://" + l.Addr().String(), schemas: jsonschema.NewCompiler(), asked: map[string]bool{}}
	if err := c.schemas.AddResource("api.json", doc); err != nil {
		t.Fatal(err)
	}
	return c
}

// send sends a request as it is.
func (c *client) send(r *http.Request) (status int, body []byte) {
	c.t.Helper()
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err = io.ReadAll(answer.Body); err != nil {
		c.t.Fatal(err)
	}
	return answer.StatusCode, body
}

// request is one with everything that it needs.
func (c *client) request(method, path, body string) *http.Request {
	c.t.Helper()
	r, err := http.NewRequest(method, c.base+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", mediaJSON)
	}
	return r
}

// ask wants an answer that fits the description, and reads it.
func (c *client) ask(method, path, body string, into any) {
	c.t.Helper()
	status, answer := c.send(c.request(method, path, body))
	if status != http.StatusOK {
		c.t.Fatalf("%s %s: %d %s", method, path, status, answer)
	}
	c.fits(method, path, answer)
	if into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			c.t.Fatal(err)
		}
	}
}

// refused wants an error that says something.
func (c *client) refused(method, path, body string, want int, says string) {
	c.t.Helper()
	status, answer := c.send(c.request(method, path, body))
	if status != want || !strings.Contains(string(answer), says) {
		c.t.Errorf("%s %.100s %.100s: %d %.300s, want %d and %q", method, path, body, status, answer, want, says)
	}
}

// fits holds an answer against the schema of its route.
func (c *client) fits(method, path string, answer []byte) {
	c.t.Helper()
	path, _, _ = strings.Cut(path, "?")
	for _, r := range routes() {
		if r.method != method || !regexp.MustCompile("^"+inPath.ReplaceAllString(r.path, "[^/]+")+"$").MatchString(path) {
			continue
		}
		c.asked[r.method+" "+r.path] = true
		media := "application~1json"
		if r.stream != nil {
			media = "text~1event-stream"
		}
		at := "api.json#/paths/" + strings.NewReplacer("/", "~1", "{", "%7B", "}", "%7D").Replace(r.path) + "/" + strings.ToLower(method) + "/responses/200/content/" + media + "/schema"
		schema, err := c.schemas.Compile(at)
		if err != nil {
			c.t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer))
		if err == nil {
			err = schema.Validate(doc)
		}
		if err != nil {
			c.t.Errorf("%s %s: the answer does not fit the description: %v\n%.2000s", method, path, err, answer)
		}
		return
	}
	c.t.Errorf("%s %s is not described", method, path)
}

// job starts one, and waits for its end.
func (c *client) job(command, request string) (j jobDoc) {
	c.t.Helper()
	c.ask("POST", "/api/jobs", `{"command": "`+command+`", "request": `+request+`}`, &j)
	return c.follow(j)
}

// follow reads the events of a job up to its end.
func (c *client) follow(j jobDoc) jobDoc {
	c.t.Helper()
	c.streamed("/api/jobs/"+itoa(j.ID)+"/events", func(data []byte) bool {
		j = jobDoc{}
		if err := json.Unmarshal(data, &j); err != nil {
			c.t.Fatal(err)
		}
		return true
	})
	return j
}

// streamed reads events to the end, or as long as somebody wants more.
func (c *client) streamed(path string, more func(data []byte) bool) {
	c.t.Helper()
	answer, err := http.DefaultTransport.RoundTrip(c.request("GET", path, ""))
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			if c.fits("GET", path, []byte(data)); !more([]byte(data)) {
				return
			}
		}
	}
}
