package main

import (
	"io"
	"path/filepath"
	"strings"

	"motehound/job"
	"motehound/show/export"
	"motehound/study/symbolic/plan"
)

// writeCoverage writes what --lcov asks for.
func (f *symbolicFlags) writeCoverage(u *unknowns, p *plan.Plan, r *plan.Result) error {
	name := strings.TrimSuffix(filepath.Base(u.name), filepath.Ext(u.name))
	return job.WriteFile("--lcov", f.lcov, func(to io.Writer) error { return export.LCOV(to, name, p.Coverage(r)) })
}
