package scenario

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestHostile loads scripts that would take all memory or time, and wants each refused for its reason, in little of both.
func TestHostile(t *testing.T) {
	for _, c := range readChunks(t, "testdata/hostile.txt") {
		t.Run(fmt.Sprintf("line %d", c.line), func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := LoadFS(tree(c.script), "a.star", Options{})
			runtime.ReadMemStats(&after)
			if err == nil || !strings.HasSuffix(err.Error(), c.want[0]) {
				t.Errorf("%s\n got %v\nwant %s", c.script, err, c.want[0])
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<30 {
				t.Errorf("%s allocates %d MiB", c.script, used>>20)
			}
		})
	}
}

// TestChecked compares checked operations with what Starlark's own give.
func TestChecked(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
		{`"a" + "b" * 3`, `"abbb"`},
		{`[1] + [2] * 2`, `[1, 2, 2]`},
		{`2 * 3 + 4 - 1`, `9`},
		{`"%d-%s" % (1, "x")`, `"1-x"`},
		{`"%(a)s" % {"a": 1}`, `"1"`},
		{`1 << 70 == 1180591620717411303424`, `True`},
		{`{1: 2} | {3: 4}`, `{1: 2, 3: 4}`},
		{`set([1, 2]) & set([2])`, `set([2])`},
		{`set([1, 2]) - set([2])`, `set([1])`},
		{`6 ^ 3, 6 | 1, 6 & 3`, `(5, 7, 2)`},
		{`[1, 2, 3, 4][1:3], "abc"[::-1]`, `([2, 3], "cba")`},
		{`", ".join(["a", "b"]).upper().split(", ")`, `["A", "B"]`},
		{`"{} {x}".format(1, x = 2)`, `"1 2"`},
		{`[x for x in range(3) if x != 1]`, `[0, 2]`},
		{`(lambda *a, **k: (a, k))(*[1, 2], **{"b": 3})`, `((1, 2), {"b": 3})`},
		{`(lambda a = 1 + 1, *, b = "x" * 2: (a, b))()`, `(2, "xx")`},
		{`True == 1, 1 == True, False != 0, True == True, "a" == 1`, `(True, True, False, True, False)`},
		{`[1, 2] == [1, 2], (1,) != (1,), None == None, {} == {}`, `(True, False, True, True)`},
		{`{"k": True}["k"] == 1, [True][0] == 1`, `(True, True)`},
		{`1.5 == 1.5, 1 == 1.0`, `(True, True)`},
		{`sorted([3, 1, 2], reverse = True), max(1, 2), min([3, 4])`, `([3, 2, 1], 2, 3)`},
		{`list(zip([1, 2], "ab".elems())), list(enumerate(["a"]))`, `([(1, "a"), (2, "b")], [(0, "a")])`},
		{`int("12"), int("ff", 16), str(3), repr("a"), tuple([1])`, `(12, 255, "3", "\"a\"", (1,))`},
		{`getattr([1, 2], "index")(2), getattr("a", "nope", 7)`, `(1, 7)`},
		{`hasattr({}, "keys"), {"a": 1}.keys(), {"a": 1}.items()`, `(True, ["a"], [("a", 1)])`},
		{`ps("1m30s"), ps("1.5us")`, `(90000000000000, 1500000)`},
		{`1 if 2 > 1 else 3`, `1`},
		{`[1, 2].pop(), "abc".find("c"), -(3), not True`, `(2, 2, -3, False)`},
	} {
		var printed string
		script := fmt.Sprintf("print(repr(%s))", c.expr)
		if strings.Contains(c.expr, ", ") && !strings.HasPrefix(c.want, "[") && strings.HasPrefix(c.want, "(") {
			script = fmt.Sprintf("print(repr((%s)))", c.expr)
		}
		_, err := LoadFS(tree(script), "a.star", Options{Print: func(msg string) { _, printed, _ = strings.Cut(msg, ": ") }})
		if err != nil || printed != c.want {
			t.Errorf("%s\n got %s %v\nwant %s", c.expr, printed, err, c.want)
		}
	}
}

// TestAssignments runs statements whose operators are rewritten.
func TestAssignments(t *testing.T) {
	script := `
x = 1
x += 2
x *= 5
x -= 1
x <<= 2
x %= 50
x |= 64
x ^= 1
a = [1]
b = a
b += [2]
d = {"k": 1, "l": [1]}
d["k"] += 4
d["l"] += [3]
d |= {"m": 2}
calls = []
def key():
    calls.append(1)
    return 0
a[key()] += 10
a[-1] *= 3
def f():
    y = "s"
    y += "t"
    (z, w) = (y, y * 2)
    for (i, j) in [(1, 2)]: z += str(i + j)
    return z + w
s = set([1]); s |= set([2])
print([x, a, d, len(calls), f(), s])
`
	const want = `[71, [11, 6], {"k": 5, "l": [1, 3], "m": 2}, 1, "st3stst", set([1, 2])]`
	var printed string
	_, err := LoadFS(tree(script), "a.star", Options{Print: func(msg string) { _, printed, _ = strings.Cut(msg, ": ") }})
	if err != nil || printed != want {
		t.Errorf("got %s %v\nwant %s", printed, err, want)
	}
}
