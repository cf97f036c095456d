package picture

import (
	"fmt"
	"path/filepath"

	"motehound/firmware/image"
	"motehound/job"
	"motehound/job/phrase"
	"motehound/study/behavior"
)

// OfMined draws what was mined.
func OfMined(m *job.MinedModels) (*Picture, error) {
	guide := newGuide()
	guide.book(m.Book)
	p, err := newPicture(m.Document.File, guide)
	if err != nil {
		return nil, err
	}
	for _, r := range m.Document.Rivals {
		p.addRival(r.Vector, r.Models, r.Count, r.Share)
	}
	return p, nil
}

// maxDrawn is how many violations are drawn.
const maxDrawn = 100

// OfVerified draws what a verification found, beside what was approved.
func OfVerified(m *job.VerifiedModels) (*Picture, error) {
	guide, doc := newGuide(), m.Document
	guide.book(m.Book)
	p, err := newPicture(m.File, guide)
	if err != nil {
		return nil, err
	}
	p.Title, p.Firmware, p.SHA256 = "Verification", m.Firmware, m.SHA256
	p.Checked = fmt.Sprintf("%s event procedures in %.1f s: none violates %s.", phrase.Grouped(doc.Instances), doc.TimeS, doc.Models)
	if n := len(doc.Violations); n > 0 {
		causes := fmt.Sprintf("%d causes", n)
		if n == 1 {
			causes = "one cause"
		}
		p.Checked = fmt.Sprintf("Violated: %s in %s event procedures, %.1f s, checked against %s.", causes, phrase.Grouped(doc.Instances), doc.TimeS, doc.Models)
		if n > maxDrawn {
			p.Checked += fmt.Sprintf(" The first %d are drawn.", maxDrawn)
		}
	}
	for _, v := range doc.Violations[:min(len(doc.Violations), maxDrawn)] {
		p.addViolation(v.Violation, v.VectorName, v.Recipe)
	}
	return p, nil
}

// OfFile draws a model file. The firmware, if it is there, says in which folders the sources are; the result names the one that was used.
// Notes are about that, for people.
func OfFile(file *behavior.File, path, firmware string, only []string, note func(string)) (*Picture, string, error) {
	guide := newGuide()
	im, err := modelFirmware(file, path, firmware)
	switch {
	case err != nil && firmware != "":
		return nil, "", fmt.Errorf("--firmware: %w", err)
	case err != nil:
		note(fmt.Sprintf("cannot read the firmware %s, so sources are not found: name it with --firmware", file.Firmware))
	default:
		firmware = im.Path
		if file.SHA256 != "" && file.SHA256 != fmt.Sprintf("%x", im.Hash) {
			note(fmt.Sprintf("%s is another build than the one the models come from: lines may differ", firmware))
		}
		for _, fn := range im.Functions() {
			guide.function(fn.Source().DeclFile, fn.Source().DeclLine, len(fn.Ranges) == 0)
		}
	}
	p, err := newPicture(file, guide)
	if err == nil && only != nil {
		err = p.keep(only)
	}
	return p, firmware, err
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
