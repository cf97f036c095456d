package driver

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"motehound/firmware/pathtrace/instrument"
	"motehound/firmware/pathtrace/runtime"
)

// build gives the procedures of all units their ids, compiles the units, and links if the command does.
func (j *job) build(units []*unit) (int, error) {
	fresh := j.args.whole() || slices.ContainsFunc(units, func(u *unit) bool { return u.nesC })
	total := 0 // as far as this command knows
	for i, u := range units {
		if err := j.enter(u, fresh && i == 0); err != nil {
			return 0, err
		}
		for _, p := range u.plan.Procs {
			total = max(total, p.ID+1)
		}
	}
	procs := j.Procs
	switch {
	case procs == 0 && fresh:
		procs = total
	case procs == 0:
		procs = instrument.MaxProcs
	case procs < total:
		return 0, fmt.Errorf("--procs %d: there are %d procedures now; give a larger bound for all files, or trace fewer", procs, total)
	}
	for _, u := range units {
		u.rests = u.plan.Rests() && (total > 0 || !fresh)
		j.clock = cmp.Or(j.clock, u.clock())
		j.contiki = j.contiki || u.contiki()
		if status, err := j.compile(u, max(procs, 1)); err != nil || status != 0 {
			return status, err
		}
	}
	if j.args.mode == linking {
		return j.link(units, procs)
	}
	for _, u := range units {
		if u.main && (u.traces() || !fresh) { // others may call it, whom we do not see
			if status, err := j.attach(u, procs); err != nil || status != 0 {
				return status, err
			}
		}
	}
	return 0, nil
}

// compile compiles a unit. Where the compiler objects to our code, it tries again without the functions that it names, and then
// without any.
func (j *job) compile(u *unit, procs int) (int, error) {
	const why = "it does not compile when instrumented"
	for {
		if err := j.write(u, procs); err != nil {
			return 0, err
		}
		messages, ok, err := j.attempt(u)
		if ok || err != nil {
			j.Stderr.Write(messages)
			return 0, err
		}
		if !u.traces() {
			j.Stderr.Write(messages)
			return 1, nil
		}
		u.rests = false
		names := inFunctions(messages)
		if len(names) == 0 || !u.plan.Drop(why, names...) {
			u.plan.Drop(why)
			names = []string{"all of it"}
		}
		j.note("%s: %s is compiled unchanged, because it does not compile when instrumented: %s", u.source, strings.Join(names, ", "), firstError(messages))
		if err := j.enter(u, false); err != nil {
			return 0, err
		}
	}
}

// attempt compiles what was written, without warnings: those that the source deserves were given before.
func (j *job) attempt(u *unit) (messages []byte, ok bool, err error) {
	u.object = j.args.target(u.source)
	option := map[mode]string{object: "-c", assembly: "-S", linking: "-c"}[j.args.mode]
	if j.args.mode == linking {
		u.object = filepath.Join(j.dir, strings.TrimSuffix(filepath.Base(u.file), ".i")+".o")
	}
	args := append(j.args.of(every), option, "-x", "cpp-output", u.file, "-o", u.object)
	return j.quietly(append(args, "-w")...)
}

var inFunction = regexp.MustCompile(`In function ['"‘` + "`" + `]?([\w$]+)`)

// inFunctions is the functions that a compiler's messages are about.
func inFunctions(messages []byte) (names []string) {
	for _, m := range inFunction.FindAllSubmatch(messages, -1) {
		names = append(names, string(m[1]))
	}
	return names
}

// firstError is a compiler's first error, in one line.
func firstError(messages []byte) string {
	for line := range strings.Lines(string(messages)) {
		if strings.Contains(line, "error") {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(string(messages))
}

// link links the objects in place of the sources, and the runtime.
func (j *job) link(units []*unit, procs int) (int, error) {
	var args []string
	for i, x := range j.args.list {
		n := slices.IndexFunc(units, func(u *unit) bool { return u.index == i })
		switch {
		case n >= 0:
			args = append(args, units[n].object)
		case x.class == dependency || x.class == language || x.class == preprocess:
		default:
			args = append(args, x.text...)
		}
	}
	if slices.ContainsFunc(units, (*unit).traces) {
		objects, status, err := j.runtimeObjects(procs, slices.ContainsFunc(units, usesQuery))
		if err != nil || status != 0 {
			return status, err
		}
		args = withObjects(args, objects)
	}
	return j.linked(args)
}

// linked links, and looks at what came out.
func (j *job) linked(args []string) (int, error) {
	status, err := j.plain(args)
	if status == 0 && err == nil && !j.hasRoom() {
		status = 1
	}
	return status, err
}

// withObjects puts objects before the libraries.
func withObjects(args, objects []string) []string {
	at := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, "-l") || strings.HasSuffix(a, ".a") })
	if at < 0 {
		at = len(args)
	}
	return slices.Insert(slices.Clone(args), at, objects...)
}

