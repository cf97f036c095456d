package findings

import (
	"encoding/json"
	"fmt"
)

// Fresh is the findings that make a command fail: violations and races that nobody has dismissed, and that the baseline does not have. A baseline does not
// excuse what it has as fixed.
func Fresh(now, baseline []Finding) []Finding {
	known := map[string]bool{}
	for _, f := range baseline {
		known[f.Key] = known[f.Key] || f.State != Fixed
	}
	var list []Finding
	for _, f := range now {
		if f.Grade.Fails() && f.State != Dismissed && f.State != Fixed && !known[f.Key] {
			list = append(list, f)
		}
	}
	return list
}

// ReadBaseline reads a baseline: what findings export --format json writes, or hunt --json.
func ReadBaseline(data []byte) ([]Finding, error) {
	var doc struct {
		Findings *[]Finding `json:"findings"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w; motehound findings export --format json writes a baseline", err)
	}
	if doc.Findings == nil {
		return nil, fmt.Errorf("it has no findings; motehound findings export --format json writes a baseline")
	}
	for i, f := range *doc.Findings {
		if f.Key == "" {
			return nil, fmt.Errorf("its finding %d has no key; motehound findings export --format json writes a baseline", i+1)
		}
	}
	return *doc.Findings, nil
}
