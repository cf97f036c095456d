package examples

import (
	"embed"
	"fmt"
)

//go:embed elf/*.map.json
var maps embed.FS

// Map returns the map that reads back the log of a traced firmware, as motehound trace takes it; nil if it is not traced.
func (f Firmware) Map() []byte {
	b, err := maps.ReadFile(fmt.Sprintf("elf/%s-%s.map.json", f.Name, f.Board))
	if err != nil {
		return nil
	}
	return b
}
