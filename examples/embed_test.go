package examples

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Every file has one row, every row one file.
func TestAllListsEachFileOnce(t *testing.T) {
	entries, err := files.ReadDir("elf")
	if err != nil {
		t.Fatal(err)
	}
	unlisted := map[string]bool{}
	for _, e := range entries {
		unlisted[e.Name()] = true
	}
	for _, f := range All {
		if !unlisted[f.File()] {
			t.Errorf("%s is listed twice, or there is no such file", f.File())
		}
		delete(unlisted, f.File())
		if (f.Board == "") == (f.Chip == "") || f.About == "" {
			t.Errorf("%s must have one of board and chip, and say what it is about", f.File())
		}
		if got, ok := Find(f.Name, f.Board+f.Chip); !ok || got != f {
			t.Errorf("Find(%q, %q) = %v, %v", f.Name, f.Board+f.Chip, got, ok)
		}
	}
	for name := range unlisted {
		t.Errorf("elf/%s is not listed", name)
	}
}

// What tools rely on: the kernel's variables and functions, and the ids that
// are patched, in the apps; the result in the programs that only compute.
func TestSymbols(t *testing.T) {
	app := []string{
		"SchedulerBasicP__m_head", "SchedulerBasicP__m_tail", "SchedulerBasicP__m_next",
		"SchedulerBasicP__TaskBasic__postTask", "SchedulerBasicP__TaskBasic__runTask",
		"TOS_NODE_ID", "ActiveMessageAddressC__addr",
	}
	for _, f := range All {
		want := app
		switch {
		case f.Board == "":
			want = []string{"result", "done"}
		case f.Plain:
			want = []string{"main"}
		}
		symbols, err := open(t, f).Symbols()
		if err != nil {
			t.Fatal(err)
		}
		has := map[string]bool{}
		for _, s := range symbols {
			has[s.Name] = true
		}
		for _, name := range want {
			if !has[name] {
				t.Errorf("%s has no symbol %s", f.File(), name)
			}
		}
	}
}

