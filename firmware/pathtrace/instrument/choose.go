package instrument

import (
	"path"
	"slices"
	"strings"

	"motehound/firmware/pathtrace/cflow"
)

// A Choice says what to instrument, by patterns as of path.Match. Without any of the first four, that is everything but headers of
// the system.
type Choice struct {
	Components []string // nesC components, or files without directory and ending
	Files      []string // source files, by their names or ends of their paths
	Functions  []string
	Kinds      []cflow.Kind
	Except     []string // components, files or functions
	All        bool     // also functions with one path, of which their callers' paths tell
	Silent     []string // functions elsewhere that call nothing which is traced, and leave interrupts as they are
}

// Check finds patterns that can match nothing because they are not well formed.
func (c Choice) Check() error {
	for _, list := range [][]string{c.Components, c.Files, c.Functions, c.Except, c.Silent} {
		for _, pattern := range list {
			if _, err := path.Match(pattern, ""); err != nil {
				return &patternError{pattern}
			}
		}
	}
	return nil
}

// A patternError is a pattern that is not well formed.
type patternError struct{ Pattern string }

func (e *patternError) Error() string {
	return "pattern " + e.Pattern + ": use * for any text, ? for any letter, [abc] for one of some"
}

// component is the part of the program that a function belongs to: its nesC component, or its file.
func component(f *cflow.Func) string {
	if strings.HasSuffix(f.Pos.File, ".nc") {
		name := strings.ReplaceAll(f.Name, "$", "__")
		if first, _, ok := strings.Cut(name, "__"); ok && first != "" {
			return first
		}
	}
	base := path.Base(strings.ReplaceAll(f.Pos.File, `\`, "/"))
	return strings.TrimSuffix(base, path.Ext(base))
}

// tracer begins the names of the runtime's own files, which must not record what they do, and tracer2 those of its components.
const tracer, tracer2 = "motehound_trace", "MotehoundTrace"

// restricts reports whether only what is named is instrumented.
func (c Choice) restricts() bool {
	return len(c.Components)+len(c.Files)+len(c.Functions)+len(c.Kinds) > 0
}

func (c Choice) chooses(u *cflow.Unit, f *cflow.Func) (bool, string) {
	if matches(c.Except, component(f)) || matches(c.Except, f.Name) || matchesFile(c.Except, f.Pos.File) {
		return false, "it was excluded"
	}
	if c := component(f); strings.HasPrefix(c, tracer) || strings.HasPrefix(c, tracer2) {
		return false, "it is the tracer itself"
	}
	if f.Exempt {
		return false, "it has the attribute no_instrument_function"
	}
	if c.restricts() {
		chosen := matches(c.Components, component(f)) || matches(c.Functions, f.Name) || matchesFile(c.Files, f.Pos.File) ||
			slices.Contains(c.Kinds, f.Kind)
		return chosen, "it was not selected"
	}
	if u.System(f.Body.From) {
		return false, "it is in a system header"
	}
	return true, ""
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, name)
		return err == nil && ok
	})
}

// matchesFile compares a pattern with as many of the last elements of a file's path as it has itself.
func matchesFile(patterns []string, file string) bool {
	elements := strings.Split(strings.ReplaceAll(file, `\`, "/"), "/")
	return slices.ContainsFunc(patterns, func(p string) bool {
		n := min(strings.Count(p, "/")+1, len(elements))
		ok, err := path.Match(p, strings.Join(elements[len(elements)-n:], "/"))
		return err == nil && ok
	})
}
