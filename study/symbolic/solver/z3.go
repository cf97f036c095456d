package solver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"motehound/study/symbolic/expr"
)

// Z3 decides queries by the program z3 over a pipe. It is started with the first query, and again when it has died: then
// the query is asked once more, and is Unknown if it dies again.
type Z3 struct {
	pool    *expr.Pool
	command string
	limit   int
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	asked   []expr.ID
	model   expr.Model
	starts  int
}

// DefaultZ3Limit is some seconds of z3's work, in its own unit.
const DefaultZ3Limit = 50_000_000

// NewZ3 makes the backend. The command is a path or a name to look for; empty is "z3". The limit is z3's rlimit for each
// query, which counts work and not time; 0 is DefaultZ3Limit, a negative number is no bound. The error says that there is
// no such program.
func NewZ3(pool *expr.Pool, command string, limit int) (*Z3, error) {
	if command == "" {
		command = "z3"
	}
	path, err := exec.LookPath(command)
	if err != nil {
		return nil, fmt.Errorf("solver %s not found: install z3 (Debian: apt-get install z3), or use the builtin solver: %w",
			command, err)
	}
	switch {
	case limit == 0:
		limit = DefaultZ3Limit
	case limit < 0:
		limit = 0 // z3's word for no bound
	}
	return &Z3{pool: pool, command: path, limit: limit}, nil
}

// Starts is how often the program was started.
func (b *Z3) Starts() int { return b.starts }

// Close ends the program. The backend can be used again.
func (b *Z3) Close() error {
	if b.process == nil {
		return nil
	}
	err := errors.Join(b.in.Close(), b.process.Wait())
	b.process = nil
	return err
}

// abandon ends a program that no longer answers as it should.
func (b *Z3) abandon() {
	if b.process == nil {
		return
	}
	// Whatever these say, the program is of no use any more.
	_ = b.process.Process.Kill()
	_ = b.process.Wait()
	b.process = nil
}

func (b *Z3) start() error {
	cmd := exec.Command(b.command, "-in", "-smt2")
	cmd.SysProcAttr = apart()
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	b.process, b.in, b.out = cmd, in, bufio.NewReader(out)
	b.starts++
	return nil
}

// Check is a Backend's.
func (b *Z3) Check(conditions []expr.ID, quit <-chan struct{}) (Result, error) {
	b.asked = append(b.asked[:0], conditions...)
	result, err := Unknown, errQuit
	for tries := 0; err != nil && tries < 2 && !closed(quit); tries++ {
		if result, err = b.ask(conditions, quit); err != nil {
			b.abandon()
		}
	}
	if closed(quit) {
		return Unknown, errQuit
	}
	if err != nil {
		return Unknown, fmt.Errorf("%s: %w", b.command, err)
	}
	if result == Unknown {
		return Unknown, fmt.Errorf("%s gave up within its limit of %d", b.command, b.limit)
	}
	return result, nil
}

// ask poses the query. An error means that the program cannot be relied on any more.
func (b *Z3) ask(conditions []expr.ID, quit <-chan struct{}) (Result, error) {
	if b.process == nil {
		if err := b.start(); err != nil {
			return Unknown, err
		}
	}
	process, answered := b.process.Process, make(chan struct{})
	defer close(answered)
	go func() {
		select {
		case <-quit:
			_ = process.Kill() // it may have ended by itself
		case <-answered:
		}
	}()
	var text bytes.Buffer
	fmt.Fprintf(&text, "(reset)\n(set-option :rlimit %d)\n(set-logic QF_BV)\n", b.limit)
	if err := b.pool.WriteSMT(&text, conditions); err != nil {
		return Unknown, err
	}
	fmt.Fprintln(&text, "(check-sat)")
	// Beside the reading: a program with much to complain about would wait for its reader while we wait for it to read.
	in, written := b.in, make(chan error, 1)
	go func() {
		_, err := in.Write(text.Bytes())
		written <- err
	}()
	line, err := b.out.ReadString('\n')
	if err != nil {
		return Unknown, err
	}
	if strings.HasPrefix(line, "(error") {
		return Unknown, fmt.Errorf("answer %.200q", line)
	}
	if err := <-written; err != nil {
		return Unknown, err
	}
	switch answer := strings.TrimSpace(line); answer {
	case "sat":
		return Sat, b.readModel(conditions)
	case "unsat":
		return Unsat, nil
	case "unknown":
		return Unknown, nil
	default:
		return Unknown, fmt.Errorf("unexpected answer %.200q", answer)
	}
}

func (b *Z3) readModel(conditions []expr.ID) error {
	b.model = expr.Model{}
	vars := varsOf(b.pool, conditions)
	if len(vars) == 0 {
		return nil
	}
	if err := writeGetValue(b.in, b.pool, vars); err != nil {
		return err
	}
	text, err := readBalanced(b.out)
	if err != nil {
		return err
	}
	b.model, err = parseValues(b.pool, vars, text)
	return err
}

// readBalanced reads lines until all parentheses are closed. Names between bars may have some of their own.
func readBalanced(r *bufio.Reader) (string, error) {
	var text strings.Builder
	depth, quoted := 0, false
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return "", err
		}
		text.WriteString(line)
		for _, c := range line {
			switch {
			case c == '|':
				quoted = !quoted
			case c == '(' && !quoted:
				depth++
			case c == ')' && !quoted:
				depth--
			}
		}
		if depth <= 0 && !quoted && strings.TrimSpace(line) != "" {
			return text.String(), nil
		}
	}
}

// Model is a Backend's.
func (b *Z3) Model() expr.Model { return b.model }

// Core is a Backend's: all conditions.
func (b *Z3) Core() []expr.ID { return b.asked }
