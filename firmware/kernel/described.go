package kernel

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"motehound/firmware/image"
	"motehound/firmware/jsonfile"
	"motehound/isa/avr"
)

// Description is what a user says about a kernel that is not among the known ones; docs/adding-a-kernel.md explains it.
type Description struct {
	Name string `json:"name"`
	Post []struct {
		At    string `json:"at"`    // a function, or the byte address of an instruction
		Task  string `json:"task"`  // "r24", "r25:r24", or a variable
		Fails string `json:"fails"` // "r24 != 0": how the function says that it refused; "" when it never does
	} `json:"post"`
	Run []struct {
		At      string `json:"at"`       // a function that is called for every task and returns when it is over
		ICallIn string `json:"icall_in"` // or one with the ICALL that calls the task
		Task    string `json:"task"`
	} `json:"run"`
	Tasks     map[string]string `json:"tasks"`     // names by number
	Enum      string            `json:"enum"`      // or the enumeration that has them
	Functions bool              `json:"functions"` // or the number is the task's function

	file string
	text *jsonfile.Document
}

// ParseDescription reads a Description; name stands for the file in errors.
func ParseDescription(name string, text []byte) (*Description, error) {
	d := new(Description)
	if err := jsonfile.Decode("not the description of a kernel", text, d); err != nil {
		return nil, fmt.Errorf("%w: see docs/adding-a-kernel.md", jsonfile.Named(name, err))
	}
	d.file, d.text = name, jsonfile.Open(text)
	if len(d.Run) == 0 || len(d.Post) == 0 {
		return nil, d.wrong("", errors.New("say where the kernel posts and where it runs a task (\"post\", \"run\"): see docs/adding-a-kernel.md"))
	}
	if d.Name == "" {
		d.Name = name
	}
	return d, nil
}

// Descriptions are the kernels that a user has described, by the hash of the firmware that has them.
type Descriptions map[[32]byte]*Description

// Profile is the kernel of a firmware: as it was described, or else as Detect finds it.
func (d Descriptions) Profile(im *image.Image, program *avr.Program) (*Profile, error) {
	if x := d[im.Hash]; x != nil {
		return x.Profile(im, program)
	}
	return findProfile(im, program)
}

// Profile finds what is described in a firmware.
func (d *Description) Profile(im *image.Image, program *avr.Program) (*Profile, error) {
	c := newCode(im, program)
	p := newProfile(c, "its kernel was described")
	p.Kernel, p.described = d.Name, d
	if field, err := d.names(c, p); err != nil {
		return nil, d.failed(im, field, err)
	}
	for i, post := range d.Post {
		if field, err := p.describePost(c, post.At, post.Task, post.Fails); err != nil {
			return nil, d.failed(im, fmt.Sprintf("post[%d].%s", i, field), err)
		}
	}
	for i, run := range d.Run {
		if field, err := p.describeRun(c, run.At, run.ICallIn, run.Task); err != nil {
			return nil, d.failed(im, fmt.Sprintf("run[%d].%s", i, field), err)
		}
	}
	return p, nil
}

func (d *Description) failed(im *image.Image, field string, err error) error {
	return d.wrong(field, fmt.Errorf("kernel %s, for %s: %w", d.Name, im.Path, err))
}

// wrong is an error with its place in the description.
func (d *Description) wrong(path string, err error) error {
	return jsonfile.Named(d.file, d.text.At(path, err))
}

// place is a function, or an instruction by its byte address.
func (c *code) place(text string) (image.Range, error) {
	if addr, err := strconv.ParseUint(text, 0, 32); err == nil {
		if addr%2 != 0 || addr/2 >= uint64(c.program.Words()) {
			return image.Range{}, fmt.Errorf("%s is not the byte address of an instruction", text)
		}
		return image.Range{Lo: uint32(addr / 2), Hi: uint32(addr/2) + 1}, nil
	}
	f, ok := c.function(text)
	if !ok {
		return image.Range{}, fmt.Errorf("there is no function %q: it may be inlined; declare it noinline, or give a byte address (avr-objdump -d shows them)", text)
	}
	return f, nil
}

// operand reads what "r24", "r25:r24" or a variable holds.
func (c *code) operand(text string) (func(*Watch) uint16, error) {
	if hi, lo, pair := strings.Cut(text, ":"); pair {
		h, err1 := register(hi)
		l, err2 := register(lo)
		if err1 == nil && err2 == nil {
			return func(w *Watch) uint16 { return uint16(w.cpu.Reg(h))<<8 | uint16(w.cpu.Reg(l)) }, nil
		}
	} else if r, err := register(text); err == nil {
		return func(w *Watch) uint16 { return uint16(w.cpu.Reg(r)) }, nil
	} else if v, ok := c.variable(text); ok {
		addr := uint16(v.Addr)
		if v.Size == 1 {
			return func(w *Watch) uint16 { return uint16(w.cpu.Peek(addr)) }, nil
		}
		return func(w *Watch) uint16 { return w.peek16(addr) }, nil
	}
	return nil, fmt.Errorf("%q is neither a register (r24), nor two (r25:r24), nor a variable", text)
}

