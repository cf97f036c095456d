package driver

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"motehound/firmware/disk"
	"motehound/firmware/pathtrace/cflow"
	"motehound/firmware/pathtrace/instrument"
	"motehound/firmware/pathtrace/runtime"
)

// A unit is a source on its way.
type unit struct {
	source string
	index  int // in the arguments
	text   []byte
	parsed *cflow.Unit
	plan   *instrument.Plan
	file   string // what is compiled
	object string
	main   bool // it has the program's main
	nesC   bool // it is a whole program that nesC has made
	rests  bool // its kernel calls the runtime, see instrument.Kernel
}

// traces reports whether it calls the runtime.
func (u *unit) traces() bool { return len(u.plan.Procs) > 0 || u.rests }

// clock is the runtime's option for the clock of the unit's kernel, if there is one that is known: TinyOS', and, where main calls
// Contiki, that one's.
func (u *unit) clock() string {
	switch {
	case u.rests && u.plan.Ticks():
		return "-DMH_TRACE_TICKS"
	case u.contiki():
		return "-DMH_TRACE_SECONDS"
	}
	return ""
}

// contiki reports whether it has Contiki's main.
func (u *unit) contiki() bool {
	return u.main && bytes.Contains(u.text, []byte("process_run(")) && bytes.Contains(u.text, []byte("clock_seconds("))
}

// prepare preprocesses and plans all sources. It gives none, but the compiler's objection, where the plain command should run
// instead.
func (j *job) prepare() (units []*unit, objection []byte, err error) {
	for n, i := range j.args.sources {
		u := &unit{source: j.args.list[i].text[0], index: i}
		u.file = filepath.Join(j.dir, fmt.Sprintf("%d.i", n))
		messages, ok, err := j.preprocess(u)
		if err != nil || !ok {
			return nil, messages, err
		}
		j.Stderr.Write(messages)
		parsed, err := cflow.Parse(u.text)
		if err != nil {
			j.note("%s is compiled unchanged: %v", u.source, err)
			u.plan = &instrument.Plan{Left: []instrument.Left{{File: u.source, Why: err.Error()}}}
			units = append(units, u)
			continue
		}
		u.parsed = parsed
		u.plan = instrument.Prepare(parsed, u.source, j.Choice)
		u.main = slices.ContainsFunc(parsed.Funcs, func(f *cflow.Func) bool { return f.Name == "main" && !f.Static })
		u.nesC = u.main && bytes.Contains(u.text, []byte("__nesc_atomic_start"))
		units = append(units, u)
	}
	return units, nil, nil
}

// preprocess runs the compiler's preprocessor, and its parser on the result: what is not C for the compiler itself is not ours
// to understand. Its warnings are those of what the programmer wrote.
func (j *job) preprocess(u *unit) (messages []byte, ok bool, err error) {
	from := u.source
	if filepath.Ext(u.source) != ".i" {
		from = u.file
		args := append(j.args.of(every, preprocess), j.args.dependencies(u.source)...)
		args = append(args, "-E", "-x", "c", u.source, "-o", u.file)
		if messages, ok, err = j.quietly(args...); err != nil || !ok {
			return messages, false, err
		}
	}
	if u.text, err = os.ReadFile(from); err != nil {
		return []byte(err.Error()), false, nil // the compiler will say it better
	}
	more, ok, err := j.quietly(append(j.args.of(every), "-fsyntax-only", "-x", "cpp-output", from)...)
	return append(messages, more...), ok, err
}

