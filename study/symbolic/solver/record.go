package solver

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"

	"motehound/study/symbolic/expr"
)

// recorder writes queries with their answers as one SMT-LIB 2 script, which any SMT solver can run: each query stands
// by itself, and its answer is its :status. A query that was recorded before is left out, unless the answer is another.
type recorder struct {
	pool *expr.Pool
	w    io.Writer
	seen map[string]Result
	err  error
}

func newRecorder(pool *expr.Pool, w io.Writer) *recorder {
	return &recorder{pool: pool, w: w, seen: map[string]Result{}}
}

const (
	resetLine  = "(reset)\n"
	statusLine = "(set-info :status "
)

func (r *recorder) query(conditions []expr.ID, result Result) {
	key := setKey(conditions)
	if was, ok := r.seen[key]; r.err != nil || ok && was == result {
		return
	}
	r.seen[key] = result
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%s%s)\n(set-logic QF_BV)\n", resetLine, statusLine, result)
	r.err = r.pool.WriteSMT(&b, conditions)
	fmt.Fprintln(&b, "(check-sat)")
	_, err := r.w.Write(b.Bytes())
	r.err = errors.Join(r.err, err)
}

// Recording is the queries of several solvers, each once. It is a Config's Record: a solver writes each query at once. It may be used by several
// goroutines.
type Recording struct {
	// Most is how many bytes the longest query has that is kept; 0 is no bound. What firmware computes of its input bit by bit, as a CRC, is
	// long, and takes z3 minutes.
	Most int
	// Every has one of so many different queries kept; 0 is all.
	Every int
	// Limit is how much z3 may do for each query in CrossCheck, in its own unit; 0 is defaultZ3Limit.
	Limit int

	mu   sync.Mutex
	long int
	kept int
	seen map[string]bool
	text bytes.Buffer
	all  int
}

// Write takes a query.
func (r *Recording) Write(query []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all++
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	if key := string(query); r.Most > 0 && len(query) > r.Most {
		r.long++
	} else if !r.seen[key] {
		if r.seen[key] = true; r.Every == 0 || len(r.seen)%r.Every == 0 {
			r.kept++
			r.text.Write(query)
		}
	}
	return len(query), nil
}

// Queries is how many were written, how many of them are different, how many of those were kept, and how many were too long for that.
func (r *Recording) Queries() (all, different, kept, long int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all, len(r.seen), r.kept, r.long
}

// CrossCheck lets z3 answer them, and compares.
func (r *Recording) CrossCheck(command string) (Agreement, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return crossCheck(bytes.NewReader(r.text.Bytes()), command, cmp.Or(r.Limit, defaultZ3Limit))
}

// Agreement is what a CrossCheck found.
type Agreement struct {
	Queries int
	Agreed  int
	// Which queries the two did not both decide, and which they decided otherwise, from 0 in their order in the recording.
	Undecided, Disagree []int
}

// CrossCheck lets z3 (the command as in NewZ3) answer the queries of a recording, and compares. What z3 does not decide within defaultZ3Limit
// is undecided.
func CrossCheck(recording io.Reader, command string) (Agreement, error) {
	return crossCheck(recording, command, defaultZ3Limit)
}

func crossCheck(recording io.Reader, command string, limit int) (Agreement, error) {
	z3, err := NewZ3(nil, command, -1)
	if err != nil {
		return Agreement{}, err
	}
	text, err := io.ReadAll(recording)
	if err != nil {
		return Agreement{}, err
	}
	cmd := exec.Command(z3.command, "-in", "-smt2")
	// Without :status, as z3 says "unsat" to a wrong one in words of its own.
	script := strings.ReplaceAll(string(text), statusLine, "(set-info :recorded ")
	cmd.Stdin = strings.NewReader(strings.ReplaceAll(script, resetLine, fmt.Sprintf("%s(set-option :rlimit %d)\n", resetLine, limit)))
	out, err := cmd.Output()
	if err != nil {
		return Agreement{}, fmt.Errorf("%s on the recording: %w: %.200s", z3.command, err, out)
	}
	return compareAnswers(string(text), strings.Fields(string(out)))
}

func compareAnswers(recording string, answers []string) (Agreement, error) {
	var a Agreement
	for line := range strings.Lines(recording) {
		status, ok := strings.CutPrefix(strings.TrimSpace(line), statusLine)
		if !ok {
			continue
		}
		if a.Queries >= len(answers) {
			return a, fmt.Errorf("%d answers to a recording of more queries", len(answers))
		}
		switch recorded, answer := strings.TrimSuffix(status, ")"), answers[a.Queries]; {
		case answer != "sat" && answer != "unsat" && answer != "unknown":
			return a, fmt.Errorf("query %d: unexpected answer %q", a.Queries, answer)
		case recorded == "unknown" || answer == "unknown":
			a.Undecided = append(a.Undecided, a.Queries)
		case recorded == answer:
			a.Agreed++
		default:
			a.Disagree = append(a.Disagree, a.Queries)
		}
		a.Queries++
	}
	if len(answers) != a.Queries {
		return a, fmt.Errorf("%d answers to %d queries", len(answers), a.Queries)
	}
	return a, nil
}
