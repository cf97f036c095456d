package outlier

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"motehound/internal/need"
)

// libsvmModel is what svm-train makes of the expanded samples.
type libsvmModel struct {
	alpha []float64 // by sample, the sum of its members'
	rho   float64
}

// svmTrain runs svm-train -s 2 with one line per interval, with the features scaled by their definition.
func svmTrain(t *testing.T, samples []Sample, nu, gamma, eps float64) libsvmModel {
	t.Helper()
	var data strings.Builder
	known := make(map[string]int)
	for i, point := range points(samples) {
		var line, inModel strings.Builder
		for f, x := range point {
			if x != 0 {
				fmt.Fprintf(&line, " %d:%.17g", f+1, x)
				fmt.Fprintf(&inModel, " %d:%.8g", f+1, x)
			}
		}
		if _, twice := known[strings.TrimSpace(inModel.String())]; twice {
			t.Fatalf("sample %d is like another one in eight digits, which is what model files have", i)
		}
		known[strings.TrimSpace(inModel.String())] = i
		for range samples[i].Weight {
			fmt.Fprintf(&data, "1%s\n", line.String())
		}
	}
	input, output := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(input, []byte(data.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	g := func(x float64) string { return strconv.FormatFloat(x, 'g', 17, 64) }
	cmd := need.Command(t, "svm-train", "-q", "-s", "2", "-t", "2", "-n", g(nu), "-g", g(gamma), "-e", g(eps), "-h", "0", input, output)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	text, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	header, vectors, ok := strings.Cut(string(text), "\nSV\n")
	if !ok {
		t.Fatalf("no support vectors in\n%s", text)
	}
	model := libsvmModel{alpha: make([]float64, len(samples)), rho: math.NaN()}
	for line := range strings.Lines(header) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "rho "); ok {
			model.rho, err = strconv.ParseFloat(value, 64)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for line := range strings.Lines(vectors) {
		value, vector, _ := strings.Cut(strings.TrimSpace(line), " ")
		alpha, err := strconv.ParseFloat(value, 64)
		i, ok := known[strings.TrimSpace(vector)]
		if err != nil || !ok {
			t.Fatalf("no sample for the support vector %q: %v", line, err)
		}
		model.alpha[i] += alpha
	}
	return model
}

// decisions is the decision values by the definition: svm-predict only tells their signs.
func (l libsvmModel) decisions(samples []Sample, gamma float64) []float64 {
	all := points(samples)
	values := make([]float64, len(all))
	for i := range all {
		for j, a := range l.alpha {
			if a != 0 {
				values[i] += a * math.Exp(-gamma*squared(all[i], all[j]))
			}
		}
		values[i] -= l.rho
	}
	return values
}

func TestOneClassSVMIsLIBSVM(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		vectors []Vector
		nu      float64
		gamma   float64
	}{
		{"blob", blob(300, 12, 8, 1), 0.1, 0},
		{"blob, LIBSVM's nu, narrow kernel", blob(200, 6, 5, 2), 0.5, 2},
		{"duplicates", patterns(800, 60, 25, 3), 0.05, 0},
		{"duplicates, many outliers", patterns(500, 40, 10, 4), 0.3, 0.4},
		{"counters", counters(t), defaultOneClassSVM().Nu, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// LIBSVM takes the kernel to 24 bits, and a sum of nu l terms: the gradient cannot be told more exactly.
			const eps = 1e-7
			samples := samplesOf(t, test.vectors)
			m := matrixOf(t, samples, Options{})
			d := oneClassSVM{Nu: test.nu, Gamma: test.gamma, Eps: eps}
			gamma := gammaOf(test.gamma, m)
			want := svmTrain(t, samples, test.nu, gamma, eps)
			got, err := d.solve(m)
			if err != nil {
				t.Fatal(err)
			}
			support := 0
			for i, a := range want.alpha {
				if (a > 0) != (got.alpha[i] > 0) {
					t.Errorf("sample %d has alpha %g, want %g: not the same support vectors", i, got.alpha[i], a)
				}
				if a > 0 {
					support++
				}
			}
			if math.Abs(got.rho-want.rho) > 1e-4 {
				t.Errorf("rho is %g, want %g", got.rho, want.rho)
			}
			near(t, "alpha", got.alpha, want.alpha, 1e-2)
			scores, decisions := scoresOf(t, d, m), want.decisions(samples, gamma)
			resolution := 1e-6 * max(1, test.nu*float64(m.weight))
			near(t, "decision values", scores, decisions, resolution)
			order := make([]int, len(samples))
			for i := range order {
				order[i] = i
			}
			slices.SortFunc(order, func(a, b int) int { return cmpFloat(decisions[a], decisions[b]) })
			apart := 0
			for i := 1; i < len(order); i++ {
				a, b := order[i-1], order[i]
				if decisions[b]-decisions[a] <= resolution {
					continue
				}
				apart++
				if scores[a] >= scores[b] {
					t.Errorf("samples %d and %d are in another order: %g, %g; want %g, %g", a, b, scores[a], scores[b], decisions[a],
						decisions[b])
				}
			}
			t.Logf("%d intervals, %d samples, %d support vectors, rho %.6g (LIBSVM %.6g), %d of %d neighbours in order apart",
				m.weight, len(samples), support, got.rho, want.rho, apart, len(order)-1)
		})
	}
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
