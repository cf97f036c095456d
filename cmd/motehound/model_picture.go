package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"motehound/job"
	"motehound/show/picture"
	"motehound/show/report"
)

// pictureFlags are the files into which models are drawn.
type pictureFlags struct{ html, svg, dot string }

func (f *pictureFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.html, "html", "", about("html"))
	fl.StringVar(&f.svg, "svg", "", "draw it into this `file` as SVG, for print")
	fl.StringVar(&f.dot, "dot", "", "draw it into this `file` for Graphviz")
}

func (f *pictureFlags) wanted() bool { return *f != pictureFlags{} }

// write writes a picture into the files. Sources are looked for from the firmware on.
func (f *pictureFlags) write(p *picture.Picture, firmware string) error {
	p.Motehound = version()
	if f.html != "" {
		if name, ok := strings.CutPrefix(firmware, job.ExamplePrefix); ok {
			firmware = filepath.Join("examples", "elf", name+".elf") // in a checkout their sources are beside them
		}
		p.FindSources(func(file string) ([]string, string) {
			s := report.FindSource(file, firmware, os.ReadFile)
			return s.Lines, s.Note
		})
	}
	return errors.Join(job.WriteFile("--html", f.html, p.WriteHTML), job.WriteFile("--svg", f.svg, p.WriteSVG), job.WriteFile("--dot", f.dot, p.WriteDot))
}

// draw writes the picture of something, if one is wanted.
func (f *pictureFlags) draw(make func() (*picture.Picture, error), firmware string) error {
	if !f.wanted() {
		return nil
	}
	p, err := make()
	if err != nil {
		return err
	}
	return f.write(p, firmware)
}