func register(text string) (int, error) {
	n, ok := strings.CutPrefix(text, "r")
	r, err := strconv.Atoi(n)
	if !ok || err != nil || r < 0 || r > 31 {
		return 0, errors.New("not a register")
	}
	return r, nil
}

// condition reads "r24 != 0".
func (c *code) condition(text string) (func(*Watch) bool, error) {
	f := strings.Fields(text)
	if len(f) == 3 && (f[1] == "==" || f[1] == "!=") {
		value, err := strconv.ParseUint(f[2], 0, 16)
		read, err2 := c.operand(f[0])
		if err == nil && err2 == nil {
			equal := f[1] == "=="
			return func(w *Watch) bool { return (read(w) == uint16(value)) == equal }, nil
		}
	}
	return nil, fmt.Errorf("%q is not a condition such as \"r24 != 0\"", text)
}

// describePost notes a place that posts. With an error comes the field that is wrong.
func (p *Profile) describePost(c *code, at, task, fails string) (field string, err error) {
	f, err := c.place(at)
	if err != nil {
		return "at", fmt.Errorf("post: %w", err)
	}
	read, err := c.operand(task)
	if err != nil {
		return "task", fmt.Errorf("post %s: task: %w", at, err)
	}
	if fails == "" {
		p.on(f.Lo, func(w *Watch) { w.emit(Post, read(w)) })
		return "", nil
	}
	failed, err := c.condition(fails)
	if err != nil {
		return "fails", fmt.Errorf("post %s: fails: %w", at, err)
	}
	rets := c.ops(avr.OpRet, f)
	if len(rets) == 0 {
		return "fails", fmt.Errorf("post %s: fails: the function has no RET at which to look", at)
	}
	p.on(f.Lo, func(w *Watch) { w.enter(0, read(w)) })
	p.onAll(rets, func(w *Watch) {
		if call := w.call(0); call != nil && call.sp == w.cpu.SP() && !failed(w) {
			call.done = true
			w.emit(Post, call.arg)
		}
		leaves(w)
	})
	return "", nil
}

// describeRun notes a place that runs tasks. With an error comes the field that is wrong.
func (p *Profile) describeRun(c *code, at, icallIn, task string) (field string, err error) {
	where, field := at, "at"
	if icallIn != "" {
		where, field = at+icallIn, "icall_in"
	}
	read, err := c.operand(task)
	if err != nil {
		return "task", fmt.Errorf("run %s: task: %w", where, err)
	}
	if (at == "") == (icallIn == "") {
		return field, errors.New("run: give either \"at\" or \"icall_in\"")
	}
	f, err := c.place(where)
	if err != nil {
		return field, fmt.Errorf("run: %w", err)
	}
	if at != "" {
		p.on(f.Lo, func(w *Watch) { w.run(read(w), w.cpu.SP()) })
		p.onAll(c.returns(f.Lo), look)
		return "", nil
	}
	calls := append(c.ops(avr.OpIcall, f), c.ops(avr.OpEicall, f)...)
	if len(calls) == 0 {
		return field, fmt.Errorf("run: there is no ICALL in %s", where)
	}
	for _, pc := range calls {
		p.onCall(pc, read)
	}
	return "", nil
}

// names says what tasks are called. With an error comes the field that is wrong.
func (d *Description) names(c *code, p *Profile) (field string, err error) {
	names := map[uint16]string{}
	for _, number := range slices.Sorted(maps.Keys(d.Tasks)) {
		n, err := strconv.ParseUint(number, 0, 16)
		if err != nil {
			return "tasks." + number, fmt.Errorf("tasks: %q is not a task's number", number)
		}
		names[uint16(n)] = d.Tasks[number]
	}
	found := d.Enum == ""
	for _, e := range c.im.Enums() {
		if e.Name == d.Enum && !found {
			found = true
			for _, x := range e.Enumerators {
				names[uint16(x.Value)] = image.Readable(x.Name)
			}
		}
	}
	if !found {
		return "enum", fmt.Errorf("enum: the debug information has no enumeration %q", d.Enum)
	}
	byFunction := functionName(c.im)
	p.name = func(arg uint16) string {
		if name, ok := names[arg]; ok {
			return name
		}
		if d.Functions {
			return byFunction(arg)
		}
		return "task " + strconv.Itoa(int(arg))
	}
	return "", nil
}
