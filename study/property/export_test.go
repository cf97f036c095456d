package property

import "motehound/world/scenario"

func (p *Prepared) Dropped() []scenario.Dropped { return p.unjudged() }
