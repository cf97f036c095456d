package mcu

import (
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"motehound/mote/chip"
	"motehound/mote/periph"
)

// script is the header of a program: testdata/programs/README.md says what its lines mean.
type script struct {
	chips   map[string]bool
	lines   []scriptLine // those for some chips only, kept for on
	hertz   uint64
	crystal uint32
	wakeUp  uint32
	fuses   [3]uint8
	limit   uint64
	stop    Stop
	flags   []string
	wires   []wirePair
	pulls   []pullPad
	echo    [4]bool
	stimuli []stimulus
	cases   []scriptCase
	expect  []string
	simavr  []string
}

type scriptLine struct {
	keyword string
	only    string // chips, "" for all
	text    string
}

type wirePair struct{ from, to string }

type pullPad struct {
	pad   string
	drive periph.Drive
}

type assignment struct {
	name  string
	value uint64
}

type scriptCase struct {
	name   string
	set    []assignment
	expect []string
}

// trigger is the index-th edge of a pad to a level, and a delay in cycles.
type trigger struct {
	pad   string
	level bool
	index int
	delay uint64
}

// stimulus is what the bench does after a trigger.
type stimulus struct {
	when    trigger
	verb    string
	args    []string
	usart   uint8
	char    periph.SerialChar
	percent uint64 // of the receiver's bit time
	data    []uint8
}

var headerLine = regexp.MustCompile(`^// ([A-Z]\w*)(?:\[([^\]]*)\])?: +(.*)$`)

