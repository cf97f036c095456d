package job

import (
	"errors"
	"fmt"
	"slices"

	"motehound/firmware/disk"
	"motehound/firmware/jsonfile"
	"motehound/job/document"
	"motehound/study/behavior"
)

// ModelApprove adds violations that turned out to be fine to approved models.
type ModelApprove struct {
	Models string   `json:"models"`
	Report string   `json:"report"` // the document of model verify
	IDs    []string `json:"ids,omitempty"`
	All    bool     `json:"all,omitempty"`
}

// Do adds them, and says what was added.
func (f ModelApprove) Do() (added []string, err error) {
	if f.All == (len(f.IDs) > 0) {
		return nil, errors.New("say which violations to approve: --all, or --id ID")
	}
	file, err := ReadModels(f.Models)
	if err != nil {
		return nil, err
	}
	data, err := disk.Read(f.Report, maxReport)
	if err != nil {
		return nil, err
	}
	var doc struct {
		Violations *[]*behavior.Violation `json:"violations"`
		New        []*behavior.Violation  `json:"new"`
	}
	if err := jsonfile.Read("not a report of 'model verify'", data, &doc); err != nil {
		return nil, jsonfile.Named(f.Report, err)
	}
	if doc.Violations == nil {
		return nil, fmt.Errorf("%s is not a report of 'model verify': it has no violations", f.Report)
	}
	if slices.Contains(*doc.Violations, nil) || slices.Contains(doc.New, nil) {
		return nil, fmt.Errorf("%s is not a report of 'model verify': a violation is null", f.Report)
	}
	added, err = file.Approve(append(*doc.Violations, doc.New...), f.IDs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Report, err)
	}
	if len(added) == 0 {
		return nil, nil
	}
	if err := disk.Write(f.Models, file.Bytes(), 0o666); err != nil {
		return nil, fmt.Errorf("--models: %w", err)
	}
	return added, nil
}

// ModelDiff compares the models of two files.
type ModelDiff struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Do compares them.
func (f ModelDiff) Do() (*document.ModelDifference, error) {
	from, err := ReadModels(f.From)
	if err != nil {
		return nil, err
	}
	to, err := ReadModels(f.To)
	if err != nil {
		return nil, err
	}
	return behavior.Diff(from, to)
}
