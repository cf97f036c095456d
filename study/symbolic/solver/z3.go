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

// Z3 decides queries by the program z3 over a pipe. It is started with the first query, and again when it has died or has answered
// something else: then the query is asked once more, and is Unknown if that happens again. A program that has failed in so many queries one
// after the other is not asked any more.
type Z3 struct {
	pool    *expr.Pool
	command string
	limit   int
	process *exec.Cmd
	in      io.WriteCloser
	pipe    *io.LimitedReader // before out
	out     *bufio.Reader
	asked   []expr.ID
	model   expr.Model
	starts  int
	failed  int // queries, one after the other
	last    error

	// Await, if not nil, waits until the program has answered, or until it is enough: then it gives false, and the program is ended. A
	// program that hangs would hold up everything otherwise.
	Await func(answered <-chan struct{}) bool
}

const (
	maxFailed    = 4
	maxZ3Answers = 64 << 20 // bytes, to one query
)

// defaultZ3Limit is some seconds of z3's work, in its own unit.
const defaultZ3Limit = 50_000_000

// NewZ3 makes the backend. The command is a path or a name to look for; empty is "z3". The limit is z3's rlimit for each
// query, which counts work and not time; 0 is defaultZ3Limit, a negative number is no bound. The error says that there is
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
		limit = defaultZ3Limit
	case limit < 0:
		limit = 0 // z3's word for no bound
	}
	return &Z3{pool: pool, command: path, limit: limit}, nil
}

// Close ends the program. The backend can be used again.
func (b *Z3) Close() error {
	b.abandon()
	return nil
}

// abandon ends a program that no longer answers as it should.
func (b *Z3) abandon() {
	if b.process == nil {
		return
	}
	b.end()
	b.process = nil
}

// end ends the program and closes its pipes. Whatever these calls say, it is of no use any more.
func (b *Z3) end() {
	_ = b.process.Process.Kill()
	_ = b.process.Wait()
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
	b.process, b.in, b.pipe = cmd, in, &io.LimitedReader{R: out}
	b.out = bufio.NewReader(b.pipe)
	b.starts++
	return nil
}

// Check is a Backend's.
func (b *Z3) Check(conditions []expr.ID) (Result, error) {
	b.asked = append(b.asked[:0], conditions...)
	if b.failed >= maxFailed {
		return Unknown, fmt.Errorf("%s is no longer used, because it does not work: %w", b.command, b.last)
	}
	result, err := b.ask(conditions)
	if err != nil && !errors.Is(err, errStopped) {
		b.abandon()
		result, err = b.ask(conditions)
	}
	switch {
	case errors.Is(err, errStopped):
		b.abandon()
		return Unknown, err
	case err != nil:
		b.abandon()
		b.failed++
		b.last = err
		return Unknown, fmt.Errorf("%s: %w", b.command, err)
	}
	b.failed = 0
	if result == Unknown {
		return Unknown, fmt.Errorf("%s gave up within its limit of %d", b.command, b.limit)
	}
	return result, nil
}

// ask poses the query, and waits for the answer. An error means that the program cannot be relied on any more.
func (b *Z3) ask(conditions []expr.ID) (result Result, err error) {
	if b.process == nil {
		if err := b.start(); err != nil {
			return Unknown, err
		}
	}
	b.pipe.N = maxZ3Answers
	if b.Await == nil {
		return b.pose(conditions)
	}
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		result, err = b.pose(conditions)
	}()
	if b.Await(answered) {
		<-answered
		return result, err
	}
	b.end() // which ends the reading, too
	<-answered
	b.process = nil
	return Unknown, errStopped
}

// pose writes the query and reads the answer.
func (b *Z3) pose(conditions []expr.ID) (Result, error) {
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
		return Unknown, b.cut(err)
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

// cut says why an answer has no end.
func (b *Z3) cut(err error) error {
	switch {
	case b.pipe.N <= 0:
		return fmt.Errorf("its answer is longer than %d bytes", maxZ3Answers)
	case errors.Is(err, io.EOF):
		return errors.New("it ended without an answer")
	}
	return err
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
		return b.cut(err)
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
