package document

// Fuzzed is what fuzz prints as JSON: all that check prints, and how much was tried.
type Fuzzed struct {
	Checked
	Inputs    uint64    `json:"inputs"`             // messages that were made up, and handled
	PerSecond float64   `json:"inputs_per_second"`  // of the host
	Listens   []string  `json:"listens"`            // where the firmware takes input
	Seeds     int       `json:"seeds"`              // messages that it began with: overheard, and of the corpus
	Words     int       `json:"words"`              // constants and texts of the code
	Blocks    []Reached `json:"blocks"`             // how much of each mote's code ran
	Unreached []string  `json:"unreached"`          // functions of which no code ran, as far as debug information tells
	Replayed  int       `json:"replayed,omitempty"` // files of the corpus that came again
	Failing   []string  `json:"failing,omitempty"`  // those of them that break something
}

// Reached is how many blocks of a mote's code ran.
type Reached struct {
	Mote    int `json:"mote"`
	Reached int `json:"reached"`
	Blocks  int `json:"blocks"`
}
