package chart

import (
	"fmt"
	"strconv"
	"strings"
)

// title is what a row is called in its lane.
func (l *layout) title(columns []string, e *entry) string {
	text := e.Title
	if e.Class == classFault {
		text = "FAULT: " + text
	}
	if e.Mote >= 0 && l.lanes[l.of[e.Mote]].shared {
		text = columns[e.Mote] + ": " + text
	}
	return text + times(e.times)
}

// titleLines wraps a title. However short it is cut, it keeps how often the row comes.
func (d *drawing) titleLines(e *entry, room int) []string {
	suffix := times(e.times)
	lines := d.wrap(strings.TrimSuffix(d.title(d.columns, e), suffix), room, maxTitle)
	if last := len(lines) - 1; measure(lines[last])+len(suffix) <= room {
		lines[last] += suffix
		return lines
	}
	return append(lines, d.wrap(suffix, room, 0)...)
}

// details is what stands below a row's title. A mark is never cut: it is what the reader looks for.
func (d *drawing) details(e *entry, room int) []string {
	var lines []string
	if e.Mark != "" {
		for i, t := range d.wrap(e.Mark, room-indent, 0) {
			if i == 0 {
				lines = append(lines, d.mark+" "+t)
			} else {
				lines = append(lines, "  "+t)
			}
		}
	}
	for _, t := range fold(e.Notes) {
		lines = append(lines, d.note(t, room)...)
	}
	for _, t := range e.Changed {
		lines = append(lines, d.change(t, room)...)
	}
	return lines
}

// narrow reports whether a lane is so narrow that a note cut to one line would say nothing.
func narrow(room int) bool { return room < 20 }

// note cuts a note to its lane.
func (d *drawing) note(text string, room int) []string {
	lines := []string{d.cut(text, room-indent)}
	if narrow(room) {
		lines = d.wrap(text, room-indent, 2)
	}
	for i := range lines {
		lines[i] = "  " + lines[i]
	}
	return lines
}

// change cuts "name: old -> new" to its lane. The values matter most, so the name gives way first; in a narrow lane they have
// a line of their own.
func (d *drawing) change(text string, room int) []string {
	room -= indent
	name, values, ok := strings.Cut(text, ": ")
	const least = 8 // cells of a name that can still be told
	switch left := room - measure(": "+values); {
	case !ok || measure(text) <= room:
		return []string{"  " + d.cut(text, room)}
	case left >= least:
		return []string{"  " + d.cut(name, left) + ": " + values}
	}
	lines := []string{"  " + d.cut(name, room-1) + ":"}
	for _, t := range d.wrap(values, room, maxTitle) {
		lines = append(lines, "  "+t)
	}
	return lines
}

// count writes an event's number, and points to it if it has a mark.
func (d *drawing) count(l line, e *entry) {
	x := d.left - 2 - d.number
	if e.Mark != "" {
		l[x-1] = d.point
	}
	n := strconv.Itoa(e.Number)
	l.put(x+d.number-len(n), n)
}

// entry draws a row.
func (d *drawing) entry(e entry) {
	if e.Mote == allMotes {
		d.everyone(&e)
		return
	}
	at := d.of[e.Mote]
	to := &d.lanes[at]
	title := d.titleLines(&e, to.room)
	first := d.blank(d.life)
	d.count(first, &e)
	switch from := d.sender(&e); {
	case from < 0 || from == at:
		first[to.x] = d.event(&e)
	case from < at:
		d.arrowRight(first, from, at, e.Lost)
	default:
		if label := d.title(d.columns, &e); d.arrowLeft(first, from, at, e.Lost, label) {
			title = []string{""}
		} else {
			title = append([]string{""}, title...)
		}
	}
	first.put(to.x+textAt, title[0])
	d.emit(first)
	d.texts(to.x+textAt, append(title[1:], d.details(&e, to.room)...))
}

// event is the stroke for a row without an arrow.
func (d *drawing) event(e *entry) string {
	if e.Lost {
		d.used[d.lost] = true
		return d.lost
	}
	d.used[e.Class] = true
	return d.events[e.Class]
}

