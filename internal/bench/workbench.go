package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"time"

	"motehound/internal/motes"
	"motehound/show/workbench"
	"motehound/world"
)

// browsed is what an hour is looked at of in the workbench, on 16 motes.
var browsed = flag.String("browse", "example:counter-micaz", "what the group workbench opens: `firmware`, with its whole path, or an example")

// visitor is somebody who asks a server what its page asks.
type visitor struct{ base, token string }

// browsing opens an hour of 16 motes in a server, and goes to moments of it: all that the page asks for each time.
func browsing() (list []result, err error) {
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	before, err := os.Getwd()
	if err == nil {
		err = os.Chdir(folder) // a server's folder is that of its process
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errorOr(err, os.Chdir(before)) }()
	v, stop, err := serve(folder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errorOr(err, stop()) }()
	return v.browse()
}

func errorOr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// serve starts a server.
func serve(folder string) (*visitor, func() error, error) {
	const token = "bench"
	s, err := workbench.New(workbench.Options{Folder: folder, File: *browsed, Token: token, Say: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }})
	if err != nil {
		return nil, nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	return &visitor{"http://" + l.Addr().String(), token}, func() error { cancel(); return <-ended }, nil
}

func (v *visitor) ask(method, path string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(method, v.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+v.token)
	r.Header.Set("Content-Type", "application/json")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, got.Status)
	}
	return json.NewDecoder(got.Body).Decode(answer)
}

// look asks what the page asks at a moment: the motes, as much of the timeline as it shows of 16 motes, and the source.
func (v *visitor) look(run string, at uint64) (cpu float64, err error) {
	const around = 1250 * world.Millisecond
	began := motes.CPUTime()
	var state struct {
		Motes []struct {
			Place struct{ File string }
		}
	}
	var any any
	if err := v.ask("GET", fmt.Sprintf("/api/runs/%s/state?mote=0&at=%d", run, at), nil, &state); err != nil {
		return 0, err
	}
	from := at - min(at, around)
	if err := v.ask("GET", fmt.Sprintf("/api/runs/%s/timeline?bins=600&from=%d&to=%d", run, from, from+2*around), nil, &any); err != nil {
		return 0, err
	}
	if file := state.Motes[0].Place.File; file != "" {
		err = v.ask("GET", "/api/runs/"+run+"/source?mote=0&file="+file, nil, &any)
	}
	return (motes.CPUTime() - began).Seconds(), err
}

func (v *visitor) browse() ([]result, error) {
	var run struct{ ID string }
	began, at := time.Now(), motes.CPUTime()
	if err := v.ask("POST", "/api/runs", map[string]any{"file": *browsed, "nodes": 16, "topology": "grid", "time_ns": int64(time.Hour)}, &run); err != nil {
		return nil, err
	}
	if _, err := v.look(run.ID, 0); err != nil {
		return nil, err
	}
	opened := time.Since(began).Seconds()
	for known := (struct{ Whole bool }{}); !known.Whole; {
		time.Sleep(time.Second)
		if err := v.ask("GET", "/api/runs/"+run.ID+"/recorded", nil, &known); err != nil {
			return nil, err
		}
	}
	whole := (motes.CPUTime() - at).Seconds()
	rng := rand.New(rand.NewPCG(1, 1))
	var jumps []float64
	for range 100 {
		cpu, err := v.look(run.ID, rng.Uint64N(3600*world.Second))
		if err != nil {
			return nil, err
		}
		jumps = append(jumps, cpu)
	}
	slices.Sort(jumps)
	var any any
	at = motes.CPUTime()
	if err := v.ask("GET", fmt.Sprintf("/api/runs/%s/timeline?bins=600&from=0&to=%d", run.ID, uint64(3600*world.Second)), nil, &any); err != nil {
		return nil, err
	}
	overview := (motes.CPUTime() - at).Seconds()
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return []result{
		{"the workbench opens an hour of 16 motes, shown from its start, in", opened, "s", "at most", 3},
		{what: "... and has recorded all of it, in the background, after", got: whole, unit: "s of CPU time"},
		{"... memory for that", float64(m.HeapAlloc) / (1 << 20), "MB", "at most", 400},
		{what: "... a jump to a random moment, the median of 100", got: jumps[len(jumps)/2], unit: "s of CPU time"},
		{"... and the longest", jumps[len(jumps)-1], "s of CPU time", "at most", 0.2},
		{"... the timeline of the whole hour", overview, "s of CPU time", "at most", 0.2},
	}, nil
}