// What the comments of the network apps promise to whoever reads the memory of a mote: none of it may be optimised away.
func TestGroundTruth(t *testing.T) {
	want := map[string][]string{
		"counter": {"CounterC__counter", "CounterC__sent", "CounterC__heard", "CounterC__lastHeard", "CounterC__lastFrom",
			"CounterC__notSent"},
		"relay": {"RelayC__made", "RelayC__passedOn", "RelayC__handedOver", "RelayC__sentAgain", "RelayC__repeats",
			"RelayC__droppedOwn", "RelayC__droppedOthers", "RelayC__waiting", "RelayC__delivered", "RelayC__lastNumber",
			"RelayC__missing", "RelayC__maxHops"},
		"collect": {"CollectC__made", "CollectC__droppedOwn", "CollectC__delivered", "CollectC__lastNumber",
			"CollectC__duplicates", "CollectC__reported", "CollectC__notReported", "CollectC__maxHops", "ForwarderP__waiting",
			"ForwarderP__forwarded", "ForwarderP__handedOver", "ForwarderP__sentAgain", "ForwarderP__repeats",
			"ForwarderP__loops", "ForwarderP__droppedFull", "ForwarderP__droppedTries", "ForwarderP__droppedHops",
			"RouterP__parentId", "RouterP__pathCost", "RouterP__parentChanges", "RouterP__beaconsSent",
			"RouterP__beaconsHeard", "EstimatorP__neighbours"},
		"disseminate": {"DisseminateC__values", "DisseminateC__injected", "DisseminateC__updates", "DisseminateC__heardSame",
			"DisseminateC__heardOld", "DisseminateC__told", "DisseminateC__refused"},
		"limits": {"LimitsC__made", "LimitsC__droppedOwn", "LimitsC__cold", "LimitsC__warm", "LimitsC__fires", "LimitsC__delivered", "LimitsC__alarms"},
		"timesync": {"TimeSyncC__sequence", "TimeSyncC__sent", "TimeSyncC__heard", "TimeSyncC__pairs", "TimeSyncC__event",
			"GlobalTimeP__numPairs", "GlobalTimeP__local", "GlobalTimeP__offset", "GlobalTimeP__skew", "GlobalTimeP__lastError",
			"GlobalTimeP__restarts"},
		"pollute": {"PolluteC__period", "PolluteC__readings", "PolluteC__sent", "PolluteC__notSent", "PolluteC__heard",
			"PolluteC__polluted", "PolluteC__pollutedBy", "PolluteC__pollutedOf", "AdcNowP__interrupts", "SpectrumP__analyses"},
		"drop": {"DropC__least", "DropC__spread", "DropC__counter", "DropC__received", "DropC__sent", "DropC__notSent",
			"DropC__dropped", "DropC__droppedAt", "DropC__droppedTime"},
		"hang": {"HangC__made", "HangC__delivered", "HangC__lastNumber", "HeartbeatP__sent", "HeartbeatP__notSent",
			"HeartbeatP__heard", "ForwarderP__waiting", "ForwarderP__handedOver", "ForwarderP__putOff", "ForwarderP__failed",
			"ForwarderP__failedTime", "ForwarderP__failedOrigin", "ForwarderP__failedReport", "RouterP__parentId"},
		"router": {"RouterC__made", "RouterC__skipped", "RouterC__received", "RouterC__lastNumber", "RouterC__repeats",
			"ForwardingP__deliveredToSelf", "ForwardingP__forwarded", "ForwardingP__deferred", "ForwardingP__sentAgain",
			"ForwardingP__lost", "ForwardingP__dropped", "DiscoveryP__asked", "DiscoveryP__answered", "DiscoveryP__learnt",
			"DiscoveryP__refused"},
		"versions": {"VersionsP__entries", "VersionsP__past", "VersionsC__foreign", "VersionsC__changed", "VersionsC__updates",
			"VersionsC__told"},
		"orphan": {"OrphanC__parent", "OrphanC__hops", "OrphanC__lost", "OrphanC__beacons", "OrphanC__reported",
			"OrphanC__received", "EstimatorP__neighbours"},
		"readings": {"ReadingsC__period", "ReadingsC__past", "ReadingsC__late", "ReadingsC__reading", "ReadingsC__count",
			"ReadingsC__sent", "ReadingsC__notSent", "ReadingsC__refused", "ReadingsC__received"},
		"bitvector": {"BitvectorC__versions", "BitvectorC__values", "BitvectorC__past", "BitvectorC__changed",
			"BitvectorC__updates", "BitvectorC__hashes", "BitvectorC__vectors", "BitvectorC__told"},
		"dhv": {"DhvC__versions", "DhvC__values", "DhvC__changed", "DhvC__updates", "DhvC__told", "SummaryP__told", "SummaryP__differ",
			"VectorP__told", "VectorP__waited", "VectorP__passedOver", "VectorP__throughNull", "SenderP__refused", "SenderP__sent"},
		"remote": {"RemoteC__label", "RemoteC__labelSize", "RemoteC__period", "RemoteC__obeyed", "RemoteC__refused", "RemoteC__past"},
		"fragments": {"FragmentsC__made", "FragmentsC__received", "FragmentsC__damaged", "ReassemblyP__begun", "ReassemblyP__gaveUp",
			"ReassemblyP__refused", "ReassemblyP__past"},
		"neighbours": {"NeighboursC__sent", "NeighboursC__received", "TableP__entries", "TableP__evicted", "TableP__turnedAway", "TableP__past"},
	}
	for _, app := range []string{"pollute", "drop", "hang", "router", "versions", "orphan", "readings", "bitvector",
		"dhv", "remote", "fragments", "neighbours"} {
		want[app+"_fixed"] = want[app]
	}
	for _, build := range []string{"serialbuf_reversed", "serialbuf_locked", "serialbuf_fixed"} {
		want[build] = []string{"SerialbufC__seconds", "SerialbufC__received", "SerialbufC__counter", "SerialbufC__check",
			"SerialDispatcherP__0__receiveState", "SerialDispatcherP__0__begun", "SerialDispatcherP__0__refused",
			"SerialDispatcherP__0__refusedFree", "SerialDispatcherP__0__bad", "SerialDispatcherP__0__tooEarly"}
	}
	for _, build := range []string{"dissem_null", "dissem_step", "dissem_end", "dissem_rest", "dissem_fixed"} {
		want[build] = []string{"DissemC__versions", "DissemC__values", "DissemC__injected", "DissemC__updates", "DissemC__differ",
			"SummaryP__doubts", "SummaryP__told", "SummaryP__past", "SummaryP__throughNull", "SenderP__refused", "SenderP__sent"}
	}
	for _, build := range []string{"port", "reset", "stuck", "second", "stale", "fixed"} {
		want["tinytcp_"+build] = []string{"LinkC__useRadio", "LinkC__useWire", "LinkP__sentCount", "LinkP__dropped", "NetP__forwarded",
			"NetP__refused", "TcpP__connections", "TcpP__room", "TcpP__synTries", "TcpP__tries", "TcpP__sentAgain", "TcpP__resetsSent",
			"TcpP__noRoom", "TcpP__received", "TcpP__outOfOrder", "TcpP__doubled", "ClientC__port", "ClientC__requests", "ClientC__tells",
			"ClientC__againMs", "ClientC__isConnected", "ClientC__page", "ClientC__pages", "ClientC__notFound", "ClientC__asked",
			"ClientC__closed", "ClientC__resets", "ClientC__timeouts", "ServerC__isConnected", "ServerC__visits", "ServerC__requests",
			"ServerC__expired", "ShellC__line", "ShellC__commands", "ShellC__unknown"}
	}
	for _, app := range []string{"pollute", "drop"} {
		want[app+"_buffered"] = want[app]
	}
	for _, app := range []string{"pollute", "drop", "router"} {
		want[app+"_noinline"] = want[app]
		want[app+"_fixed_noinline"] = want[app]
	}
	for app, names := range want {
		for _, board := range []string{"micaz", "mica2"} {
			f, ok := Find(app, board)
			if !ok {
				if !strings.HasSuffix(app, "_noinline") || board == "mica2" {
					t.Errorf("there is no %s for the %s", app, board)
				}
				continue
			}
			symbols, err := open(t, f).Symbols()
			if err != nil {
				t.Fatal(err)
			}
			has := map[string]bool{}
			for _, s := range symbols {
				has[s.Name] = elf.ST_TYPE(s.Info) == elf.STT_OBJECT && s.Size > 0
			}
			for _, name := range names {
				if !has[name] {
					t.Errorf("%s has no variable %s", f.File(), name)
				}
			}
		}
	}
}