// sender is the lane that an arrow starts from, -1 if there is none.
func (d *drawing) sender(e *entry) int {
	if e.From < 0 {
		return -1
	}
	return d.of[e.From]
}

// texts writes lines of text below a row.
func (d *drawing) texts(x int, texts []string) {
	for _, t := range texts {
		l := d.blank(d.life)
		l.put(x, t+" ") // where it goes across lanes, not to touch a life line
		d.emit(l)
	}
}

// everyone draws a row about all motes, across all lanes.
func (d *drawing) everyone(e *entry) {
	title := d.titleLines(e, d.wide()-1)
	l := d.ruled(d.double, d.doubleCross, title[0])
	l[d.left] = d.event(e)
	d.count(l, e)
	d.emit(l)
	d.texts(d.left+textAt, append(title[1:], d.details(e, d.wide())...))
}

// shaft draws an arrow's line on the cells from one to before another, across life lines.
func (d *drawing) shaft(l line, from, to int) {
	for x := from; x < to; x++ {
		if l[x] == d.life {
			l[x] = d.cross
		} else {
			l[x] = d.dash
		}
	}
}

// arrowRight draws a frame that goes to the right. A lost one ends short of the life line.
func (d *drawing) arrowRight(l line, from, to int, lost bool) {
	start, end, head := d.lanes[from].x, d.lanes[to].x-1, d.toRight
	if lost {
		end, head = end-1, d.lost
	}
	d.shaft(l, start+1, end)
	l[start], l[end] = d.fromLeft, head
	d.arrow(lost)
}

// arrowLeft draws a frame that goes to the left. There the arrow is where the title would be: if it is long enough, the title is
// written on it.
func (d *drawing) arrowLeft(l line, from, to int, lost bool, label string) bool {
	start, end, head := d.lanes[from].x, d.lanes[to].x+1, d.toLeft
	if lost {
		end, head = end+1, d.lost
	}
	d.shaft(l, end+1, start)
	l[start], l[end] = d.fromRight, head
	d.arrow(lost)
	if end+arrowRoom+measure(label) > start {
		return false
	}
	l.put(end+2, " "+label+" ")
	return true
}

func (d *drawing) arrow(lost bool) {
	if lost {
		d.used[d.lost] = true
	} else {
		d.used[d.dash] = true
	}
}

// footer says what the strokes mean that were used, and who has no column.
func (d *drawing) footer() {
	var words []string
	add := func(used bool, stroke, word string) {
		if used {
			words = append(words, stroke+" "+word)
		}
	}
	for _, class := range classes {
		add(d.used[class], d.events[class], class)
	}
	add(d.used[d.dash], d.dash+d.toRight, "frame")
	add(d.used[d.lost], d.dash+d.lost, "lost frame")
	d.legend(words)
	var folded []string
	for i, at := range d.of {
		if at < 0 || d.lanes[at].shared {
			folded = append(folded, d.columns[i])
		}
	}
	d.folded(folded)
}

// folded lists the motes that have no column of their own, as many as fit on a few lines.
func (d *drawing) folded(names []string) {
	const most = 3
	for n := min(len(names), most*d.width/2); n > 0; n-- {
		text := restName + " stands for " + strings.Join(names[:n], ", ")
		if n < len(names) {
			text += fmt.Sprintf(" and %d more", len(names)-n)
		}
		lines := d.wrap(text, d.width, 0)
		if n == 1 {
			lines = d.wrap(text, d.width, most)
		}
		if len(lines) <= most {
			d.out.WriteString(strings.Join(lines, "\n") + "\n")
			return
		}
	}
}

// legend writes as many words on a line as it has room for.
func (d *drawing) legend(words []string) {
	row := ""
	for _, w := range words {
		switch {
		case row == "":
			row = w
		case measure(row)+3+measure(w) <= d.width:
			row += "   " + w
		default:
			d.out.WriteString(row + "\n")
			row = w
		}
	}
	if row != "" {
		d.out.WriteString(row + "\n")
	}
}
