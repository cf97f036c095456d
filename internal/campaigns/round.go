package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// programs are what is run.
type programs struct{ motehound, server string }

// build builds them.
func build(dir string) (programs, error) {
	p := programs{filepath.Join(dir, "motehound"), filepath.Join(dir, "nats-server")}
	all := map[string]string{p.motehound: "motehound/cmd/motehound", p.server: "github.com/nats-io/nats-server/v2"}
	if built := os.Getenv("MOTEHOUND_BUILT"); built != "" { // as in make test
		delete(all, p.motehound)
		p.motehound = filepath.Join(built, "motehound")
	}
	for path, pkg := range all {
		if out, err := exec.Command("go", "build", "-o", path, pkg).CombinedOutput(); err != nil {
			return p, fmt.Errorf("building %s: %w\n%s", pkg, err, out)
		}
	}
	return p, nil
}

// round is a campaign, and who is killed meanwhile.
type round struct {
	items   int
	servers int
	kills   int
	seed    uint64
	dir     string
	traffic *traffic // nil if nobody wants to know
}

// process is something that is started again when it was killed.
type process struct {
	name string
	make func() *exec.Cmd
	cmd  *exec.Cmd
	done chan error
	out  *bytes.Buffer
}

func (p *process) start() error {
	p.cmd, p.done, p.out = p.make(), make(chan error, 1), new(bytes.Buffer)
	errs := new(bytes.Buffer)
	p.cmd.Stdout, p.cmd.Stderr = p.out, errs
	if err := p.cmd.Start(); err != nil {
		return err
	}
	done, cmd := p.done, p.cmd
	go func() {
		err := cmd.Wait()
		if err != nil {
			err = fmt.Errorf("%s: %w\n%s", p.name, err, errs)
		}
		done <- err
	}()
	return nil
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
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

// natsServers are the servers of a round, a cluster if there are several.
func (p programs) natsServers(r round) (urls string, all []*process, err error) {
	free, err := ports(3 * r.servers)
	if err != nil {
		return "", nil, err
	}
	var routes, clients []string
	for i := range r.servers {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", free[r.servers+i]))
		clients = append(clients, fmt.Sprintf("nats://127.0.0.1:%d", free[i]))
	}
	for i := range r.servers {
		cluster := ""
		if r.servers > 1 {
			cluster = fmt.Sprintf("cluster { name: motes, listen: \"127.0.0.1:%d\", routes: [%s] }\n", free[r.servers+i], strings.Join(routes, ", "))
		}
		file := filepath.Join(r.dir, fmt.Sprintf("server%d.conf", i))
		text := fmt.Sprintf("server_name: s%d\nlisten: \"127.0.0.1:%d\"\nhttp: \"127.0.0.1:%d\"\njetstream { store_dir: %q, sync_interval: always }\n%s", i, free[i], free[2*r.servers+i], filepath.Join(r.dir, fmt.Sprintf("store%d", i)), cluster)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return "", nil, err
		}
		all = append(all, &process{name: fmt.Sprintf("server %d", i), make: func() *exec.Cmd { return exec.Command(p.server, "-c", file) }})
	}
	if r.traffic != nil {
		r.traffic.url = fmt.Sprintf("http://127.0.0.1:%d/varz", free[2*r.servers])
	}
	return strings.Join(clients, ","), all, nil
}

// traffic is what a server has received and sent.
type traffic struct {
	url      string
	InBytes  int64 `json:"in_bytes"`
	OutBytes int64 `json:"out_bytes"`
}

// ask asks the server.
func (t *traffic) ask() error {
	if t == nil {
		return nil
	}
	answer, err := http.Get(t.url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	return json.NewDecoder(answer.Body).Decode(t)
}

// round does a campaign, and gives its result and who was killed.
func (p programs) round(r round) (result []byte, killed string, err error) {
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return nil, "", err
	}
	urls, servers, err := p.natsServers(r)
	if err != nil {
		return nil, "", err
	}
	all := servers
	for n := range 2 {
		store := filepath.Join(r.dir, fmt.Sprintf("worker%d", n))
		all = append(all, &process{name: "worker", make: func() *exec.Cmd { return exec.Command(p.motehound, "worker", "--nats", urls, "--store", store) }})
	}
	coordinator := &process{name: "coordinator", make: func() *exec.Cmd {
		return exec.Command(p.motehound, "campaign", "start", "check", "--nats", urls, "--workers", "0", "--json", "--mode", "walk", "--events", "30", "--shorten", "2000",
			"--item-walks", "1", "--walks", fmt.Sprint(r.items), "--serial-in", "hello", "example:ring")
	}}
	all = append(all, coordinator)
	for _, x := range all {
		if err := p.start(x, urls); err != nil {
			return nil, "", err
		}
		defer func() { _ = x.cmd.Process.Kill() }()
	}
	return p.disturbed(r, urls, servers, all, coordinator)
}

// start starts a process. Those who need a server wait for one.
func (p programs) start(x *process, urls string) error {
	const tries = 300
	for range tries {
		if strings.HasPrefix(x.name, "server") || reached(urls) {
			return x.start()
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("no server can be reached")
}

// reached tells whether one of the servers listens.
func reached(urls string) bool {
	for url := range strings.SplitSeq(urls, ",") {
		if c, err := net.Dial("tcp", strings.TrimPrefix(url, "nats://")); err == nil {
			c.Close()
			return true
		}
	}
	return false
}

// disturbed kills processes at random moments and starts them again, until the coordinator has the result.
func (p programs) disturbed(r round, urls string, servers, all []*process, coordinator *process) ([]byte, string, error) {
	random := rand.New(rand.NewPCG(r.seed, 1))
	count := map[string]int{}
	for left := r.kills; ; left-- {
		wait := make(<-chan time.Time)
		if left > 0 {
			wait = time.After(time.Duration(random.IntN(1500)) * time.Millisecond)
		}
		select {
		case err := <-coordinator.done:
			coordinator.done <- nil
			var status *exec.ExitError
			if errors.As(err, &status) && status.ExitCode() == 1 { // it has found something
				err = nil
			}
			if err == nil {
				return coordinator.out.Bytes(), fmt.Sprint(count), r.traffic.ask()
			}
			if len(servers) == 0 || r.kills == 0 {
				return nil, "", err
			}
			// it was started while no server could be reached, or one was without a leader
			count["coordinator gave up"]++
			if count["coordinator gave up"] > r.kills {
				return nil, "", err
			}
			if err := p.start(coordinator, urls); err != nil {
				return nil, "", err
			}
			continue
		case <-wait:
		}
		x := all[random.IntN(len(all))]
		x.kill()
		count[strings.TrimRight(x.name, " 012")]++
		if strings.HasPrefix(x.name, "server") {
			time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
		}
		if err := p.start(x, urls); err != nil {
			return nil, "", err
		}
	}
}
