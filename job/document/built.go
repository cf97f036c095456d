package document

// Built is a firmware that a job ran, so that a report says which file it is about.
type Built struct {
	Firmware string `json:"firmware"` // its file, as it was named
	SHA256   string `json:"sha256"`
	Board    string `json:"board"` // or the chip
	Motes    []int  `json:"motes"` // the node ids of those that ran it
}
