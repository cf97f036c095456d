package document

// LifecycleLine is an interrupt, a post or a task as JSON: a line of the file that --lifecycle names.
type LifecycleLine struct {
	Time  float64 `json:"time_s"`
	Mote  uint16  `json:"mote"`
	Kind  string  `json:"kind"`
	Arg   uint16  `json:"arg"`
	Name  string  `json:"name,omitempty"`
	Cycle uint64  `json:"cycle"`
}
