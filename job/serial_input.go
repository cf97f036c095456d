package job

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"motehound/firmware/disk"
	"motehound/job/phrase"
	"motehound/study/symbolic/plan"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// SerialInput is bytes that reach a mote's USART from outside, without a scenario.
type SerialInput struct {
	SerialIn    []string       `json:"serial_in,omitempty"`    // TEXT, @FILE, hex:... or any:..., one after the other
	SerialTo    string         `json:"serial_to,omitempty"`    // MOTE[.USART]; the first mote, and the USART that its firmware listens to
	SerialAt    *time.Duration `json:"serial_at_ns,omitempty"` // nil: shortly after the firmware begins to listen
	SerialBaud  uint32         `json:"serial_baud,omitempty"`  // 0 for the firmware's own rate
	SerialPause string         `json:"serial_pause,omitempty"` // between characters: 5ms, or 1ms..20ms for a random time

	unknown *[]scenario.Symbolic // gets the bytes of which nobody says what they are; nil if there may be none
}

const (
	// listens is how long after a firmware begins to listen the input comes: by then it has come to its main loop.
	listens = 100 * world.Millisecond
	// patience is how long a firmware may take until it listens.
	patience = 5 * world.Second
	// maxSerialIn bounds the input, as in scenarios.
	maxSerialIn = 1 << 24
)

// line is where serial input goes, and when.
type line struct {
	mote  int
	usart uint8
	at    uint64
	char  uint64 // how long a character takes
}

// add puts the input into a recipe.
func (f *SerialInput) add(r *recipe.Recipe, h Host) error {
	data, unknown, err := f.bytes()
	if err != nil || data == nil {
		return err
	}
	if len(unknown) > 0 && f.unknown == nil {
		return fmt.Errorf(`--serial-in: \? stands for any byte: only symbolic can try them all`)
	}
	shortest, longest, err := f.pauses()
	if err != nil {
		return err
	}
	to, err := f.listener(r, h)
	if err != nil {
		return err
	}
	in := world.Serial{Mote: to.mote, USART: to.usart, At: to.at, Baud: f.SerialBaud, Bytes: data}
	for _, at := range unknown {
		y := scenario.Symbolic{Kind: scenario.SymbolicSerial, Name: plan.SerialInput, Mote: to.mote, USART: to.usart, Nth: 1, Offset: at, Length: 1}
		if longest > 0 {
			y.Name, y.Nth, y.Offset = fmt.Sprintf("%s, byte %d", plan.SerialInput, at), at+1, 0
		}
		*f.unknown = append(*f.unknown, y)
	}
	if longest == 0 {
		r.Serial = append(r.Serial, recipe.SerialOf(in))
		return nil
	}
	draw := rand.New(rand.NewPCG(r.Seed, 0))
	for _, b := range data {
		in.Bytes = []byte{b}
		r.Serial = append(r.Serial, recipe.SerialOf(in))
		in.At += to.char + shortest
		if longest > shortest {
			in.At += draw.Uint64N(longest - shortest + 1)
		}
	}
	return nil
}

// redraw gives a recipe with another seed other random pauses.
func (f *SerialInput) redraw(r *recipe.Recipe, h Host) error {
	if !strings.Contains(f.SerialPause, "..") {
		return nil
	}
	r.Serial = nil
	return f.add(r, h.quiet())
}

// bytes is what comes in, nil for nothing, and which of them are unknown.
func (f *SerialInput) bytes() (all []byte, unknown []uint32, err error) {
	if len(f.SerialIn) == 0 {
		if f.SerialTo != "" || f.SerialAt != nil || f.SerialBaud != 0 || f.SerialPause != "" {
			return nil, nil, fmt.Errorf("there is no serial input to send: give it with --serial-in \"hello\\n\"")
		}
		return nil, nil, nil
	}
	for _, text := range f.SerialIn {
		b, any, err := serialBytes(text)
		if err != nil {
			return nil, nil, fmt.Errorf("--serial-in %s: %w", strconv.Quote(text), err)
		}
		for _, at := range any {
			unknown = append(unknown, uint32(len(all)+at))
		}
		all = append(all, b...)
	}
	switch {
	case len(all) == 0:
		return nil, nil, fmt.Errorf("--serial-in: there are no bytes in it")
	case len(all) > maxSerialIn:
		return nil, nil, fmt.Errorf("--serial-in: %d bytes: at most %d", len(all), maxSerialIn)
	}
	return all, unknown, nil
}

// serialBytes reads what --serial-in was given, and which bytes of it are unknown.
func serialBytes(text string) (b []byte, unknown []int, err error) {
	if path, ok := strings.CutPrefix(text, "@"); ok {
		b, err = disk.Read(path, maxSerialIn+1)
		return b, nil, err
	}
	if digits, ok := strings.CutPrefix(text, "hex:"); ok {
		b, err := hex.DecodeString(strings.NewReplacer(" ", "", ",", "", "0x", "").Replace(digits))
		if err != nil {
			return nil, nil, fmt.Errorf("write two hexadecimal digits for each byte, such as hex:7e0a or hex:\"7e 0a\"")
		}
		return b, nil, nil
	}
	if count, ok := strings.CutPrefix(text, "any:"); ok {
		n, err := strconv.ParseUint(count, 10, 12)
		if err != nil {
			return nil, nil, fmt.Errorf("write how many bytes are unknown, such as any:20")
		}
		for i := range int(n) {
			b, unknown = append(b, 0), append(unknown, i)
		}
		return b, unknown, nil
	}
	return unescape(strings.TrimPrefix(text, "text:"))
}

