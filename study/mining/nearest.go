package mining

import "motehound/study/outlier"

// NearestNormal is, of the intervals that are listed and normal, the one whose counter is nearest to that of one that is not; nil if there is none, or it is normal itself.
func (r *Ranking) NearestNormal(s *Suspect) *Suspect {
	normal := func(x *Suspect) bool { return x.Score >= 0 && !x.StandsOut }
	if normal(s) {
		return nil
	}
	var best *Suspect
	least := uint64(0)
	for i := range r.Suspects {
		x := &r.Suspects[i]
		if !normal(x) {
			continue
		}
		if d := distance(s.Counts, x.Counts); best == nil || d < least {
			best, least = x, d
		}
	}
	return best
}

// distance is the sum of the squares of what two counters differ by.
func distance(a, b outlier.Vector) (sum uint64) {
	add := func(x, y uint32) {
		d := uint64(max(x, y) - min(x, y))
		sum += d * d
	}
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Feature < b[0].Feature:
			add(a[0].N, 0)
			a = a[1:]
		case len(a) == 0 || b[0].Feature < a[0].Feature:
			add(0, b[0].N)
			b = b[1:]
		default:
			add(a[0].N, b[0].N)
			a, b = a[1:], b[1:]
		}
	}
	return sum
}
