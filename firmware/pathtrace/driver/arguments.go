package driver

import (
	"path/filepath"
	"slices"
	"strings"
)

// mode is what a command ends with.
type mode uint8

const (
	linking   mode = iota
	object         // -c
	assembly       // -S
	otherwise      // preprocess, check, or tell something
)

// An argument is one option with its value, or one file.
type argument struct {
	text  []string
	input bool
	isC   bool // an input that is C
	class class
}

// class is which steps an option is for.
type class uint8

const (
	every      class = iota
	preprocess       // what is included and defined: no more once that is done
	dependency       // files for make
	linker
	output
	modeOption
	language // -x
	asIs     // only for the plain command
)

// arguments is a command taken apart.
type arguments struct {
	list    []argument
	inputs  []string
	sources []int // of list, the inputs that are C
	mode    mode
	output  string
	lto     bool
	unknown bool // there is something in it that is better left alone
}

// options with a value in the next argument, or (joined) directly behind.
var valued = []struct {
	name   string
	joined bool
	class  class
}{
	{"-o", true, output}, {"-x", true, language},
	{"-I", true, preprocess}, {"-D", true, preprocess}, {"-U", true, preprocess}, {"-A", true, preprocess},
	{"-include", false, preprocess}, {"-imacros", false, preprocess}, {"-isystem", true, preprocess}, {"-iquote", true, preprocess},
	{"-idirafter", true, preprocess}, {"-iprefix", true, preprocess}, {"-iwithprefix", false, preprocess},
	{"-iwithprefixbefore", true, preprocess}, {"-isysroot", true, preprocess}, {"-Xpreprocessor", false, preprocess},
	{"-MF", true, dependency}, {"-MT", true, dependency}, {"-MQ", true, dependency},
	{"-L", true, linker}, {"-l", true, linker}, {"-T", true, linker}, {"-u", true, linker}, {"-z", true, linker}, {"-e", false, linker},
	{"-Xlinker", false, linker},
	{"-B", true, every}, {"-Xassembler", false, every}, {"--param", false, every}, {"-wrapper", false, every}, {"-G", true, every},
}

// long is gcc's other names of options that matter here.
var long = map[string]string{
	"--output": "-o", "--language": "-x", "--compile": "-c", "--assemble": "-S", "--preprocess": "-E",
	"--include-directory": "-I", "--define-macro": "-D", "--undefine-macro": "-U", "--include": "-include", "--imacros": "-imacros",
	"--library-directory": "-L", "--dependencies": "-M", "--user-dependencies": "-MM", "--write-dependencies": "-MD",
	"--write-user-dependencies": "-MMD",
}

// shortened gives options their short names.
func shortened(args []string) (list []string) {
	for _, arg := range args {
		name, value, joined := strings.Cut(arg, "=")
		short, ok := long[name]
		switch {
		case !ok:
			list = append(list, arg)
		case joined:
			list = append(list, short, value)
		default:
			list = append(list, short)
		}
	}
	return list
}

// parseArguments takes a command apart as gcc and clang do.
func parseArguments(args []string) arguments {
	var a arguments
	args = shortened(args)
	lang := "none"
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "-" || strings.HasPrefix(arg, "@") {
			a.unknown = true
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			a.input(arg, lang)
			continue
		}
		text, class := []string{arg}, a.option(arg)
		for _, v := range valued {
			if arg == v.name {
				if i++; i < len(args) {
					text = append(text, args[i])
				}
				class = v.class
			} else if v.joined && strings.HasPrefix(arg, v.name) && !strings.HasPrefix(arg, "--") {
				class = v.class
			} else {
				continue
			}
			switch value := strings.TrimPrefix(strings.Join(text, ""), v.name); v.name {
			case "-o":
				a.output = value
			case "-x":
				lang = value
			}
			break
		}
		a.list = append(a.list, argument{text: text, class: class})
	}
	return a
}

