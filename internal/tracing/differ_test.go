package tracing

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// differences says in what a traced mote differed from a plain one, as far as both have got.
func (s sample) differences(was, is *seen) (list []string) {
	compare := func(what string, a, b []string) {
		for n := range min(len(a), len(b)) {
			if a[n] != b[n] {
				list = append(list, fmt.Sprintf("%s, number %d of %d and %d: was %q, is %q", what, n, len(a), len(b), a[n], b[n]))
				return
			}
		}
		if short := min(len(a), len(b)); !s.timed && max(len(a), len(b)) > short+short/50+3 {
			list = append(list, fmt.Sprintf("%s: %d, were %d", what, len(b), len(a)))
		}
	}
	compare("serial port, byte", strings.Split(string(was.uart), ""), strings.Split(string(is.uart), ""))
	if len(was.lights) != len(is.lights) {
		list = append(list, fmt.Sprintf("%d lights, were %d", len(is.lights), len(was.lights)))
		return list
	}
	for led := range was.lights {
		compare(fmt.Sprintf("light %d, change", led), strings.Split(was.lights[led], ""), strings.Split(is.lights[led], ""))
	}
	if s.timed {
		compare("kinds of messages", kinds(was.frames), kinds(is.frames))
	} else {
		compare("radio, frame", was.frames, is.frames)
	}
	return list
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

// kinds is the types of active messages in frames, each once.
func kinds(frames []string) []string {
	const acknowledgement, length, at = 5, 12, 11
	set := map[string]bool{}
	for _, f := range frames {
		switch {
		case len(f) > 0 && f[0] == acknowledgement:
			set["acknowledgement"] = true
		case len(f) >= length:
			set[fmt.Sprintf("type %d", f[at])] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}
