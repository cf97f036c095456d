package tracing

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// compare says in what traced motes differed from plain ones.
func (s *sample) compare(was, is []seen) (list []string) {
	for i := range was {
		for _, d := range s.differences(&was[i], &is[i]) {
			list = append(list, fmt.Sprintf("mote %d: %s", i, d))
		}
	}
	return list
}

// differences says in what a traced mote differed from a plain one, as far as both have got.
func (s *sample) differences(was, is *seen) (list []string) {
	compare := func(what string, a, b []string) {
		short := min(len(a), len(b))
		for n := range short {
			if a[n] != b[n] {
				list = append(list, fmt.Sprintf("%s, number %d of %d and %d: was %q, is %q", what, n, len(a), len(b), a[n], b[n]))
				return
			}
		}
		// Something may have been on its way when the run ended.
		if long := max(len(a), len(b)); long > short+2 && long-short > long*s.slower/100 {
			list = append(list, fmt.Sprintf("%s: %d, were %d", what, len(b), len(a)))
		}
	}
	compare("serial port, byte", strings.Split(string(was.uart), ""), strings.Split(string(is.uart), ""))
	for led := range max(len(was.lights), len(is.lights)) {
		compare(fmt.Sprintf("light %d, change", led), was.light(led), is.light(led))
	}
	compare("radio, frame", s.masked(was.frames, false), s.masked(is.frames, false))
	// When it acknowledges a frame is not its own doing, but that of the mote which sent it: which of two was first may be a matter of
	// microseconds. What each of these sent, in its order, is compared with them.
	compare("radio, acknowledgement", sorted(s.masked(was.frames, true)), sorted(s.masked(is.frames, true)))
	return list
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

// light is one light's changes: which of two lights changes first may be another timer's, or another mote's doing.
func (s *seen) light(led int) []string {
	if led >= len(s.lights) {
		return nil
	}
	return s.lights[led]
}

// contents is a frame without what radios put around it: a preamble, of as many bytes as the chip's clock wants, and a delimiter.
func contents(frame []byte) string {
	for _, delimiter := range []string{"\x00\xa7", "\x55\x90\x4e"} {
		if _, inside, ok := bytes.Cut(frame, []byte(delimiter)); ok && len(inside) > 0 && int(inside[0]) < len(inside) {
			return string(inside[:1+int(inside[0])])
		}
	}
	return string(frame)
}

// masked is the acknowledgements, or the other frames, without what is not compared.
func (s *sample) masked(frames []string, acknowledgements bool) (list []string) {
	const acknowledgement, kind, checksum = 5, 11, 2
	for _, f := range frames {
		if (f[0] == acknowledgement) != acknowledgements {
			continue
		}
		for _, m := range s.masks {
			if len(f) > kind && f[kind] == m.kind && len(f) == m.to+checksum {
				f = f[:m.from]
			}
		}
		list = append(list, f)
	}
	return list
}