// parseScript reads a header: the comment lines at the top of the file. A line that is indented goes on with the one
// before.
func parseScript(text string) (*script, error) {
	s := &script{chips: map[string]bool{}}
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "//") {
			break
		}
		if more, ok := strings.CutPrefix(line, "//   "); ok && len(s.lines) > 0 {
			s.lines[len(s.lines)-1].text += " " + strings.TrimSpace(more)
			continue
		}
		m := headerLine.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("%q is no header line", line)
		}
		s.lines = append(s.lines, scriptLine{m[1], m[2], m[3]})
	}
	has := map[string]bool{}
	for _, l := range s.lines {
		has[l.keyword] = true
		if l.keyword == "Chips" {
			for _, name := range strings.Fields(l.text) {
				if _, err := chip.Find(name); err != nil && name != "all" {
					return nil, err
				}
				for _, c := range chip.All() {
					if name == "all" || name == c.Name {
						s.chips[c.Name] = true
					}
				}
			}
		}
	}
	if !has["Purpose"] || !has["Datasheet"] || !has["Chips"] || !has["Expect"] && !has["Case"] {
		return nil, errors.New("the header needs Purpose, Datasheet, Chips, and Expect or Case")
	}
	for _, c := range chip.All() {
		if err := new(script).read(s.lines, c); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// on is the script for one chip.
func (s *script) on(c *chip.Chip) *script {
	k := new(script)
	if err := k.read(s.lines, c); err != nil {
		panic("BUG: " + err.Error()) // parseScript has tried
	}
	return k
}

func (s *script) read(lines []scriptLine, c *chip.Chip) error {
	s.hertz, s.fuses, s.limit, s.stop = 8_000_000, [3]uint8{0xFF, 0xD9, 0xFF}, 4_000_000, StopBreak
	for _, l := range lines {
		if l.only != "" && !slices.Contains(strings.Fields(l.only), c.Name) {
			continue
		}
		// WIDE is what a 22-bit program counter adds to calls, returns and interrupts.
		text := strings.ReplaceAll(l.text, "WIDE", pick(c == &chip.ATmega2560, "1", "0"))
		if err := s.line(l.keyword, text); err != nil {
			return fmt.Errorf("%s: %s: %w", l.keyword, l.text, err)
		}
	}
	return nil
}

func (s *script) line(keyword, text string) error {
	f := strings.Fields(text)
	var err error
	switch keyword {
	case "Purpose", "Datasheet", "Chips":
	case "Hertz":
		s.hertz, err = number(text)
	case "Crystal":
		var v uint64
		v, err = number(text)
		s.crystal = uint32(v)
	case "WakeUp":
		var v uint64
		v, err = number(text)
		s.wakeUp = uint32(v)
	case "Fuses":
		for i := range s.fuses {
			var v uint64
			v, err = strconv.ParseUint(f[i], 16, 8)
			s.fuses[i] = uint8(v)
		}
	case "Run": // a program that does not end
		s.stop = Running
		s.limit, err = number(text)
	case "Ends": // otherwise than by BREAK
		i := slices.Index(stopNames[:], text)
		if i < 0 {
			return errors.New("no such reason")
		}
		s.stop = Stop(i)
	case "Flags":
		s.flags = append(s.flags, f...)
	case "Wire":
		s.wires = append(s.wires, wirePair{f[0], f[2]})
	case "Pad":
		s.pulls = append(s.pulls, pullPad{f[0], map[string]periph.Drive{
			"high": periph.DriveHigh, "low": periph.DriveLow}[f[1]]})
	case "Echo":
		s.echo[f[0][0]-'0'] = true
	case "On":
		err = s.stimulus(text)
	case "Case":
		for _, one := range alternatives(text) {
			err = errors.Join(err, s.caseLine(one))
		}
	case "Expect":
		s.expect = append(s.expect, text)
	case "Simavr":
		s.simavr = f
	default:
		return errors.New("unknown keyword")
	}
	return err
}

// stimulus reads "MARK rise 2 +100: verb arguments".
func (s *script) stimulus(text string) error {
	when, what, ok := strings.Cut(text, ": ")
	w, f := strings.Fields(when), strings.Fields(what)
	if !ok || len(w) != 4 || len(f) == 0 {
		return errors.New(`want "PAD rise|fall INDEX +CYCLES: verb arguments"`)
	}
	x := stimulus{when: trigger{pad: w[0], level: w[1] == "rise"}, verb: f[0], args: f[1:], percent: 100}
	x.when.index, _ = strconv.Atoi(w[2])
	var err error
	if x.when.delay, err = number(strings.TrimPrefix(w[3], "+")); err != nil {
		return err
	}
	switch x.verb {
	case "high", "low", "pulse", "reset":
	case "shift", "address", "write", "read", "stop":
		x.data, err = hexBytes(x.args)
	case "send": // send USART [5..9][NEO][12] [PERCENT%] bytes
		x.usart = x.args[0][0] - '0'
		rest := x.args[1:]
		if len(rest[0]) == 3 {
			x.char.Format = periph.SerialFormat{DataBits: rest[0][0] - '0', StopBits: rest[0][2] - '0',
				Parity: map[byte]periph.Parity{'E': periph.ParityEven, 'O': periph.ParityOdd}[rest[0][1]]}
			rest = rest[1:]
		}
		if p, ok := strings.CutSuffix(rest[0], "%"); ok {
			x.percent, err = number(p)
			rest = rest[1:]
		}
		if rest[0] == "break" || rest[0] == "ninth" {
			x.char.Break, x.char.Ninth = rest[0] == "break", rest[0] == "ninth"
			rest = rest[1:]
		}
		if err == nil {
			x.data, err = hexBytes(rest)
		}
	default:
		return errors.New("unknown verb")
	}
	s.stimuli = append(s.stimuli, x)
	return err
}

var choices = regexp.MustCompile(`\{[^}]*\}`)

// alternatives writes a line with {a|b|c} out: once with the first word of each pair of braces, once with the second...
func alternatives(text string) []string {
	groups := choices.FindAllString(text, -1)
	if len(groups) == 0 {
		return []string{text}
	}
	var out []string
	for i := range strings.Split(groups[0], "|") {
		out = append(out, choices.ReplaceAllStringFunc(text, func(g string) string {
			words := strings.Split(strings.Trim(g, "{}"), "|")
			if i >= len(words) {
				return "?"
			}
			return strings.TrimSpace(words[i])
		}))
	}
	return out
}

// caseLine reads "name: variable=value ... => expectation; expectation".
func (s *script) caseLine(text string) error {
	name, rest, ok1 := strings.Cut(text, ": ")
	set, expect, ok2 := strings.Cut(rest, "=> ")
	if !ok1 || !ok2 {
		return errors.New(`want "name: variable=value ... => expectation; ..."`)
	}
	k := scriptCase{name: name}
	for _, a := range strings.Fields(set) {
		n, v, _ := strings.Cut(a, "=")
		value, err := number(v)
		if err != nil {
			return err
		}
		k.set = append(k.set, assignment{n, value})
	}
	for _, e := range strings.Split(expect, ";") {
		k.expect = append(k.expect, strings.TrimSpace(e))
	}
	s.cases = append(s.cases, k)
	return nil
}

// number is the value of a constant expression, which shows where a number comes from.
func number(expr string) (uint64, error) {
	v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, expr)
	if err != nil {
		return 0, err
	}
	n, exact := constant.Uint64Val(constant.ToInt(v.Value))
	if !exact {
		return 0, fmt.Errorf("%s is no natural number", expr)
	}
	return n, nil
}

func hexBytes(list []string) ([]uint8, error) {
	var out []uint8
	for _, x := range list {
		v, err := strconv.ParseUint(x, 16, 8)
		if err != nil {
			return nil, err
		}
		out = append(out, uint8(v))
	}
	return out, nil
}
