package document

import (
	"motehound/observe/stray"
)

// Code is how much of a firmware is in basic blocks, and what ran outside of them.
type Code struct {
	Firmware     string    `json:"firmware"`
	ImageWords   int       `json:"image_words"`
	BlockWords   int       `json:"block_words"`
	WithoutWords int       `json:"without_words"`
	UnknownJumps int       `json:"unknown_jumps"`
	Outside      []Outside `json:"outside"`
}

// Outside is an instruction that ran in no block.
type Outside struct {
	Place
	Times uint64 `json:"times"`
}

// CodeOf makes the part of a run's document that --blocks asks for.
func CodeOf(x *stray.Watcher) []Code {
	var all []Code
	for _, c := range x.Codes() {
		d := Code{Firmware: c.Kind.Image.Path, ImageWords: c.Image, BlockWords: c.Blocks, WithoutWords: c.Without,
			UnknownJumps: c.Unknown, Outside: []Outside{}}
		for _, r := range c.Ran {
			d.Outside = append(d.Outside, Outside{place(c.Kind.Image, r.Addr), r.Times})
		}
		all = append(all, d)
	}
	return all
}
