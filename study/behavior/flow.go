package behavior

// Job flows (T-Morph, section 4.4). A model sequence is folded first: two or more of the same model in a row become two (the
// paper's footnote 4), so that a packet of any length is the same flow. Then the flow is the substring s with the largest
// P_s = k_s * t_s / l, where k_s is its size, t_s how often it occurs without overlap, and l the sequence's length; of those
// the shortest, and of those the one that appears first, which is the one that Figure 6's loop keeps.
//
// Figure 6 begins with size 2 and leaves its largest size open. Here some mote must repeat a flow, since the whole sequence would
// always be the best: it occurs at least once more than there are motes. Where there is only one model, as in case study 3, or
// nothing of size 2 is repeated, as when a mote starts up and then does one thing, the flow is the most frequent model alone.

// Pattern is a piece of a folded model sequence: models by number.
type Pattern []int32

// Flow is a repeated pattern.
type Flow struct {
	Pattern Pattern
	Count   int     // occurrences, not overlapping
	Share   float64 // P_s
}

// root makes a flow that is another one several times over, perhaps with a piece of it at the end, that other one: a run that
// does nothing else has as long a flow as there can be twice.
func (f *Flow) root() {
	fail := borders(f.Pattern)
	n := len(fail)
	if period := n - int(fail[n-1]); n >= 2*period && period > 1 {
		f.Pattern, f.Count = f.Pattern[:period], f.Count*(n/period)
	}
}

// Mine finds the job flow of folded sequences, one for each mote, in near-linear time. At most limit models are in a flow; 0
// is no limit. Where nothing is repeated there is none.
func Mine(seqs []Pattern, limit int) (Flow, bool) { return mineFlow(seqs, limit, len(seqs)+1) }

// mineFlow finds the best pattern that occurs often enough.
func mineFlow(seqs []Pattern, limit, often int) (Flow, bool) {
	text, length := joined(seqs)
	if length == 0 {
		return Flow{}, false
	}
	m, count, sole := mostFrequent(seqs)
	at, size := 0, 0
	if !sole {
		if at, size, count = bestRepeat(text, limit, often); size == 0 {
			m, count, _ = mostFrequent(seqs)
		}
	}
	switch {
	case size > 0:
	case sole || count >= often:
		return Flow{Pattern: Pattern{m}, Count: count, Share: float64(count) / float64(length)}, true
	default:
		return Flow{}, false
	}
	return Flow{
		Pattern: append(Pattern(nil), text[at:at+size]...),
		Count:   count,
		Share:   float64(size) * float64(count) / float64(length),
	}, true
}

// mineAll finds the job flow and up to more others: each is the flow of what those before it leave, so none is a rotation or
// a part of a better one. Shares are of the whole; what has less than a hundredth is left out.
func mineAll(seqs []Pattern, limit, more int) []Flow {
	_, length := joined(seqs)
	often := len(seqs) + 1
	var all []Flow
	for len(all) <= more {
		f, ok := mineFlow(seqs, limit, often)
		if !ok || len(f.Pattern) == 1 && len(all) > 0 {
			break
		}
		f.Share = float64(len(f.Pattern)) * float64(f.Count) / float64(length)
		if len(all) > 0 && f.Share < 0.01 {
			break
		}
		all = append(all, f)
		var rest []Pattern
		for _, s := range seqs {
			rest = without(rest, s, f.Pattern)
		}
		seqs = rest
	}
	return all
}

// without appends the pieces of a sequence between the occurrences of a pattern.
func without(pieces []Pattern, seq, p Pattern) []Pattern {
	fail := borders(p)
	from, j := 0, 0
	for i, m := range seq {
		for j > 0 && p[j] != m {
			j = int(fail[j-1])
		}
		if p[j] == m {
			j++
		}
		if j == len(p) {
			if end := i + 1 - len(p); end > from {
				pieces = append(pieces, seq[from:end])
			}
			from, j = i+1, 0
		}
	}
	if from < len(seq) {
		pieces = append(pieces, seq[from:])
	}
	return pieces
}

// borders is the prefix function: how long the longest proper border of each prefix is.
func borders(p []int32) []int32 {
	fail := make([]int32, 0, len(p))
	return extendBorders(fail, p, len(p))
}

// extendBorders computes the prefix function of p on to n symbols.
func extendBorders(fail, p []int32, n int) []int32 {
	for i := len(fail); i < n; i++ {
		if i == 0 {
			fail = append(fail, 0)
			continue
		}
		j := fail[i-1]
		for j > 0 && p[j] != p[i] {
			j = fail[j-1]
		}
		if p[j] == p[i] {
			j++
		}
		fail = append(fail, j)
	}
	return fail
}

// joined puts sequences behind each other, with a symbol of its own between two: what is repeated never contains it.
func joined(seqs []Pattern) (text []int32, length int) {
	for _, s := range seqs {
		length += len(s)
	}
	text = make([]int32, 0, length+len(seqs))
	separator := int32(-1)
	for i, s := range seqs {
		if i > 0 {
			text = append(text, separator)
			separator--
		}
		text = append(text, s...)
	}
	return text, length
}

// mostFrequent is the model that occurs most, the first of several, and whether there is no other.
func mostFrequent(seqs []Pattern) (model int32, count int, sole bool) {
	counts := map[int32]int{}
	for _, s := range seqs {
		for _, m := range s {
			counts[m]++
		}
	}
	for _, s := range seqs {
		for _, m := range s {
			if counts[m] > count {
				model, count = m, counts[m]
			}
		}
	}
	return model, count, len(counts) == 1
}
