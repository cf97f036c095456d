package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"motehound/firmware/image"
	"motehound/job"
	"motehound/job/phrase"
	"motehound/show/picture"
	"motehound/show/report"
	"motehound/study/behavior"
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

// drawMined draws what was mined.
func (f *pictureFlags) drawMined(doc *minedDocument, book *behavior.Book) error {
	if !f.wanted() {
		return nil
	}
	guide := picture.NewGuide()
	guide.Book(book)
	p, err := picture.New(doc.File, guide)
	if err != nil {
		return err
	}
	for _, r := range doc.Rivals {
		p.AddRival(r.Vector, r.Models, r.Count, r.Share)
	}
	return f.write(p, doc.File.Firmware)
}

// maxDrawn is how many violations are drawn.
const maxDrawn = 100

// drawVerified draws what a verification found, beside what was approved.
func (f *pictureFlags) drawVerified(file *behavior.File, doc *verifiedDocument, book *behavior.Book, firmware string) error {
	if !f.wanted() {
		return nil
	}
	guide := picture.NewGuide()
	guide.Book(book)
	p, err := picture.New(file, guide)
	if err != nil {
		return err
	}
	p.Title, p.Firmware = "Verification", firmware
	p.Checked = fmt.Sprintf("%s event procedures in %.1f s: none violates %s.", phrase.Grouped(doc.Instances), doc.TimeS, doc.Models)
	if n := len(doc.Violations); n > 0 {
		causes := fmt.Sprintf("%d causes", n)
		if n == 1 {
			causes = "one cause"
		}
		p.Checked = fmt.Sprintf("Violated: %s in %s event procedures, %.1f s, held to %s.", causes, phrase.Grouped(doc.Instances), doc.TimeS, doc.Models)
		if n > maxDrawn {
			p.Checked += fmt.Sprintf(" The first %d are drawn.", maxDrawn)
		}
	}
	for _, v := range doc.Violations[:min(len(doc.Violations), maxDrawn)] {
		p.AddViolation(v.Violation, v.VectorName, v.Recipe)
	}
	return f.write(p, firmware)
}

// drawFile draws a model file. The firmware, if it is there, tells in which folders the sources are. Notes are what people should
// know of that.
func (f *pictureFlags) drawFile(file *behavior.File, path, firmware string, only []string, note func(string)) error {
	if !f.wanted() {
		return nil
	}
	guide := picture.NewGuide()
	im, err := modelFirmware(file, path, firmware)
	switch {
	case err != nil && firmware != "":
		return fmt.Errorf("--firmware: %w", err)
	case err != nil:
		note(fmt.Sprintf("the firmware %s cannot be read, which tells where the sources are: name it with --firmware", file.Firmware))
	default:
		firmware = im.Path
		if file.SHA256 != "" && file.SHA256 != fmt.Sprintf("%x", im.Hash) {
			note(fmt.Sprintf("%s is not the build that the models are from: lines may differ", firmware))
		}
		for _, fn := range im.Functions() {
			guide.Function(fn.Source().DeclFile, fn.Source().DeclLine, len(fn.Ranges) == 0)
		}
	}
	p, err := picture.New(file, guide)
	if err != nil {
		return err
	}
	if only != nil {
		if err := p.Keep(only); err != nil {
			return err
		}
	}
	return f.write(p, firmware)
}

// modelFirmware reads the firmware of a model file, which is named as seen from where it was mined; or else from the file.
func modelFirmware(file *behavior.File, path, firmware string) (*image.Image, error) {
	tries := []string{firmware}
	if firmware == "" {
		tries = []string{file.Firmware, filepath.Join(filepath.Dir(path), file.Firmware)}
	}
	var first error
	for _, name := range tries {
		data, err := job.OpenFirmware(name)
		if err == nil {
			return image.Parse(name, data)
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}
