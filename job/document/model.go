package document

import (
	"slices"

	"motehound/study/behavior"
	"motehound/study/verdict"
)

// MinedModels is what model mine prints as JSON.
type MinedModels struct {
	Board  string         `json:"board"`
	Motes  []int          `json:"motes"` // node ids
	TimeS  float64        `json:"time_s"`
	Hash   string         `json:"hash"`
	File   *behavior.File `json:"models"`
	Rivals []RivalFlow    `json:"rivals"`
	Runs   int            `json:"runs"`
	Stable int            `json:"stable"` // runs at the end that had nothing new
	// LeftOut is why there may be more.
	LeftOut []string `json:"left_out"`
}

// Half reports whether the user did not wait for the run's end.
func (d *MinedModels) Half() bool { return slices.Contains(d.LeftOut, verdict.Interrupted) }

// RivalFlow is a flow that covers less than the job flow.
type RivalFlow struct {
	Vector uint16  `json:"vector"`
	Models string  `json:"models"`
	Count  int     `json:"count"`
	Share  float64 `json:"share"`
}

// MinedNetwork is what model mine prints as JSON if there are several firmware files.
type MinedNetwork struct {
	Builds  []*MinedModels `json:"builds"`
	LeftOut []string       `json:"left_out"`
}

// VerifiedModels is what model verify prints as JSON.
type VerifiedModels struct {
	Verdict    verdict.Verdict      `json:"verdict"` // violated, or unknown: a run shows what it shows
	LeftOut    []string             `json:"left_out"`
	Instances  uint64               `json:"instances"`
	TimeS      float64              `json:"time_s"`
	Hash       string               `json:"hash"`
	Violations []*VerifiedViolation `json:"violations"`
	New        []*VerifiedViolation `json:"new"`            // not approved, but every rule about it held
	More       int                  `json:"more,omitempty"` // occurrences of causes that are not listed
	Models     string               `json:"models"`
	Firmware   string               `json:"firmware"` // that was checked
	Motes      []int                `json:"motes"`    // node ids
}

// VerifiedViolation is a violation with the moment and the recipe that leads to it.
type VerifiedViolation struct {
	*behavior.Violation
	VectorName string `json:"vector_name"`
	UntilPS    uint64 `json:"until_ps"`
	Recipe     string `json:"recipe,omitempty"`
}

// VerifiedNetwork is what model verify prints as JSON if --models is a folder.
type VerifiedNetwork struct {
	Verdict verdict.Verdict   `json:"verdict"`  // of all builds
	LeftOut []string          `json:"left_out"` // that of all builds; and motes of which there are no models, or for which there was no time
	Builds  []*VerifiedModels `json:"builds"`
}

// ModelDifference is the document of model diff.
type ModelDifference = behavior.Difference

// ApprovedModels is a file of models, which has a version of its own.
type ApprovedModels = behavior.File
