package export

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"motehound/observe/coverage"
)

// LCOV writes which lines and functions were reached as an lcov tracefile (geninfo(1)), which genhtml and editors read.
// Of several firmwares each is a test of its own.
func LCOV(to io.Writer, test string, files []coverage.File) error {
	w := bufio.NewWriter(to)
	several := slices.ContainsFunc(files, func(f coverage.File) bool { return f.Firmware != files[0].Firmware })
	for _, f := range files {
		name := test
		if several {
			name += "_" + strings.TrimSuffix(path.Base(f.Firmware), path.Ext(f.Firmware))
		}
		fmt.Fprintf(w, "TN:%s\nSF:%s\n", testName(name), f.Path)
		hit := 0
		for _, x := range f.Functions {
			fmt.Fprintf(w, "FN:%d,%s\n", x.Line, x.Name)
		}
		for _, x := range f.Functions {
			fmt.Fprintf(w, "FNDA:%d,%s\n", x.Hits, x.Name)
			hit += min(x.Hits, 1)
		}
		fmt.Fprintf(w, "FNF:%d\nFNH:%d\n", len(f.Functions), hit)
		hit = 0
		for _, l := range f.Lines {
			fmt.Fprintf(w, "DA:%d,%d\n", l.Line, l.Hits)
			hit += min(l.Hits, 1)
		}
		fmt.Fprintf(w, "LF:%d\nLH:%d\nend_of_record\n", len(f.Lines), hit)
	}
	return w.Flush()
}

// testName is a name as lcov takes it: letters, digits and underscores.
func testName(name string) string {
	out := []byte(name)
	for i, b := range out {
		if !(b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9') {
			out[i] = '_'
		}
	}
	return string(out)
}
