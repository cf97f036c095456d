package job

import (
	"context"
	"encoding/json"
)

// Parts is a job whose parts are done one by one, by this machine or by others: see package campaign. What a part gives depends on the request and the part alone,
// and what is made of all of them does not depend on who did which.
type Parts interface {
	// Count is how many parts there are; 0 if the job begins as one part, and is cut into pieces where it is too large.
	Count(ctx context.Context, h Host) (int, error)
	Part(ctx context.Context, p PartOf, h Host) (*Portion, error)
	// Together makes the document of what parts gave, in their order. Some may be missing. The bundles replay what was found, in the order of the document.
	Together(ctx context.Context, list []json.RawMessage, h Host) (document any, bundles [][]byte, err error)
}

// PartOf is which part is done.
type PartOf struct {
	Number int
	Piece  []int  // of it, and of that piece, and so on
	Events uint64 // its budget
}

// Portion is what a part gives.
type Portion struct {
	Data   json.RawMessage `json:"data"`
	Pieces int             `json:"pieces,omitempty"` // it is too large, and can be cut into so many
	Causes []string        `json:"causes,omitempty"` // names of what was found, for those who watch
}

// portionOf is what a part gives, as data.
func portionOf(what any, causes ...string) (*Portion, error) {
	data, err := json.Marshal(what)
	return &Portion{Data: data, Causes: causes}, err
}
