package export

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"motehound/internal/need"
)

// genhtml reads the tracefile, and counts as we do; handlers have run as often as the world says.
func TestLCOVOfRun(t *testing.T) {
	t.Parallel()
	x := relayRun(t)
	text, err := os.ReadFile(x.files.LCOV)
	if err != nil {
		t.Fatal(err)
	}
	sum := func(key string) (n int) {
		for _, m := range regexp.MustCompile(`(?m)^`+key+`:(\d+)$`).FindAllStringSubmatch(string(text), -1) {
			v, _ := strconv.Atoi(m[1])
			n += v
		}
		return n
	}
	out, err := need.Command(t, "genhtml", "--ignore-errors", "source", "-o", filepath.Join(t.TempDir(), "html"), x.files.LCOV).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{fmt.Sprintf("(%d of %d lines)", sum("LH"), sum("LF")), fmt.Sprintf("(%d of %d functions)", sum("FNH"), sum("FNF"))} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	ran := 0
	for name, pc := range x.entries {
		if n := x.entered[pc]; !strings.Contains(string(text), fmt.Sprintf("FNDA:%d,%s\n", n, name)) {
			t.Errorf("%s ran %d times, which the file does not say", name, n)
		} else if n > 0 {
			ran++
		}
	}
	if ran < 2 {
		t.Errorf("only %d handlers ran", ran)
	}
}

// coberturaDTD is the elements and attributes of Cobertura's reports, version 4.
const coberturaDTD = `<!ELEMENT coverage (sources?, packages)>
<!ATTLIST coverage line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED lines-covered CDATA #REQUIRED lines-valid CDATA #REQUIRED
 branches-covered CDATA #REQUIRED branches-valid CDATA #REQUIRED complexity CDATA #REQUIRED version CDATA #REQUIRED timestamp CDATA #REQUIRED>
<!ELEMENT sources (source*)><!ELEMENT source (#PCDATA)>
<!ELEMENT packages (package*)><!ELEMENT package (classes)>
<!ATTLIST package name CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED complexity CDATA #REQUIRED>
<!ELEMENT classes (class*)><!ELEMENT class (methods, lines)>
<!ATTLIST class name CDATA #REQUIRED filename CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED complexity CDATA #REQUIRED>
<!ELEMENT methods (method*)><!ELEMENT method (lines)>
<!ATTLIST method name CDATA #REQUIRED signature CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED complexity CDATA #REQUIRED>
<!ELEMENT lines (line*)><!ELEMENT line EMPTY>
<!ATTLIST line number CDATA #REQUIRED hits CDATA #REQUIRED branch CDATA "false">
`

// The report has the structure that Cobertura's DTD wants, and the lines of the tracefile.
func TestCobertura(t *testing.T) {
	t.Parallel()
	x := relayRun(t)
	dtd := filepath.Join(t.TempDir(), "coverage.dtd")
	if err := os.WriteFile(dtd, []byte(coberturaDTD), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := need.Command(t, "xmllint", "--noout", "--nonet", "--dtdvalid", dtd, x.files.Cobertura).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(x.files.Cobertura)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Covered int `xml:"lines-covered,attr"`
		Classes []struct {
			File  string `xml:"filename,attr"`
			Lines []struct {
				Number int `xml:"number,attr"`
				Hits   int `xml:"hits,attr"`
			} `xml:"lines>line"`
		} `xml:"packages>package>classes>class"`
	}
	if err := xml.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	var lcov strings.Builder
	covered := 0
	for _, c := range r.Classes {
		fmt.Fprintf(&lcov, "SF:%s\n", c.File)
		for _, l := range c.Lines {
			fmt.Fprintf(&lcov, "DA:%d,%d\n", l.Number, l.Hits)
			covered += min(l.Hits, 1)
		}
	}
	info, err := os.ReadFile(x.files.LCOV)
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^(SF|DA):.*\n`).FindAllString(string(info), -1)
	if lcov.String() != strings.Join(lines, "") || covered != r.Covered || covered == 0 {
		t.Errorf("the two reports differ; %d lines are covered, the report says %d", covered, r.Covered)
	}
}
