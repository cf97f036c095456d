package instrument

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// markPrefix is what the names of symbols begin with by which a firmware says which units are in it. They take no room on the
// mote.
const markPrefix = "mh_trace_unit_"

// sum is what a unit's procedures are, in short: whoever reads its records must have these.
func sum(procs []Proc) string {
	text, err := json.Marshal(procs)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:8])
}

// Mark is a line for the end of the unit's text, once its procedures have ids: it puts a symbol into the object, by which Matches
// knows the unit.
func (p *Plan) Mark() string {
	if len(p.Procs) == 0 {
		return ""
	}
	return fmt.Sprintf("\n__asm__ (\".set %s%s, 0\");\n", markPrefix, sum(p.Procs))
}

// Matches reports whether this is the map of a firmware that has a symbol or not. It cannot be told of firmware without symbols, and
// of maps that other means than trace cc and trace instrument have made.
func (m *Map) Matches(symbol func(name string) bool) error {
	for _, u := range m.Units {
		if u.Sum != "" && !symbol(markPrefix+u.Sum) {
			return fmt.Errorf("it is not the map of this firmware: %s was compiled differently, or at another time; "+
				"use the map that was written when this firmware was built, or build both again", u.Name)
		}
	}
	return nil
}
