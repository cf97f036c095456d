package kernel

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"motehound/firmware/image"
)

// routine is a failure routine, or a place where one was inlined.
type routine struct {
	name    string
	entry   uint32 // word address
	inlined bool   // into the function around
	given   int    // size in bytes of the argument without which it does not fail: it must be 0; 0 if it always fails
	texts   []int  // registers that may hold the address of a text: the low ones of the pairs
	sure    bool   // they do
}

// findRoutines finds the failure routines of a firmware, by entry.
func findRoutines(im *image.Image, more []string) []routine {
	var list []routine
	add := func(r routine) {
		if !slices.ContainsFunc(list, func(x routine) bool { return x.entry == r.entry }) {
			list = append(list, r)
		}
	}
	for _, s := range im.Symbols {
		if s.Space == image.Flash && s.Kind == image.Func && isFailure(s.Name, more) {
			if r, ok := describe(im, routine{name: s.Name, entry: s.Addr / 2}, more); ok {
				add(r)
			}
		}
	}
	var inside func(list []*image.Inline)
	inside = func(inlines []*image.Inline) {
		for _, in := range inlines {
			if isFailure(in.Origin.Name, more) && len(in.Ranges) > 0 && !isAssert(in.Origin.Name, more) {
				add(routine{name: in.Origin.Name, entry: longest(in.Ranges).Lo / 2, inlined: true})
			}
			inside(in.Inlines)
		}
	}
	for _, f := range im.Functions() {
		inside(f.Inlines)
	}
	slices.SortFunc(list, func(a, b routine) int { return cmp.Compare(a.entry, b.entry) })
	return list
}

// hasFailure tells whether a firmware has a function that a name, where * and ? stand for others, makes a failure routine.
func hasFailure(im *image.Image, name string) bool {
	return len(findRoutines(im, []string{name})) > len(findRoutines(im, nil))
}

// longest is the longest of some ranges: of an inlined function the body, rather than what the compiler did of it in advance.
func longest(ranges []image.Range) image.Range {
	return slices.MaxFunc(ranges, func(a, b image.Range) int { return cmp.Compare(a.Hi-a.Lo, b.Hi-b.Lo) })
}

// base is a function's name without what GCC adds for the parts and copies that it makes.
func base(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}

func isFailure(name string, more []string) bool {
	return matchesAny(base(name), failureRoutines()) || matchesAny(base(name), more)
}

// isAssert tells that a routine is called whether or not there is a failure: unless the user has named it, or GCC has made a
// function of that part of it which is for failures.
func isAssert(name string, more []string) bool {
	return base(name) == "assert" && !strings.Contains(name, ".part.") && !matchesAny("assert", more)
}

func matchesAny(name string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, _ := path.Match(p, name)
		return ok
	})
}

// describe says what a routine's arguments mean; ok is false if that cannot be known.
func describe(im *image.Image, r routine, more []string) (_ routine, ok bool) {
	assert := isAssert(r.name, more)
	if base(r.name) != r.name {
		return r, !assert // arguments of GCC's copies are not where they were
	}
	if r.name == "__assert" || r.name == "__assert_func" {
		r.texts, r.sure = []int{18, 24, 22, 20}, true // the C library's have three texts and a line; the expression first
		return r, true
	}
	f, known := im.FunctionAt(r.entry * 2)
	known = known && im.HasDWARF()
	var first *image.Type
	if known {
		first = firstParam(f)
	}
	switch {
	case first != nil && first.Kind == image.KindPointer:
		r.texts, r.sure = []int{24}, true
	case first != nil && assert:
		r.given = int(max(1, min(8, first.Size)))
	case !known && assert:
		r.given = 2
	case !known:
		r.texts = []int{24}
	}
	return r, true
}

// firstParam is the type of a function's first parameter, nil if it has none.
func firstParam(f *image.Function) *image.Type {
	params := f.Params
	if len(params) == 0 {
		params = f.Source().Params
	}
	if len(params) == 0 {
		return nil
	}
	return params[0].Type.Strip()
}

func (t *table) routineAt(pc uint32) *routine {
	i, ok := slices.BinarySearchFunc(t.routines, pc, func(r routine, pc uint32) int { return cmp.Compare(r.entry, pc) })
	if !ok {
		return nil
	}
	return &t.routines[i]
}
