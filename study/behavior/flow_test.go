package behavior

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// paperFlow is Figure 6 as it stands: every substring of every size from 2 on, counted from left to right, the first of the
// best kept. Those that no mote repeats do not count, and sizes up to limit are tried.
func paperFlow(seqs []Pattern, limit int) (pattern Pattern, count, covered int) {
	text, _ := joined(seqs)
	if limit <= 0 {
		limit = len(text)
	}
	often := len(seqs) + 1
	var bytes []byte
	for _, m := range text {
		bytes = binary.LittleEndian.AppendUint16(bytes, uint16(m))
	}
	for size := 2; size <= min(limit, len(text)/2); size++ {
		type tally struct{ first, free, count int }
		seen := map[string]*tally{}
		var order []*tally
		for p := 0; p+size <= len(text); p++ {
			key := string(bytes[2*p : 2*(p+size)])
			t := seen[key]
			if t == nil {
				t = &tally{first: p}
				seen[key] = t
				order = append(order, t)
			}
			if p >= t.free {
				t.count++
				t.free = p + size
			}
		}
		for _, t := range order {
			if t.count >= often && size*t.count > covered {
				covered, count, pattern = size*t.count, t.count, Pattern(text[t.first:t.first+size])
			}
		}
	}
	return pattern, count, covered
}

// checkFlow compares with the paper's algorithm.
func checkFlow(t *testing.T, seqs []Pattern, limit int) {
	t.Helper()
	want, count, covered := paperFlow(seqs, limit)
	text, length := joined(seqs)
	if m, n, sole := mostFrequent(seqs); sole || covered == 0 && n > len(seqs) {
		want, count, covered = Pattern{m}, n, n
	}
	got, ok := Mine(seqs, limit)
	if ok != (covered > 0) || !slices.Equal(got.Pattern, want) || got.Count != count {
		t.Fatalf("limit %d, %v:\ngot %v %d times, want %v %d times", limit, text, got.Pattern, got.Count, want, count)
	}
	if ok && got.Share != float64(covered)/float64(length) {
		t.Fatalf("share %v, want %d/%d", got.Share, covered, length)
	}
}

// randomSequence is one of several kinds: noise, a disturbed repetition, a mixture of jobs.
func randomSequence(r *rand.Rand, length, alphabet int) Pattern {
	var seq Pattern
	noise := func() int32 { return int32(r.IntN(alphabet)) }
	switch r.IntN(4) {
	case 0:
		for len(seq) < length {
			seq = append(seq, noise())
		}
	case 1:
		for len(seq) < length {
			seq = Fold(seq, noise())
			if alphabet == 1 && len(seq) == 2 {
				break
			}
		}
	case 2:
		period := make(Pattern, 1+r.IntN(7))
		for i := range period {
			period[i] = noise()
		}
		every := 1 + r.IntN(40)
		for i := 0; len(seq) < length; i++ {
			if r.IntN(every) == 0 {
				seq = append(seq, noise())
			} else {
				seq = append(seq, period[i%len(period)])
			}
		}
	default:
		jobs := make([]Pattern, 1+r.IntN(3))
		for i := range jobs {
			for range 1 + r.IntN(5) {
				jobs[i] = append(jobs[i], noise())
			}
		}
		for len(seq) < length {
			seq = append(seq, jobs[r.IntN(len(jobs))]...)
		}
	}
	return seq
}

func TestFlowsAreThePapersOnRandomSequences(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	n := 100_000
	if testing.Short() {
		n = 5_000
	}
	for i := range n {
		length := r.IntN(40)
		if i%50 == 0 {
			length = r.IntN(200)
		}
		seqs := []Pattern{randomSequence(r, length, 1+r.IntN(5)*r.IntN(4))}
		for r.IntN(8) == 0 {
			seqs = append(seqs, randomSequence(r, r.IntN(30), 1+r.IntN(4)))
		}
		limit := 0
		if r.IntN(4) == 0 {
			limit = 2 + r.IntN(12)
		}
		checkFlow(t, seqs, limit)
	}
}

