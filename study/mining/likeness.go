package mining

import (
	"slices"

	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/study/outlier"
)

// ownFunctions says for each block which function of the application it is in, by a number from 1 on, inlined functions too; 0 if it is
// in none. Where the application cannot be told from its system, all code is the application's.
func (f *Firmware) ownFunctions() []int {
	if f.own != nil || f.Image == nil {
		return f.own
	}
	f.own = make([]int, len(f.Blocks))
	library := f.Image.HasLibrary()
	numbers := map[string]int{}
	for i, b := range f.Blocks {
		stack := f.Image.InlineStack(b.Start * 2)
		at := slices.IndexFunc(stack, func(x image.Frame) bool { return !library || f.Image.Own(x.File) })
		name := ""
		switch {
		case at >= 0:
			name = stack[at].Name
		case library:
			continue
		}
		if numbers[name] == 0 {
			numbers[name] = len(numbers) + 1
		}
		f.own[i] = numbers[name]
	}
	return f.own
}

// ranOwn tells whether any of the blocks that ran is the application's.
func (f *Firmware) ranOwn(counts outlier.Vector) bool {
	own := f.ownFunctions()
	return slices.ContainsFunc(counts, func(n outlier.Count) bool { return own[n.Feature] != 0 })
}

// isOwn tells whether the instruction at a byte address is the application's.
func (f *Firmware) isOwn(pc uint32) bool {
	i := cfg.Find(f.Blocks[:f.strays.first], pc/2)
	return i >= 0 && f.ownFunctions()[i] != 0
}

// likeness says what a sample is explained by. An arriving packet should be explained by other packets, and not by the bytes before it:
// by those that the application got, if it got this one, so that what it did with them is compared. A sample of which an interval stands
// out is not normal. The task of a sample is the first task of its first interval in the ranking; that is the first of all, as in pile,
// unless one stands out.
func (f *Firmware) likeness(r *Ranking, samples []outlier.Sample, tasks []int) outlier.Likeness {
	tasks = slices.Clone(tasks)
	bad := make([]bool, len(samples))
	for i := len(r.Suspects) - 1; i >= 0; i-- {
		if s := &r.Suspects[i]; s.StandsOut {
			bad[s.Sample], tasks[s.Sample] = true, firstTask(s.Interval)
		}
	}
	functions := make([][]int, len(samples))
	if own := f.ownFunctions(); own != nil {
		for i := range samples {
			functions[i] = ran(own, samples[i].Counts)
		}
	}
	sameTask := func(sample, other int) bool { return tasks[sample] == tasks[other] }
	return outlier.Likeness{
		Bad: func(sample int) bool { return bad[sample] },
		Tiers: []func(sample, other int) bool{
			func(sample, other int) bool {
				return sameTask(sample, other) && share(functions[sample], functions[other])
			},
			sameTask,
		},
	}
}

// ran lists the functions of the application that ran.
func ran(own []int, counts outlier.Vector) (all []int) {
	for _, n := range counts {
		if x := own[n.Feature]; x != 0 && !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}

// share tells whether two lists have something in common.
func share(a, b []int) bool {
	return slices.ContainsFunc(a, func(x int) bool { return slices.Contains(b, x) })
}
