package export

import (
	"bufio"
	"encoding/xml"
	"io"
	"path"
	"strconv"

	"motehound/observe/coverage"
)

// The elements of a Cobertura report, as its coverage-04.dtd has them.
type (
	coberturaReport struct {
		XMLName    xml.Name           `xml:"coverage"`
		LineRate   string             `xml:"line-rate,attr"`
		BranchRate string             `xml:"branch-rate,attr"`
		Covered    int                `xml:"lines-covered,attr"`
		Valid      int                `xml:"lines-valid,attr"`
		Branches   int                `xml:"branches-covered,attr"`
		AllBranch  int                `xml:"branches-valid,attr"`
		Complexity int                `xml:"complexity,attr"`
		Version    string             `xml:"version,attr"`
		Timestamp  int                `xml:"timestamp,attr"`
		Sources    []string           `xml:"sources>source"`
		Packages   []coberturaPackage `xml:"packages>package"`
	}
	coberturaPackage struct {
		Name string `xml:"name,attr"`
		coberturaRates
		Classes []coberturaClass `xml:"classes>class"`
	}
	coberturaClass struct {
		Name string `xml:"name,attr"`
		File string `xml:"filename,attr"`
		coberturaRates
		Methods []coberturaMethod `xml:"methods>method"`
		Lines   coberturaLines    `xml:"lines"`
	}
	coberturaMethod struct {
		Name      string `xml:"name,attr"`
		Signature string `xml:"signature,attr"`
		coberturaRates
		Lines coberturaLines `xml:"lines"`
	}
	coberturaLines struct {
		List []coberturaLine `xml:"line"`
	}
	coberturaLine struct {
		Number int    `xml:"number,attr"`
		Hits   int    `xml:"hits,attr"`
		Branch string `xml:"branch,attr"`
	}
	coberturaRates struct {
		LineRate   string `xml:"line-rate,attr"`
		BranchRate string `xml:"branch-rate,attr"`
		Complexity int    `xml:"complexity,attr"`
	}
)

// writeCobertura writes which lines and functions were executed as a Cobertura report, which CI servers show. Each firmware is a package, each
// source file a class. Branches are not counted. The time stamp is 0: the same run gives the same file.
func writeCobertura(to io.Writer, files []coverage.File) error {
	r := coberturaReport{BranchRate: "0", Version: "motehound", Sources: []string{"."}}
	for i, f := range files {
		if i == 0 || files[i-1].Firmware != f.Firmware {
			r.Packages = append(r.Packages, coberturaPackage{Name: path.Base(f.Firmware)})
		}
		p := &r.Packages[len(r.Packages)-1]
		c := coberturaClass{Name: path.Base(f.Path), File: f.Path}
		covered := 0
		for _, x := range f.Functions {
			one := coberturaLines{[]coberturaLine{{x.Line, x.Hits, "false"}}}
			c.Methods = append(c.Methods, coberturaMethod{x.Name, "()", ratesOf(min(x.Hits, 1), 1), one})
		}
		for _, l := range f.Lines {
			c.Lines.List = append(c.Lines.List, coberturaLine{l.Line, l.Hits, "false"})
			covered += min(l.Hits, 1)
		}
		c.coberturaRates = ratesOf(covered, len(f.Lines))
		p.Classes = append(p.Classes, c)
		r.Covered, r.Valid = r.Covered+covered, r.Valid+len(f.Lines)
	}
	for i := range r.Packages {
		covered, valid := 0, 0
		for _, c := range r.Packages[i].Classes {
			for _, l := range c.Lines.List {
				covered, valid = covered+min(l.Hits, 1), valid+1
			}
		}
		r.Packages[i].coberturaRates = ratesOf(covered, valid)
	}
	r.LineRate = ratesOf(r.Covered, r.Valid).LineRate
	w := bufio.NewWriter(to)
	w.WriteString(xml.Header + "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n")
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(r); err != nil {
		return err
	}
	w.WriteString("\n")
	return w.Flush()
}

func ratesOf(covered, valid int) coberturaRates {
	rate := 0.0
	if valid > 0 {
		rate = float64(covered) / float64(valid)
	}
	return coberturaRates{LineRate: strconv.FormatFloat(rate, 'f', 4, 64), BranchRate: "0"}
}