func TestFlowsAreThePapersOnAllShortSequences(t *testing.T) {
	t.Parallel()
	for alphabet, longest := range map[int]int{2: 14, 3: 9} {
		for length := range longest + 1 {
			total := 1
			for range length {
				total *= alphabet
			}
			for code := range total {
				seq := make(Pattern, length)
				for i, c := 0, code; i < length; i, c = i+1, c/alphabet {
					seq[i] = int32(c % alphabet)
				}
				checkFlow(t, []Pattern{seq}, 0)
			}
		}
	}
}

// fibonacci is the word a, ab, aba, abaab, ...: everything in it repeats, and nothing regularly.
func fibonacci(length int) Pattern {
	a, b := Pattern{0}, Pattern{0, 1}
	for len(b) < length {
		a, b = b, append(slices.Clone(b), a...)
	}
	return b[:length]
}

// thueMorse has no overlaps at all, and many squares.
func thueMorse(length int) Pattern {
	w := make(Pattern, length)
	for i := 1; i < length; i++ {
		w[i] = w[i/2] ^ int32(i&1)
	}
	return w
}

// periodic repeats a word, with a disturbance every so often.
func periodic(word Pattern, length, every int, r *rand.Rand) Pattern {
	var seq Pattern
	next := every
	for i := 0; len(seq) < length; i++ {
		seq = append(seq, word[i%len(word)])
		if every > 0 && len(seq) >= next {
			seq = append(seq, 7+int32(r.IntN(3)))
			next = len(seq) + 1 + r.IntN(2*every)
		}
	}
	return seq
}

// hardSequences are those that are bad for one idea or another.
func hardSequences(length int) map[string]Pattern {
	r := rand.New(rand.NewPCG(3, 4))
	noise := func(alphabet int) Pattern {
		seq := make(Pattern, length)
		for i := range seq {
			seq[i] = int32(r.IntN(alphabet))
		}
		return seq
	}
	return map[string]Pattern{
		"random binary":    noise(2),
		"random of 50":     noise(50),
		"one model":        make(Pattern, length),
		"one and an end":   append(make(Pattern, length-1), 1),
		"ab":               periodic(Pattern{0, 1}, length, 0, r),
		"ab disturbed":     append(periodic(Pattern{0, 1}, length/2, 0, r), append(Pattern{5}, periodic(Pattern{0, 1}, length/2-1, 0, r)...)...),
		"relay":            periodic(Pattern{0, 0, 1, 0, 0, 2}, length, 1000, r),
		"relay, noisy":     periodic(Pattern{0, 0, 1, 0, 0, 2}, length, 30, r),
		"long period":      periodic(noise(4)[:997%length], length, 5000, r),
		"fibonacci":        fibonacci(length),
		"thue-morse":       thueMorse(length),
		"half and half":    slices.Concat(noise(3)[:length/2], noise(3)[:length/2]),
		"twice":            slices.Concat(noise(3)[:length/2], noise(3)[:length/2])[:length],
		"growing runs":     growing(length),
		"squares of words": squares(length, r),
	}
}

// growing is ab, aab, aaab, ...
func growing(length int) Pattern {
	var seq Pattern
	for n := 1; len(seq) < length; n++ {
		seq = append(append(seq, make(Pattern, n)...), 1)
	}
	return seq[:length]
}

// squares is random words, each twice, of growing size.
func squares(length int, r *rand.Rand) Pattern {
	var seq Pattern
	for n := 1; len(seq) < length; n++ {
		w := make(Pattern, n)
		for i := range w {
			w[i] = int32(r.IntN(2))
		}
		seq = slices.Concat(seq, w, w)
	}
	return seq[:length]
}

func TestHardSequences(t *testing.T) {
	t.Parallel()
	for _, length := range []int{30, 200, 501} {
		for name, seq := range hardSequences(length) {
			t.Run(fmt.Sprint(name, length), func(t *testing.T) { checkFlow(t, []Pattern{seq}, 0) })
		}
	}
}

