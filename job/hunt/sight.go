package hunt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
	"motehound/study/explore"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// sight is a finding of one engine, before it was confirmed.
type sight struct {
	document.HuntFinding
	bundle string // its recipe, with all files
	// unproven says that nothing can be replayed: the run that shows it is the proof.
	unproven bool
	// weak says that it is only a hint: it is kept back until it is known whether something stronger has the same cause.
	weak bool
	// world and from are the network and the moment in which what a hint is about begins; nil if that is not known.
	world job.World
	from  *job.Moment
}

// exploredSight is a finding of check or fuzz.
func exploredSight(f *document.Found) sight {
	s := sight{bundle: f.Bundle}
	s.Explored = f
	s.judge(findings.Finding{Property: f.Property, Kind: f.Kind, Function: f.Function, File: f.File, Line: f.Line, Mote: f.Mote, Detail: f.Detail})
	if !f.Counts {
		s.weak = true
		s.Grade, s.Confidence = findings.Symptom, findings.Possible
		s.Why = "it was replayed, but something waits longer in it than hardware lets it wait"
		if len(f.Needs) > 0 {
			s.Why += fmt.Sprintf(": %s of mote %d", f.Needs[0].What, f.Needs[0].Mote)
		}
	}
	if f.Counts && demanded(f.Property) && slices.ContainsFunc(f.Made, func(in recipe.MadeInput) bool { return in.Kind == "air" }) {
		s.weak = true
		s.Grade, s.Severity, s.Confidence = findings.Symptom, findings.Low, findings.Likely
		s.Why = "it was replayed, but it takes frames that no mote of the scenario sends: it may hold among those that they do"
	}
	if f.Property == scenario.Optional.Watchdog {
		s.weak = true
		s.Grade, s.Confidence, s.Why = findings.Symptom, findings.Likely, "it was replayed, but a program may want its watchdog to reset it"
	}
	return s
}

// ranSight is a finding of the built-in checks in a timed run.
func ranSight(f *document.RunFinding, bundle string) sight {
	s := sight{bundle: bundle}
	s.Ran = f
	s.judge(findings.Finding{Property: f.Property, Kind: "safety", Function: f.Function, File: f.File, Line: f.Line, Mote: int(f.Mote), Detail: f.Detail})
	return s
}

// violatedSight is a property of the scenario that a timed run violates.
func violatedSight(v *document.Violation, bundle string) sight {
	s := sight{bundle: bundle}
	s.Violated = v
	f := findings.Finding{Property: v.Property, Kind: kindOf(v.Kind), Mote: -1, Detail: fmt.Sprintf("at %.3f s of an ordinary run", v.TimeS)}
	if len(v.Motes) > 0 {
		f.Mote = v.Motes[0]
	}
	f.File, f.Line = at(v.Where)
	s.judge(f)
	return s
}

func kindOf(property string) string {
	if property == "eventually" {
		return "liveness"
	}
	return "safety"
}

// at splits a position in a scenario.
func at(where string) (file string, line int) {
	file, rest, _ := strings.Cut(where, ":")
	number, _, _ := strings.Cut(rest, ":")
	line, _ = strconv.Atoi(number)
	return file, line
}

// families says what the built-in checks' findings are, by the beginning of their names.
var families = []struct {
	property string
	severity findings.Severity
	why      string
	title    string // what happens; the place comes behind it
}{
	{"race: lost update", findings.High, "an update is lost, and the variable is wrong from then on", "An update of %s is lost when an interrupt comes in its middle"},
	{"race: torn read", findings.Medium, "a value is read that the variable never had", "An interrupt changes %s while it is being read"},
	{"race: mixed snapshot", findings.Medium, "values are read that never belonged together", "An interrupt changes %s between reads that belong together"},
	{"race: stale check", findings.High, "code and handler both act on what is no longer so", "An interrupt changes %s behind a check of it"},
	{explore.RacePrefix, findings.Medium, "the result is one that no order without the interruption gives", "An interrupt in the middle of using %s leaves a wrong value"},
	{"memory: bounds", findings.High, "memory of another variable is read or destroyed", "An access leaves its variable"},
	{"memory: null", findings.High, "the chip's registers are read or written instead of a variable", "A null pointer is used"},
	{"memory: stack", findings.High, "variables are destroyed", "The stack grows into variables"},
	{"memory: ", findings.High, "memory is used in a way that no program means", "Memory is used wrongly"},
	{"kernel: watchdog", findings.Medium, "the mote starts again and again", "The watchdog resets the mote"},
	{"wait: ", findings.High, "the mote does nothing else any more", "The mote waits for ever"},
}

// judge takes what goes wrong and where, and works out the grade, how bad it is, and a title.
func (s *sight) judge(f findings.Finding) {
	s.Finding = f
	s.Grade, s.Severity, s.Confidence = findings.Violation, findings.Medium, findings.Certain
	title, why := s.Property, "it breaks a rule that holds for every program"
	placeless := s.Violated != nil || s.Function == ""
	if placeless || demanded(s.Property) {
		s.Severity, why = findings.High, "it is a property that the scenario demands"
	}
	if placeless {
		title = fmt.Sprintf("%q does not hold", s.Property)
	}
	if variable, ok := raced(s.Property); ok {
		s.Grade, s.Variable = findings.Race, variable
	}
	for _, f := range families {
		if strings.HasPrefix(s.Property, f.property) {
			s.Severity, why, title = f.severity, f.why, f.title
			if s.Grade == findings.Race {
				title = fmt.Sprintf(title, s.Variable)
			}
			break
		}
	}
	if strings.HasPrefix(s.Property, "memory: bounds") && strings.Contains(s.Detail, " reads ") {
		s.Severity, why = findings.Medium, "memory of another variable is read"
	}
	s.Why = why + "; it was replayed"
	if place := document.PlaceText(s.Function, s.File, s.Line); place != "" && s.Function != "" {
		title += ", in " + place
	}
	if s.Detail != "" {
		title += ": " + s.Detail
	}
	s.Title = title
}

// demanded tells whether a property is the scenario's, and not a built-in check.
func demanded(property string) bool {
	return !slices.ContainsFunc([]string{"memory: ", "kernel: ", "wait: ", explore.RacePrefix}, func(family string) bool { return strings.HasPrefix(property, family) })
}

// raced is the variable that a race is about.
func raced(property string) (variable string, is bool) {
	if !strings.HasPrefix(property, explore.RacePrefix) {
		return "", false
	}
	_, variable, _ = strings.Cut(property, " of ")
	return variable, true
}
