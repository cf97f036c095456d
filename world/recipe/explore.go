package recipe

// Explored is a run in explore mode: not at times, but one event after the other, as check found it. The recipe's own times,
// seed and answers mean nothing then, and Hash is that of the state behind the last event.
type Explored struct {
	// Events are the events, one after the other: mote, class, source and, if it is not 0, option. A made-up input (source 256 and above) has
	// an option of 0 and a fifth number: the value, or of a frame its name, which Inputs explain.
	Events []string `json:"events"`
	// Inputs are made-up inputs, in the order in which events bring them first.
	Inputs []MadeInput `json:"inputs,omitempty"`
	Skew   uint64      `json:"skew_ps,omitempty"`
	// Preempt is how many interrupts might come in the middle of something.
	Preempt int `json:"preempt,omitempty"`

	Property string `json:"property"`
	Kind     string `json:"kind"` // safety or liveness
	Mote     int    `json:"mote"`
	Function string `json:"function,omitempty"` // where, as far as that is known
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Detail   string `json:"detail,omitempty"`
	Cycle    int    `json:"cycle,omitempty"`    // so many events at the end can go on for ever
	Critical int    `json:"critical,omitempty"` // after so many events the goal is out of reach; 0 if that is not known
	Reach    int    `json:"reach,omitempty"`    // how many events walks have that look whether the goal is in reach
}

// MadeInput is something that fuzz made up.
type MadeInput struct {
	Mote   int    `json:"mote"`   // its index
	Kind   string `json:"kind"`   // serial, air, sensor or pin
	Number uint8  `json:"number"` // of the USART, channel or pin
	Hex    string `json:"hex"`
}
