//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
)

// programs are what is run.
type programs struct{ motehound, server string }

// build builds them. With jumps, their clocks jump.
func build(dir string, jumps bool) (programs, error) {
	p := programs{filepath.Join(dir, "motehound"), filepath.Join(dir, "nats-server")}
	all := map[string]string{p.motehound: "motehound/cmd/motehound", p.server: "github.com/nats-io/nats-server/v2"}
	if built := os.Getenv("MOTEHOUND_BUILT"); built != "" && !jumps { // as in make test
		delete(all, p.motehound)
		p.motehound = filepath.Join(built, "motehound")
	}
	flags := []string{"build"}
	if jumps {
		overlay, err := jumping(dir)
		if err != nil {
			return p, err
		}
		flags = append(flags, "-overlay", overlay)
	}
	for path, pkg := range all {
		if out, err := exec.Command("go", append(flags, "-o", path, pkg)...).CombinedOutput(); err != nil {
			return p, fmt.Errorf("building %s: %w\n%s", pkg, err, out)
		}
	}
	return p, nil
}

// process is something that is started again when it was killed. It ends with this process.
type process struct {
	name string
	make func() *exec.Cmd
	cmd  *exec.Cmd
	done chan error // is told once that it has ended
	out  *bytes.Buffer
	said lastWords // of all that were started
}

func (p *process) start() error {
	p.cmd, p.done, p.out = p.make(), make(chan error, 1), new(bytes.Buffer)
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.SysProcAttr = p.out, &p.said, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	done, cmd := p.done, p.cmd
	go func() { done <- cmd.Wait() }()
	return nil
}

// kill kills the process, whether it has ended or not, and waits until it is gone.
func (p *process) kill() {
	if p.cmd == nil {
		return
	}
	_ = p.cmd.Process.Kill()
	p.done <- <-p.done
}

// ended gives why a process has ended, if it has.
func (p *process) ended() (err error, yes bool) {
	select {
	case err = <-p.done:
		p.done <- err
		return err, true
	default:
		return nil, false
	}
}

// lastWords is the end of what a process says.
type lastWords struct {
	mu   sync.Mutex
	text []byte
}

func (l *lastWords) Write(data []byte) (int, error) {
	const most = 3000
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, data...)
	if len(l.text) > 2*most {
		l.text = bytes.Clone(l.text[len(l.text)-most:])
	}
	return len(data), nil
}

func (l *lastWords) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}
