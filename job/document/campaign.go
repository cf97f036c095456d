package document

import (
	"encoding/json"

	"motehound/study/verdict"
)

// Campaign is the result of a campaign. It is the same whoever did its items, in whatever order.
type Campaign struct {
	Campaign string           `json:"campaign"` // its id
	Title    string           `json:"title"`
	Version  string           `json:"version"` // of the program
	Verdict  verdict.Verdict  `json:"verdict"`
	LeftOut  []string         `json:"left_out"`
	Items    int              `json:"items"`
	Strands  []CampaignStrand `json:"strands"`
	Failed   []FailedItem     `json:"failed"` // items that nobody could do
}

// CampaignStrand is what one request of a campaign gave.
type CampaignStrand struct {
	Job      string          `json:"job"`
	Label    string          `json:"label,omitempty"`
	Verdict  verdict.Verdict `json:"verdict,omitempty"`
	LeftOut  []string        `json:"left_out,omitempty"`
	Explored *Explored       `json:"explored,omitempty"` // of a request that was split
	Inputs   uint64          `json:"inputs,omitempty"`   // that were made up
	Findings []*Found        `json:"findings,omitempty"`
	Document json.RawMessage `json:"document,omitempty"` // of a request that was done as a whole
}

// FailedItem is an item that nobody could do.
type FailedItem struct {
	Item string `json:"item"`
	Why  string `json:"why"`
}

// CampaignStatus is how far a campaign is.
type CampaignStatus struct {
	Campaign string       `json:"campaign"`
	Title    string       `json:"title"`
	State    string       `json:"state"` // running, finished or stopped
	Items    int          `json:"items"` // as far as is known
	Done     int          `json:"done"`
	Waiting  int          `json:"waiting"` // in the queue
	Working  int          `json:"working"` // taken, and not done
	Findings int          `json:"findings"`
	Found    []string     `json:"found"` // the same in words
	Failed   []FailedItem `json:"failed"`
}

// CampaignList is what campaign status prints.
type CampaignList struct {
	Campaigns []CampaignStatus `json:"campaigns"`
	Workers   []CampaignWorker `json:"workers"` // those that answered
}

// CampaignWorker is one of the machines, or one of its processes.
type CampaignWorker struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Item    string `json:"item,omitempty"` // that it does
	Done    uint64 `json:"done"`
}
