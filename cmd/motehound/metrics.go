package main

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// metrics is numbers for Prometheus, of a worker or of a campaign.
type metrics struct {
	mu      sync.Mutex
	values  []metric
	server  *http.Server
	address string
}

type metric struct {
	name, kind, about string
	value             int
}

// newMetrics serves numbers at an address; nil if it is empty.
func newMetrics(address string) (*metrics, error) {
	if address == "" {
		return nil, nil
	}
	if _, _, err := hostPort("--metrics", address); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--metrics: %w", err)
	}
	m := &metrics{address: l.Addr().String(), values: []metric{
		{"motehound_items_done_total", "counter", "Items that are done.", 0},
		{"motehound_items_failed_total", "counter", "Items that nobody could do.", 0},
		{"motehound_items_known", "gauge", "Items of the campaign, as far as is known.", 0},
		{"motehound_items_waiting", "gauge", "Items that wait for a worker.", 0},
		{"motehound_items_working", "gauge", "Items that workers have taken.", 0},
		{"motehound_findings", "gauge", "Causes that were found.", 0},
	}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", m.write)
	const patience = 10 * time.Second
	m.server = &http.Server{Handler: mux, ReadTimeout: patience, WriteTimeout: patience}
	go func() { _ = m.server.Serve(l) }()
	return m, nil
}

func (m *metrics) write(w http.ResponseWriter, _ *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	for _, x := range m.values {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s %d\n", x.name, x.about, x.name, x.kind, x.name, x.value)
	}
}

// set tells how far a campaign is.
func (m *metrics) set(done, known, waiting, working, found int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, n := range map[int]int{0: done, 2: known, 3: waiting, 4: working, 5: found} {
		m.values[i].value = n
	}
}

// did counts an item of a worker.
func (m *metrics) did(failed bool) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.values[0].value++
	if failed {
		m.values[1].value++
	}
}

func (m *metrics) close() {
	if m != nil {
		m.server.Close()
	}
}