// linkOnly links. Where the runtime is missing, because main was compiled by someone else, it links again with it.
func (j *job) linkOnly(args []string) (int, error) {
	var messages bytes.Buffer
	stderr := j.Stderr
	j.Stderr = &messages
	status, err := j.linked(args)
	j.Stderr = stderr
	if err != nil || status == 0 || !missesRuntime(messages.String()) || j.Runtime == None {
		j.Stderr.Write(messages.Bytes())
		return status, err
	}
	procs := instrument.MaxProcs
	if bytes.Contains(messages.Bytes(), []byte("_narrow")) {
		procs = 1
	}
	dir, remove, err := temporary()
	if err != nil {
		return 0, err
	}
	defer remove()
	j.dir = dir
	objects, status, err := j.runtimeObjects(procs, bytes.Contains(messages.Bytes(), []byte("mh_trace_request")))
	if err != nil || status != 0 {
		return status, err
	}
	return j.linked(withObjects(args, objects))
}

// missesRuntime reads a linker's messages. Functions for a flash are the programmer's, and the runtime would not bring them.
func missesRuntime(messages string) bool {
	for line := range strings.Lines(messages) {
		if strings.Contains(line, "undefined") && strings.Contains(line, "mh_trace_") && !strings.Contains(line, "mh_trace_store_") {
			return true
		}
	}
	return false
}

// attach links the runtime into the object that has main, so that whoever links the program need not know of it.
func (j *job) attach(u *unit, procs int) (int, error) {
	if j.Runtime == None {
		return 0, nil
	}
	if j.args.mode == assembly || j.args.lto {
		j.note("link %s with this command too: the runtime cannot be added to it", u.object)
		return 0, nil
	}
	objects, status, err := j.runtimeObjects(procs, usesQuery(u))
	if err != nil || status != 0 {
		return status, err
	}
	// The linker's own script for this puts constructors and what runs at the start in among other code, where nobody calls them.
	part, script := filepath.Join(j.dir, "main-part.o"), filepath.Join(j.dir, "main-part.ld")
	if err := os.WriteFile(script, []byte("SECTIONS { }\n"), 0o666); err != nil {
		return 0, err
	}
	args := append(j.args.partial(), "-r", "-nostdlib", "-Wl,-T,"+script, "-o", part, u.object)
	if messages, ok, err := j.quietly(append(args, objects...)...); err != nil || !ok {
		j.Stderr.Write(messages)
		return 1, err
	}
	return 0, moveFile(part, u.object)
}

func usesQuery(u *unit) bool { return bytes.Contains(u.text, []byte("mh_trace_request")) }

// runtimeObjects compiles the runtime for the program's machine.
func (j *job) runtimeObjects(procs int, query bool) ([]string, int, error) {
	if j.Runtime == None {
		return nil, 0, nil
	}
	if err := runtime.Write(j.dir, os.WriteFile); err != nil {
		return nil, 0, err
	}
	files := slices.Clone(runtime.Core)
	if query || j.Query {
		files = append(files, runtime.Query...)
	}
	if j.Runtime == AT45DB {
		files = append(files, runtime.AT45DB)
	}
	var objects []string
	for _, f := range files {
		o := filepath.Join(j.dir, strings.TrimSuffix(f, ".c")+".o")
		args := append(j.forRuntime(procs), "-c", "-o", o, filepath.Join(j.dir, f))
		if messages, ok, err := j.quietly(args...); err != nil || !ok {
			j.Stderr.Write(messages)
			j.note("the runtime does not compile for this machine: give functions for its flash with --runtime own")
			return nil, 1, err
		}
		objects = append(objects, o)
	}
	if !j.contiki || !query && !j.Query {
		return objects, 0, nil
	}
	o, status, err := j.contikiProcess(procs)
	return append(objects, o), status, err
}

// contikiProcess compiles the process that answers questions as the file that has main is compiled, with Contiki's own headers.
func (j *job) contikiProcess(procs int) (object string, status int, err error) {
	source, object := filepath.Join(j.dir, runtime.Contiki), filepath.Join(j.dir, strings.TrimSuffix(runtime.Contiki, ".c")+".o")
	if err := os.WriteFile(source, runtime.Component("contiki")[runtime.Contiki], 0o666); err != nil {
		return "", 0, err
	}
	args := append(j.args.of(every, preprocess), fmt.Sprintf("-DMH_TRACE_PROCS=%d", max(procs, 1)), "-I"+j.dir, "-std=gnu99", "-w", "-c", "-o", object, source)
	if messages, ok, err := j.quietly(args...); err != nil || !ok {
		j.Stderr.Write(messages)
		return "", 1, err
	}
	return object, 0, nil
}
