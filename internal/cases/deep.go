package cases

import "slices"

// Deep is a bug that chance alone hardly finds, in an example of ours: it takes many coincidences in a row, or an input that few inputs are like.
type Deep struct {
	Name string
	// Order is the scenario in which an order of events is enough, from the folder of the examples; empty if it takes an input.
	Order string
	Board string
	// Shown is the scenario in which a timed run shows it; without one, Serial is the input that does.
	Shown, Serial string
	// Property is what is violated, and Functions is where, any of them.
	Property  string
	Functions []string
	File      string // of the bug, from the folder of the examples
	Line      int
}

// Deeps are all of them.
var Deeps = []Deep{
	{Name: "dhv", Order: "dhv/dhv.star", Board: "micaz", Property: "memory: null", Functions: []string{"VectorP.tell"}, File: "dhv/vector.c", Line: 79},
	{Name: "command", Board: "uno", Serial: "hex:a55a154e78787878787878787878787878787878787878783d", Property: "memory: bounds",
		Functions: []string{"setName"}, File: "command/command.c", Line: 77},
	{Name: "remote", Board: "micaz", Shown: "remote/remote.star", Property: "memory: bounds", Functions: []string{"RemoteC.setLabel"},
		File: "remote/remote.c", Line: 108},
	{Name: "fragments", Board: "micaz", Shown: "fragments/fragments.star", Property: "memory: bounds", Functions: []string{"ReassemblyP.put"},
		File: "fragments/reassembly.c", Line: 38},
	{Name: "neighbours", Board: "micaz", Shown: "neighbours/neighbours.star", Property: "memory: bounds",
		Functions: []string{"TableP.add", "TableP.heard"}, File: "neighbours/table.c", Line: 78},
}

// At tells whether a finding is this bug.
func (d Deep) At(property, function string) bool {
	return property == d.Property && slices.Contains(d.Functions, function)
}