// TestStretches has long repetitions of a few words, with and without something between them, so that repeats with many places
// and more than 64 models are counted by stretches.
func TestStretches(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20, 21))
	for range 100 {
		words := make([]Pattern, 1+r.IntN(3))
		for i := range words {
			for range 1 + r.IntN(3) {
				words[i] = append(words[i], int32(r.IntN(2)))
			}
		}
		var seq Pattern
		for length := 200 + r.IntN(400); len(seq) < length; {
			w := words[r.IntN(len(words))]
			for i := range 60 + r.IntN(250) {
				seq = append(seq, w[i%len(w)])
			}
			for range r.IntN(3) {
				seq = append(seq, int32(r.IntN(4)))
			}
		}
		checkFlow(t, []Pattern{seq}, 0)
	}
}

// TestCountedByPeriodAndByScan has sequences long enough that counting jumps and scans; the paper's algorithm is bounded to
// small sizes, which is where the flow is.
func TestCountedByPeriodAndByScan(t *testing.T) {
	t.Parallel()
	for name, seq := range hardSequences(20_000) {
		t.Run(name, func(t *testing.T) { checkFlow(t, []Pattern{seq}, 12) })
	}
}

func TestPaperExamples(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		models, flow string
		share        float64
	}{
		{"ABABABABABAB", "AB", 1},
		{"AABAABAAB", "AAB", 1},
		{"AAAABAAABAAAABAAB", "AAB", 1},                      // footnote 4
		{"AAABAACAAAABAAACAABAAC", "AABAAC", 1},              // case study 1
		{"AABAACAABAACAABAABAACAABAAC", "AABAAC", 24.0 / 27}, // with the violation of Figure 9
		{"AAAAAAA", "A", 1},                                  // case study 3
		{"A", "A", 1},
		{"ABC", "", 0},
		{"ABCCCCC", "C", 0.5}, // starts up, and then does one thing
	} {
		var seq Pattern
		for _, m := range c.models {
			seq = Fold(seq, m-'A')
		}
		f, _ := Mine([]Pattern{seq}, 0)
		got := ""
		for _, m := range f.Pattern {
			got += string('A' + m)
		}
		if got != c.flow || f.Share != c.share {
			t.Errorf("%s: %s with %v, want %s with %v", c.models, got, f.Share, c.flow, c.share)
		}
	}
}

func TestOtherFlowsAreOfTheRest(t *testing.T) {
	t.Parallel()
	var seq Pattern
	for _, n := range []int{1, 4, 1, 5, 9, 2, 6, 5, 3, 5} {
		for range n {
			seq = append(seq, 0, 1, 2)
		}
		seq = append(seq, 4, 5)
	}
	flows := mineAll([]Pattern{seq}, 0, 3)
	if len(flows) != 2 || !slices.Equal(flows[1].Pattern, Pattern{4, 5}) || flows[1].Count != 10 {
		t.Fatalf("%+v", flows)
	}
}

func TestSuffixesAreSorted(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		text, alphabet := compact(randomSequence(r, r.IntN(60), 1+r.IntN(6)))
		s := newSuffixes(text, alphabet)
		for i := 1; i < len(text); i++ {
			a, b := text[s.sa[i-1]:], text[s.sa[i]:]
			shared := 0
			for shared < len(a) && shared < len(b) && a[shared] == b[shared] {
				shared++
			}
			if slices.Compare(a, b) >= 0 || int(s.lcp[i]) != shared {
				t.Fatalf("%v: suffix array %v, lcp %v", text, s.sa, s.lcp)
			}
		}
	}
}

func BenchmarkMillion(b *testing.B) {
	for name, seq := range hardSequences(1_000_000) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Mine([]Pattern{seq}, 0)
			}
		})
	}
}

// Fold appends a model to a folded sequence.
func Fold(seq Pattern, model int32) Pattern {
	if n := len(seq); n >= 2 && seq[n-1] == model && seq[n-2] == model {
		return seq
	}
	return append(seq, model)
}
