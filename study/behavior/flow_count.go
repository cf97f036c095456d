package behavior

import "slices"

// count is how many of a repeat's places can be taken without overlap at a size: from left to right, each as early as possible.
func (s *search) count(i, size int32) int32 {
	v := &s.nodes[i]
	period := s.period(v)
	switch {
	case period > 0 && v.depth >= 64:
		return s.countStretches(v, size, period)
	case period == 0 && int(v.occurrences()) < len(s.text)/64:
		return s.countSorted(i, size)
	}
	// Within a repetition the next place is a multiple of the period away: the first one at or after the size. No other lies
	// before it, for two places closer than the period would make the period shorter.
	jump := int32(0)
	if period > 0 {
		jump = (size + period - 1) / period * period
	}
	n, width := int32(len(s.text)), uint32(v.occurrences())
	is := func(p int32) bool { return uint32(s.rank[p]-v.lo) < width }
	count := int32(0)
	for p := int32(0); p < n; {
		if !is(p) {
			p++
			continue
		}
		count++
		for jump > 0 && p+jump < n && is(p+jump) {
			p += jump
			count++
		}
		p += size
	}
	return count
}

// period is the repeat's smallest period if it holds twice in it, else 0; and 0 where that does not matter.
func (s *search) period(v *repeat) int32 {
	if v.occurrences() < 64 {
		return 0
	}
	if len(s.fail) < int(v.depth) {
		s.fail = extendBorders(s.fail, s.text[s.sa[v.lo]:], int(v.depth))
	}
	if p := v.depth - s.fail[v.depth-1]; p <= v.depth/2 {
		return p
	}
	return 0
}

// countSorted counts by a sorted list of the places, which is kept for the next size.
func (s *search) countSorted(i, size int32) int32 {
	v := &s.nodes[i]
	if s.of != i {
		s.sites = append(s.sites[:0], s.sa[v.lo:v.hi]...)
		slices.Sort(s.sites)
		s.of = i
	}
	count, free := int32(0), int32(0)
	for _, p := range s.sites {
		if p >= free {
			count++
			free = p + size
		}
	}
	return count
}

// stretch is a place where the text has a period for at least twice as long, as far as it does.
type stretch struct {
	from, to int32
	phase    int32 // where the least rotation of its root begins, modulo the period
	root     int32 // number of that rotation
}

// countStretches counts a repeat that has a period: its places in a stretch are a period apart, so that a stretch is one step.
func (s *search) countStretches(v *repeat, size, period int32) int32 {
	first := s.sa[v.lo]
	levels := s.stretchesOf(period)
	// Two stretches overlap by less than the period, so the last one that begins before a place holds it.
	at, _ := slices.BinarySearchFunc(levels[0], first+1, func(t stretch, p int32) int { return int(t.from - p) })
	own := levels[0][at-1]
	shift := first - own.phase
	level := 0
	for level+1 < len(levels) && v.depth>>(level+1) >= 2*period {
		level++
	}
	jump := (size + period - 1) / period * period
	count, free := int32(0), int32(0)
	for _, t := range levels[level] {
		if t.root != own.root {
			continue
		}
		least := max(t.from, free)
		p := least + modulo(t.phase+shift-least, period)
		if last := t.to - v.depth; p <= last {
			n := (last-p)/jump + 1
			count += n
			free = p + (n-1)*jump + size
		}
	}
	return count
}

func modulo(a, m int32) int32 {
	if a %= m; a < 0 {
		a += m
	}
	return a
}

// stretchesOf finds the stretches of a period once: all of them, those of at least four times the period, of eight times, ...
func (s *search) stretchesOf(period int32) [][]stretch {
	if levels, ok := s.stretches[period]; ok {
		return levels
	}
	roots := map[string]int32{}
	var all []stretch
	n := int32(len(s.text))
	for i := int32(0); i+period < n; {
		from := i
		for i+period < n && s.text[i] == s.text[i+period] {
			i++
		}
		if i-from >= period {
			t := stretch{from: from, to: i + period}
			off := leastRotation(s.text[from : from+period])
			t.phase = from + off
			key := make([]byte, 0, 4*period)
			for _, c := range s.text[t.phase : t.phase+period] {
				key = append(key, byte(c), byte(c>>8), byte(c>>16), byte(c>>24))
			}
			if _, ok := roots[string(key)]; !ok {
				roots[string(key)] = int32(len(roots))
			}
			t.root = roots[string(key)]
			all = append(all, t)
		}
		i++
	}
	levels := [][]stretch{all}
	for least := 4 * period; ; least *= 2 {
		var long []stretch
		for _, t := range levels[len(levels)-1] {
			if t.to-t.from >= least {
				long = append(long, t)
			}
		}
		if len(long) == 0 || least > n/2 {
			break
		}
		levels = append(levels, long)
	}
	if s.stretches == nil {
		s.stretches = map[int32][][]stretch{}
	}
	s.stretches[period] = levels
	return levels
}

// leastRotation is where the smallest rotation of a word begins.
func leastRotation(w []int32) int32 {
	n := len(w)
	i, j, k := 0, 1, 0
	for i < n && j < n && k < n {
		a, b := w[(i+k)%n], w[(j+k)%n]
		switch {
		case a == b:
			k++
			continue
		case a > b:
			i += k + 1
		default:
			j += k + 1
		}
		if i == j {
			j++
		}
		k = 0
	}
	return int32(min(i, j))
}