// write makes the source that is compiled, with the calls in it as the header has them.
func (j *job) write(u *unit, procs int) error {
	if !u.traces() {
		return os.WriteFile(u.file, u.text, 0o666)
	}
	if j.header.declarations == nil || j.header.procs != procs {
		if err := j.makeHeader(procs); err != nil {
			return err
		}
	}
	calls := j.header.calls
	if !u.rests {
		calls.Kernel = instrument.Kernel{}
	}
	if j.Labels {
		calls.Edge = instrument.Labels
	}
	text := append(withHeader(u.plan.Rewrite(calls), j.header.declarations), u.plan.Mark()...)
	if j.Keep != "" {
		name := strings.NewReplacer("/", "_", `\`, "_").Replace(strings.TrimLeft(filepath.Clean(u.source), "./")) + ".i"
		if err := os.MkdirAll(j.Keep, 0o777); err != nil {
			return err
		}
		if err := disk.Write(filepath.Join(j.Keep, name), text, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(u.file, text, 0o666)
}

var lineMarker = regexp.MustCompile(`^#\s*(line\s+)?[0-9]`)

// withHeader puts declarations before the first line that is no directive, and the line marker before it again behind them.
func withHeader(text, declarations []byte) []byte {
	at, marker := 0, []byte(nil)
	for line := range bytes.Lines(text) {
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && trimmed[0] != '#' {
			break
		} else if lineMarker.Match(line) {
			marker = line
		}
		at += len(line)
	}
	var out bytes.Buffer
	out.Write(text[:at])
	fmt.Fprintf(&out, "# 1 %q 3\n%s\n", runtime.Header, bytes.TrimSpace(declarations))
	if marker == nil {
		marker = []byte("# 1 \"\"\n")
	}
	out.Write(marker)
	// Lines behind the marker count.
	rest := text[:at]
	if marker := bytes.LastIndex(rest, marker); marker >= 0 {
		_, behind, _ := bytes.Cut(rest[marker:], []byte("\n"))
		out.Write(behind)
	}
	out.Write(text[at:])
	return out.Bytes()
}

// templates asks the preprocessor what the header's macros become.
const templates = `#define MH_TRACE_PROCS %d
#include "%s"
mh_trace_template_enter MH_TRACE_ENTER(__mh_p__)
mh_trace_template_path8 MH_TRACE_PATH8(__mh_p__, __mh_v__)
mh_trace_template_path16 MH_TRACE_PATH16(__mh_p__, __mh_v__)
mh_trace_template_leave8 MH_TRACE_LEAVE8(__mh_p__, __mh_v__)
mh_trace_template_leave16 MH_TRACE_LEAVE16(__mh_p__, __mh_v__)
mh_trace_template_round8 MH_TRACE_ROUND8(__mh_p__, __mh_v__, __mh_last, __mh_more)
mh_trace_template_round16 MH_TRACE_ROUND16(__mh_p__, __mh_v__, __mh_last, __mh_more)
mh_trace_template_more MH_TRACE_SETTLE(__mh_more)
mh_trace_template_letin MH_TRACE_LET_IN()
mh_trace_template_keepout MH_TRACE_KEEP_OUT()
mh_trace_template_rest MH_TRACE_REST()
mh_trace_template_nap MH_TRACE_NAP()
mh_trace_template_tick MH_TRACE_TICK()
mh_trace_template_stop MH_TRACE_STOP()
`

var template = regexp.MustCompile(`(?m)^mh_trace_template_(\w+) ?(.*)$`)

// header is the runtime's header as preprocessed text, and the calls that it has macros for.
type header struct {
	procs        int
	declarations []byte
	calls        instrument.Calls
}

// makeHeader makes the header for a number of procedures.
func (j *job) makeHeader(procs int) error {
	if err := runtime.Write(j.dir, os.WriteFile); err != nil {
		return err
	}
	file, out := filepath.Join(j.dir, "templates.c"), filepath.Join(j.dir, "templates.i")
	if err := os.WriteFile(file, fmt.Appendf(nil, templates, procs, runtime.Header), 0o666); err != nil {
		return err
	}
	args := append(j.args.of(every), "-E", "-P", "-x", "c", file, "-o", out)
	if messages, ok, err := j.quietly(args...); err != nil || !ok {
		return fmt.Errorf("the compiler cannot preprocess the runtime's header: %s: %w", bytes.TrimSpace(messages), err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	var calls instrument.Calls
	for _, m := range template.FindAllSubmatch(text, -1) {
		call := strings.NewReplacer("__mh_p__", "%p", "__mh_v__", "%v").Replace(string(m[2]))
		*map[string]*string{"enter": &calls.Enter, "path8": &calls.Path8, "path16": &calls.Path16, "leave8": &calls.Leave8,
			"leave16": &calls.Leave16, "round8": &calls.Round8, "round16": &calls.Round16, "more": &calls.More,
			"letin": &calls.LetIn, "keepout": &calls.KeepOut, "rest": &calls.Rest, "nap": &calls.Nap, "tick": &calls.Tick, "stop": &calls.Stop}[string(m[1])] = call
	}
	j.header = header{procs, template.ReplaceAll(text, nil), calls}
	return nil
}