func (a *arguments) input(file, lang string) {
	x := argument{text: []string{file}, input: true}
	if lang == "none" {
		ext := filepath.Ext(file)
		x.isC = ext == ".c" || ext == ".i"
	} else {
		x.isC = lang == "c" || lang == "cpp-output"
	}
	if x.isC {
		a.sources = append(a.sources, len(a.list))
	}
	a.inputs = append(a.inputs, file)
	a.list = append(a.list, x)
}

// option says what an option without a value is for.
func (a *arguments) option(arg string) class {
	switch {
	case arg == "-c" || arg == "-S":
		if a.mode == linking {
			a.mode = map[string]mode{"-c": object, "-S": assembly}[arg]
		}
		return modeOption
	case arg == "-E" || arg == "-M" || arg == "-MM" || arg == "-fsyntax-only" || arg == "--version" || arg == "-###" ||
		strings.HasPrefix(arg, "-print-") || strings.HasPrefix(arg, "-dump") || strings.HasPrefix(arg, "--help") || strings.HasPrefix(arg, "-fdump"):
		if !strings.HasPrefix(arg, "-fdump") && arg != "-dumpbase" && arg != "-dumpdir" {
			a.mode = otherwise
		}
		return asIs
	case strings.HasPrefix(arg, "-M"):
		return dependency
	case strings.HasPrefix(arg, "-Wp,"):
		return preprocess
	case strings.HasPrefix(arg, "-Wl,") || arg == "-static" || arg == "-shared" || arg == "-nostdlib" || arg == "-nostartfiles" ||
		arg == "-nodefaultlibs" || arg == "-s" || arg == "-pie" || arg == "-no-pie" || arg == "-r" || arg == "-rdynamic":
		return linker
	case strings.HasPrefix(arg, "-save-temps") || arg == "-v":
		return asIs
	case strings.HasPrefix(arg, "-flto"):
		a.lto = true
	}
	return every
}

// compiles reports whether the command compiles C files that can be instrumented.
func (a *arguments) compiles() bool {
	if a.unknown || len(a.sources) == 0 || a.mode == otherwise {
		return false
	}
	// With -c, each file has an output of its own name, and -o is for one only.
	return a.mode == linking || a.output == "" || len(a.sources) == 1
}

// of is the arguments of some classes, in order.
func (a *arguments) of(classes ...class) (list []string) {
	for _, x := range a.list {
		if !x.input && slices.Contains(classes, x.class) {
			list = append(list, x.text...)
		}
	}
	return list
}

// partial is the options for a link that is not the last one: a linker cannot shorten jumps before it knows all.
func (a *arguments) partial() []string {
	return slices.DeleteFunc(a.of(every), func(s string) bool { return s == "-mrelax" })
}

// target is the name of what a source is compiled into.
func (a *arguments) target(source string) string {
	if a.output != "" && a.mode != linking {
		return a.output
	}
	base := filepath.Base(source)
	ext := map[mode]string{object: ".o", assembly: ".s", linking: ".o"}[a.mode]
	return strings.TrimSuffix(base, filepath.Ext(base)) + ext
}

// dependencies is the options that write a file for make, with the names that the plain command would have chosen.
func (a *arguments) dependencies(source string) []string {
	list := a.of(dependency)
	if len(list) == 0 {
		return nil
	}
	has := func(name string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, name) })
	}
	target := a.target(source)
	if a.mode == linking && a.output != "" {
		target = a.output
	}
	if !has("-MF") {
		list = append(list, "-MF", strings.TrimSuffix(target, filepath.Ext(target))+".d")
	}
	if !has("-MT") && !has("-MQ") {
		list = append(list, "-MQ", target)
	}
	return list
}

// whole reports whether nothing but C is linked: then its procedures are all there are.
func (a *arguments) whole() bool { return a.mode == linking && len(a.sources) == len(a.inputs) }

// machine is the chip that is compiled for, empty if the compiler knows only one.
func (a *arguments) machine() (chip string) {
	for _, x := range a.list {
		if name, ok := strings.CutPrefix(x.text[0], "-mmcu="); ok {
			chip = name
		}
	}
	return chip
}
