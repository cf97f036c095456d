package calltree

import (
	"regexp"

	"motehound/firmware/image"
)

var cloneMark = regexp.MustCompile(`\.(isra|constprop|part|cold|lto_priv)(\.\d+)*$`)

// sourceName is a function's name without the marks of the copies that GCC makes of it.
func sourceName(raw string) string {
	for {
		m := cloneMark.FindStringIndex(raw)
		if m == nil || m[0] == 0 {
			return raw
		}
		raw = raw[:m[0]]
	}
}

func readable(raw string) string { return image.Readable(sourceName(raw)) }
