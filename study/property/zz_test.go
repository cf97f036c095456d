package property_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/property"
	"motehound/world/scenario"
)

func TestZZ(t *testing.T) {
	name := os.Getenv("SCEN")
	if name == "" {
		t.Skip()
	}
	s, err := scenario.Load(name, scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := s.Recipe()
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.World(rec, func(file string) ([]byte, error) { return os.ReadFile(file) })
	if err != nil {
		t.Fatal(err)
	}
	_ = filepath.Join
	begin := time.Now()
	plan, err := property.Prepare(w.Config(), s, property.Options{Explore: true})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("prepared in", time.Since(begin))
	sys, err := explore.New(w.Config(), explore.Options{Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	events := 300
	fmt.Sscan(os.Getenv("EVENTS"), &events)
	sys.Track(true)
	begin = time.Now()
	for seed := range uint64(3) {
		if err := check.Audit(sys, check.AuditOptions{Events: events, Every: 3, Seed: seed, Stop: func() bool { return time.Since(begin) > 60*time.Second }}); err != nil {
			t.Error(err)
		}
	}
	fmt.Println("audited in", time.Since(begin))
}
