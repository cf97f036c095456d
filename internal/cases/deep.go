package cases

// Deep is a bug that chance alone hardly finds, in an example of ours: it takes many coincidences in a row, or an input that few inputs are like.
type Deep struct {
	Name string
	// Order is the scenario in which an order of events is enough, from the folder of the examples; empty if it takes an input.
	Order string
	Board string
	// Property is what is violated, and Functions is where, any of them.
	Property  string
	Functions []string
	File      string // of the bug, from the folder of the examples
	Line      int
}

// Deeps are all of them.
var Deeps = []Deep{
	{"dhv", "dhv/dhv.star", "micaz", "memory: null", []string{"VectorP.tell"}, "dhv/vector.c", 64},
	{"command", "", "uno", "memory: bounds", []string{"setName"}, "command/command.c", 77},
	{"remote", "", "micaz", "memory: bounds", []string{"RemoteC.setLabel"}, "remote/remote.c", 108},
	{"fragments", "", "micaz", "memory: bounds", []string{"ReassemblyP.put"}, "fragments/reassembly.c", 38},
	{"neighbours", "", "micaz", "memory: bounds", []string{"TableP.add", "TableP.heard"}, "neighbours/table.c", 78},
}
