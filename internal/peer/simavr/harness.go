package simavr

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"testing"

	"motehound/internal/need"
)

// Version is the simavr whose behaviour this package documents.
const Version = "1.6"

const wanted = "apt-get install gcc libc6-dev libsimavr-dev libelf-dev simavr"

//go:embed harness/*.c harness/*.h
var sources embed.FS

// Harness is the compiled C program. It is safe for concurrent use: each
// [Cases] and [Program] made from it is a process of its own.
type Harness struct {
	binary *os.File
}

var shared = sync.OnceValues(Compile)

// Build returns the harness, compiled once for the whole test process. A
// missing compiler or library fails the test and names the packages to install.
func Build(t testing.TB) *Harness {
	t.Helper()
	need.Tools(t, "cc", "simavr")
	h, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Compile builds the harness with cc, or what $CC names.
func Compile() (*Harness, error) {
	dir, err := os.MkdirTemp("", "motehound-simavr-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	entries, err := sources.ReadDir("harness")
	if err != nil {
		return nil, err
	}
	binary := filepath.Join(dir, "harness")
	args := []string{"-O3", "-std=gnu11", "-o", binary}
	for _, e := range entries {
		text, err := sources.ReadFile("harness/" + e.Name())
		if err != nil {
			return nil, err
		}
		file := filepath.Join(dir, e.Name())
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return nil, err
		}
		if filepath.Ext(file) == ".c" {
			args = append(args, file)
		}
	}
	sort.Strings(args[4:])
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	cmd := exec.Command(cc, append(args, "-lsimavr", "-lelf")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("simavr: the harness does not build: %w\n%s\nIt needs: %s", err, bytes.TrimSpace(out), wanted)
	}
	// The open file outlives its name, so that nothing is left behind
	// when the process ends, however it ends.
	f, err := os.Open(binary)
	if err != nil {
		return nil, err
	}
	h := &Harness{binary: f}
	found, err := h.command("version").Output()
	if err != nil {
		return nil, fmt.Errorf("simavr: the harness does not run: %w", err)
	}
	if v := strings.TrimSpace(string(found)); v != Version {
		return nil, fmt.Errorf("simavr: the installed simavr is %s, and the known differences are those of %s", v, Version)
	}
	return h, nil
}

func (h *Harness) command(args ...string) *exec.Cmd {
	return exec.Command(fmt.Sprintf("/proc/self/fd/%d", h.binary.Fd()), args...)
}

// The operations, as in harness.h.
const (
	opCasesOpen = 1 + iota
	opCasesRun
	opLoad
	opRun
	opTrace
	opState
	opSetState
	opRead
	opWrite
	opScript
	opOutput
	opSend
)

// process is one running harness.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.Reader
	stderr bytes.Buffer
	wait   func() error // cmd.Wait, once
	answer []byte
}

func (h *Harness) start() (*process, error) {
	p := &process{cmd: h.command()}
	p.cmd.Stderr = &p.stderr
	p.wait = sync.OnceValue(p.cmd.Wait)
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	err = p.cmd.Start()
	runtime.KeepAlive(h)
	if err != nil {
		return nil, fmt.Errorf("simavr: starting the harness: %w", err)
	}
	return p, nil
}

// Close ends the harness process.
func (p *process) Close() error {
	p.in.Close()
	return p.wait()
}

func (p *process) send(op byte, body []byte) error {
	frame := make([]byte, 0, 5+len(body))
	frame = le.AppendUint32(frame, uint32(1+len(body)))
	frame = append(frame, op)
	frame = append(frame, body...)
	if _, err := p.in.Write(frame); err != nil {
		return p.died(err)
	}
	return nil
}

// receive returns the body of the next answer, valid until the next call.
func (p *process) receive() (decoder, error) {
	var head [5]byte
	if _, err := io.ReadFull(p.out, head[:]); err != nil {
		return decoder{}, p.died(err)
	}
	n := int(le.Uint32(head[:])) - 1
	if cap(p.answer) < n {
		p.answer = make([]byte, n, n+n/4)
	}
	p.answer = p.answer[:n]
	if _, err := io.ReadFull(p.out, p.answer); err != nil {
		return decoder{}, p.died(err)
	}
	if head[4] != 0 {
		return decoder{}, errors.New("simavr: " + string(p.answer))
	}
	return decoder{p.answer}, nil
}

func (p *process) call(op byte, body []byte) (decoder, error) {
	if err := p.send(op, body); err != nil {
		return decoder{}, err
	}
	return p.receive()
}

func (p *process) died(err error) error {
	p.in.Close()
	if werr := p.wait(); werr != nil {
		err = werr
	}
	return fmt.Errorf("simavr: the harness died: %w: %s", err, bytes.TrimSpace(p.stderr.Bytes()))
}
