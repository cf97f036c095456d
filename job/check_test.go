package job

import (
	"testing"

	"motehound/internal/cases"
	"motehound/world"
	"motehound/world/recipe"
)

// What package cases calls the defaults are those of the usual request.
func TestCheckDefaults(t *testing.T) {
	f, want := NewCheck("x"), cases.Defaults()
	o, err := f.options(&subject{recipe: &recipe.Recipe{}, cfg: &world.Config{}})
	if err != nil {
		t.Fatal(err)
	}
	if o.Search.Events != want.Search.Events || o.Critical.Walks != want.Critical.Walks || o.Critical.Events != want.Critical.Events ||
		o.Minimise.Events != want.Minimise.Events || o.Minimise.Reach != want.Minimise.Reach || o.Minimise.Walks != want.Minimise.Walks {
		t.Errorf("%+v differs from %+v", o, want)
	}
}
