package radio

// Silence, as an answer to Host.Choose, has a receiver hear zeros where it would make random bits of noise. All bytes between two
// frames are then the same, so that whoever explores what motes do can pass over those that change nothing.
const Silence = ^uint32(0)

// Silent tells when DCLK has clocked out the next byte and how long each takes, in picoseconds, if that byte and all behind it are
// zeros of a receiver in silence: no carrier reaches it, nothing of a frame waits, and its slave stands between two bytes.
func (r *CC1000) Silent() (at, span uint64, ok bool) {
	s := r.S
	if s.Mode != CC1000Receive || s.Noise != 0 || s.Edge == Never || s.Locking != 0 || s.Fill > 1 || s.Fill == 1 && (s.Hiss == 0 || s.Fifo[0] != 0) {
		return 0, 0, false
	}
	for i := range s.Signals {
		if s.Signals[i].On != 0 {
			return 0, 0, false
		}
	}
	if _, gone := r.Modem.Shown(); gone != 0 || s.Planned != s.Edge+7*s.Period {
		return 0, 0, false
	}
	return s.Planned, 8 * s.Period, true
}

// PassSilence has so many bytes go by that Silent tells of, without anybody seeing them.
func (r *CC1000) PassSilence(h Host, bytes uint64) {
	s := r.S
	s.Edge += bytes * 8 * s.Period
	s.Planned = s.Edge + 7*s.Period
	h.Plan(CC1000Clock, s.Planned)
}