// README.md says at which line each bug is, and there the source says so, too.
func TestBugsAreWhereReadmeSays(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	places := regexp.MustCompile("`([a-z]+/[a-z]+\\.c):([0-9]+)`").FindAllStringSubmatch(string(readme), -1)
	if len(places) != 28 {
		t.Errorf("README.md has %d places of bugs, there are 28", len(places))
	}
	for _, place := range places {
		source, err := os.ReadFile(place[1])
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(place[2])
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(source), "\n")
		if n > len(lines) || !strings.Contains(lines[n-1], "// BUG: ") {
			t.Errorf("%s:%s is not marked as a bug", place[1], place[2])
		}
	}
}

// The chip has 4 KiB of RAM; what apps leave is the stack's.
func TestMemory(t *testing.T) {
	const most = 1536
	for _, f := range All {
		if f.Board == "" {
			continue
		}
		size := uint64(0)
		for _, s := range open(t, f).Sections {
			if s.Flags&elf.SHF_ALLOC != 0 && s.Flags&elf.SHF_WRITE != 0 {
				size += s.Size
			}
		}
		if size > most {
			t.Errorf("%s has %d bytes of variables, at most %d are wanted", f.File(), size, most)
		}
	}
}

// The debug information names the sources as the repository does, and nothing
// of the machine that built them.
func TestSourcesAreRelative(t *testing.T) {
	for _, f := range All {
		d, err := open(t, f).DWARF()
		if err != nil {
			t.Fatal(err)
		}
		r := d.Reader()
		for {
			unit, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if unit == nil {
				break
			}
			r.SkipChildren()
			// avr-libc's start-up object describes the chip's registers in a
			// unit without name or directory.
			name, _ := unit.Val(dwarf.AttrName).(string)
			dir, _ := unit.Val(dwarf.AttrCompDir).(string)
			if name != "" && dir != "examples" {
				t.Errorf("%s: %s was compiled in %q, want %q", f.File(), name, dir, "examples")
			}
			lines, err := d.LineReader(unit)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range lines.Files() {
				if file != nil && (path.IsAbs(file.Name) || strings.Contains(file.Name, "..")) {
					t.Errorf("%s: source %q is not relative to the repository", f.File(), file.Name)
				}
			}
		}
	}
}

func open(t *testing.T, f Firmware) *elf.File {
	t.Helper()
	e, err := elf.NewFile(bytes.NewReader(f.ELF()))
	if err != nil {
		t.Fatalf("%s: %v", f.File(), err)
	}
	if e.Machine != elf.EM_AVR {
		t.Fatalf("%s is for %v", f.File(), e.Machine)
	}
	return e
}