// unescape replaces the escapes of C that people write in texts, and finds those that stand for any byte.
func unescape(text string) (b []byte, unknown []int, err error) {
	const letters, values = `nrt0\"'`, "\n\r\t\x00\\\"'"
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			b = append(b, text[i])
			continue
		}
		i++
		if i < len(text) && text[i] == '?' {
			b, unknown = append(b, 0), append(unknown, len(b))
			continue
		}
		if i < len(text) && text[i] == 'x' {
			n, err := strconv.ParseUint(text[i+1:min(i+3, len(text))], 16, 8)
			if err != nil || i+3 > len(text) {
				return nil, nil, fmt.Errorf(`write two hexadecimal digits after \x, such as \x7e`)
			}
			b, i = append(b, byte(n)), i+2
			continue
		}
		k := -1
		if i < len(text) {
			k = strings.IndexByte(letters, text[i])
		}
		if k < 0 {
			return nil, nil, fmt.Errorf(`unknown escape %q: use \n, \r, \t, \0, \xNN, \? for any byte, or \\ for a backslash`, text[i-1:min(i+1, len(text))])
		}
		b = append(b, values[k])
	}
	return b, unknown, nil
}

// pauses reads how long it takes from one character to the next, in picoseconds.
func (f *SerialInput) pauses() (shortest, longest uint64, err error) {
	if f.SerialPause == "" {
		return 0, 0, nil
	}
	first, last, ok := strings.Cut(f.SerialPause, "..")
	if !ok {
		last = first
	}
	from, err1 := time.ParseDuration(first)
	to, err2 := time.ParseDuration(last)
	if err1 != nil || err2 != nil || from < 0 || to < from || to > time.Hour {
		return 0, 0, fmt.Errorf("--serial-pause %s: write a time up to 1h, such as 5ms, or two for a random time in between, such as 1ms..20ms", f.SerialPause)
	}
	return uint64(from.Nanoseconds()) * 1000, uint64(to.Nanoseconds()) * 1000, nil
}

// listener finds the line. Where the user does not say which USART or when, the motes run until the firmware switches a receiver on.
func (f *SerialInput) listener(r *recipe.Recipe, h Host) (line, error) {
	id, usart, err := f.to()
	if err != nil {
		return line{}, err
	}
	to := line{at: listens}
	if id >= 0 {
		if to.mote = indexOf(r, id); to.mote < 0 {
			return line{}, fmt.Errorf("--serial-to %s: there is no mote %d", f.SerialTo, id)
		}
	}
	w, err := r.World(OpenFirmware)
	if err != nil {
		return line{}, err
	}
	m := w.Motes()[to.mote]
	if usart >= m.USARTs() {
		return line{}, fmt.Errorf("--serial-to %s: %s has %s, counted from 0", f.SerialTo, m.Chip().Name, phrase.Counted(m.USARTs(), "USART"))
	}
	first, last := max(usart, 0), cmp.Or(usart+1, m.USARTs())
	to.usart = uint8(first)
	found := false
	for w.Now() < min(patience, r.Until) && !found && !w.Stopped() {
		w.RunUntil(w.Now() + world.Millisecond)
		for u := first; u < last && !found; u++ {
			if found = m.SerialReady(uint8(u)); found {
				to.usart, to.at = uint8(u), w.Now()+listens
			}
		}
	}
	bit, format := m.SerialRate(to.usart)
	if in := (world.Serial{Baud: f.SerialBaud}); f.SerialBaud != 0 {
		bit = in.BitTime()
	}
	to.char = bit * uint64(format.Bits())
	if f.SerialAt != nil {
		to.at = uint64(f.SerialAt.Nanoseconds()) * 1000
	}
	if !found {
		h.note("mote %d has switched no receiver on in its first %s: --serial-in goes to USART %d", m.ID(), phrase.Seconds(w.Now()), to.usart)
	}
	return to, nil
}

// to reads MOTE[.USART]; -1 for what is not said.
func (f *SerialInput) to() (mote, usart int, err error) {
	if f.SerialTo == "" {
		return -1, -1, nil
	}
	id, port, ok := strings.Cut(f.SerialTo, ".")
	m, err1 := strconv.ParseUint(id, 10, 16)
	u, err2 := uint64(0), error(nil)
	if ok {
		u, err2 = strconv.ParseUint(port, 10, 2)
	}
	if err1 != nil || err2 != nil {
		return 0, 0, fmt.Errorf("--serial-to %s: write the mote's id, or id and USART, such as 0.1", f.SerialTo)
	}
	if !ok {
		return int(m), -1, nil
	}
	return int(m), int(u), nil
}

// indexOf finds a mote by its id; -1 if there is none.
func indexOf(r *recipe.Recipe, id int) int {
	for i, m := range r.Motes {
		if int(m.ID) == id {
			return i
		}
	}
	return -1
}
