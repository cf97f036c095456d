package text

import (
	"fmt"
	"io"

	"motehound/job/document"
	"motehound/job/phrase"
)

// race prints what more is known of a race.
func race(to io.Writer, r *document.Race) {
	fmt.Fprintf(to, "   %s\n", used(r))
}

// used says what becomes of the wrong value.
func used(r *document.Race) string {
	u := &r.Used
	switch u.Fate {
	case "stored":
		return fmt.Sprintf("the wrong value was used at %s, where it is stored in %s", u, r.Wrong)
	case "read":
		return fmt.Sprintf("the wrong value is used at %s", u)
	case "overwritten":
		return fmt.Sprintf("the wrong value is not used: %s is written again first, at %s", r.Wrong, u)
	}
	return fmt.Sprintf("the wrong value is not used within %s: nothing reads %s, except to change it", phrase.Counted(u.Events, "event"), r.Wrong)
}
