//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// servers are the NATS servers of a round, a cluster if there are several.
type servers struct {
	urls    string // for clients
	monitor []string
	all     []*process
}

// ports are free ones.
func ports(n int) (list []int, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		list = append(list, l.Addr().(*net.TCPAddr).Port)
	}
	return list, nil
}

// newServers are those of a round, which are not started yet.
func (p programs) newServers(r round) (*servers, error) {
	free, err := ports(3 * r.servers)
	if err != nil {
		return nil, err
	}
	var routes, clients []string
	for i := range r.servers {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", free[r.servers+i]))
		clients = append(clients, fmt.Sprintf("nats://127.0.0.1:%d", free[i]))
	}
	s := &servers{urls: strings.Join(clients, ",")}
	for i := range r.servers {
		cluster := ""
		if r.servers > 1 {
			cluster = fmt.Sprintf("cluster { name: motes, listen: \"127.0.0.1:%d\", routes: [%s] }\n", free[r.servers+i], strings.Join(routes, ", "))
		}
		monitor := fmt.Sprintf("127.0.0.1:%d", free[2*r.servers+i])
		file := filepath.Join(r.dir, fmt.Sprintf("server%d.conf", i))
		text := fmt.Sprintf("server_name: s%d\nlisten: \"127.0.0.1:%d\"\nhttp: %q\njetstream { store_dir: %q, sync_interval: always }\n%s", i, free[i], monitor, filepath.Join(r.dir, fmt.Sprintf("store%d", i)), cluster)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return nil, err
		}
		s.monitor = append(s.monitor, "http://"+monitor)
		s.all = append(s.all, &process{name: fmt.Sprintf("server %d", i), make: func() *exec.Cmd { return exec.Command(p.server, "-c", file) }})
	}
	return s, nil
}

// ask asks a server's monitor. A server that does not answer is as good as dead.
func ask(url string, answer any) error {
	client := http.Client{Timeout: 5 * time.Second}
	got, err := client.Get(url)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusOK {
		return errors.New(got.Status)
	}
	return json.NewDecoder(got.Body).Decode(answer)
}

// healthy tells whether all servers run and have all that the others have.
func (s *servers) healthy() bool {
	for _, url := range s.monitor {
		var answer struct {
			Status string `json:"status"`
		}
		if ask(url+"/healthz", &answer) != nil || answer.Status != "ok" {
			return false
		}
	}
	return true
}

// reached tells whether one of the servers listens.
func (s *servers) reached() bool {
	for url := range strings.SplitSeq(s.urls, ",") {
		if c, err := net.Dial("tcp", strings.TrimPrefix(url, "nats://")); err == nil {
			c.Close()
			return true
		}
	}
	return false
}

// held is what a server keeps of a campaign.
type held struct{ items, results int }

// held is what each server keeps.
func (s *servers) held() (list []held) {
	for _, url := range s.monitor {
		var answer struct {
			Accounts []struct {
				Streams []struct {
					Name  string `json:"name"`
					State struct {
						Messages int `json:"messages"`
					} `json:"state"`
				} `json:"stream_detail"`
			} `json:"account_details"`
		}
		var h held
		if ask(url+"/jsz?streams=true", &answer) == nil {
			for _, a := range answer.Accounts {
				for _, x := range a.Streams {
					switch {
					case strings.HasPrefix(x.Name, "MOTEHOUND_ITEMS_"):
						h.items = x.State.Messages
					case strings.HasPrefix(x.Name, "MOTEHOUND_RESULTS_"):
						h.results = x.State.Messages
					}
				}
			}
		}
		list = append(list, h)
	}
	return list
}

// traffic is what a server has received and sent.
type traffic struct {
	InBytes  int64 `json:"in_bytes"`
	OutBytes int64 `json:"out_bytes"`
}
