package calltree

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Filter says which functions are of interest. What a function that is left out calls counts as called by its caller.
//
// A pattern is a name as people read it ("relay_receive", "BlinkC.Timer0.fired"), a component ("CC1000ControlP", also
// "CC1000ControlP.*"), or a file if it has a slash or ends like a source file ("CC1000ControlP.nc", "lib/net/*"). A file
// is matched from the end of its path. "*" stands for any text and "?" for one character.
type Filter struct {
	Include []string // nil for all
	Exclude []string

	// What is left out unless asked for:
	Helpers bool // the compiler's and the libraries' own functions, whose names begin with "__"
	Wiring  bool // functions that nesC makes of wires: they only call others
	Kernel  bool // the functions by which a kernel keeps and runs tasks
}

// sieve is a Filter made ready.
type sieve struct {
	Filter
	include, exclude []namePattern
}

type namePattern struct {
	file bool
	text string
}

// newSieve makes a filter ready.
func newSieve(f Filter) (*sieve, error) {
	s := &sieve{Filter: f}
	var err error
	if s.include, err = readPatterns(f.Include); err != nil {
		return nil, err
	}
	s.exclude, err = readPatterns(f.Exclude)
	return s, err
}

func readPatterns(list []string) ([]namePattern, error) {
	var all []namePattern
	for _, p := range list {
		if strings.TrimSpace(p) == "" {
			return nil, fmt.Errorf("a function filter is empty: give a function, a component or a file, such as CC1000ControlP.*")
		}
		all = append(all, namePattern{file: isFile(p), text: p})
	}
	return all, nil
}

func isFile(p string) bool {
	switch filepath.Ext(p) {
	case ".nc", ".c", ".h", ".cc", ".cpp", ".S", ".s":
		return true
	}
	return strings.Contains(p, "/")
}

func (p namePattern) match(name, file string) bool {
	if p.file {
		return glob(p.text, file) || glob("*/"+p.text, file)
	}
	return glob(p.text, name) || glob(p.text+".*", name) || glob(p.text+"[*", name)
}

// glob matches the whole of s. Brackets stand for themselves: nesC numbers its components with them.
func glob(p, s string) bool {
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(s) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == s[j]):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(p[i:], "*") == ""
}

func anyMatch(list []namePattern, name, file string) bool {
	return slices.ContainsFunc(list, func(p namePattern) bool { return p.match(name, file) })
}

// hides reports whether a function is left out; raw is its name as the compiler has it.
func (s *sieve) hides(raw, name, file string) bool {
	switch {
	case anyMatch(s.exclude, name, file):
		return true
	case s.include != nil:
		return !anyMatch(s.include, name, file)
	case !s.Helpers && isHelper(raw):
		return true
	case !s.Wiring && isWiring(name, file):
		return true
	}
	return !s.Kernel && isKernel(raw)
}

// isHelper tells of names that C reserves. Handlers have such names too, but a programmer wrote them.
func isHelper(raw string) bool {
	return strings.HasPrefix(raw, "__") && !strings.HasPrefix(raw, "__vector_")
}

// isWiring tells of the functions that nesC generates where components are wired: they bear the component's name, but
// come from the file of the interface.
func isWiring(name, file string) bool {
	base, ok := strings.CutSuffix(filepath.Base(file), ".nc")
	component, rest, dotted := strings.Cut(name, ".")
	if !ok || !dotted || rest == "" {
		return false
	}
	component, _, _ = strings.Cut(component, "[")
	return base != component
}

// kernelNames are the functions of the kernels that firmware/kernel knows, and of the examples' own, which posts by post.
var kernelNames = regexp.MustCompile(`^(SchedulerBasicP(__|\$).*|TinySchedulerC(__|\$).*|post|TOS_post|TOSH_run_next_task|TOSH_run_task|TOSH_sched_init|` +
	`process_(post|post_synch|poll|run|nevents)|call_process|do_event|do_poll)$`)

// isKernel tells of the functions by which kernels keep and run tasks, by their names as the compiler has them.
func isKernel(raw string) bool { return kernelNames.MatchString(raw) }
