package outlier

import (
	"fmt"
	"math"
)

// oneClassSVM is the one-class support vector machine of Schölkopf et al. (Estimating the support of a high-dimensional
// distribution, 2001), as LIBSVM's svm-train -s 2 with the RBF kernel defines it: minimise a'Ka/2 subject to 0 <= a_i <= 1 and
// sum(a) = nu l; the score is the decision value sum(a_i K(x_i, x)) - rho. A sample of weight w stands for w equal ones, whose
// a_i only matter as a sum: it is one variable, at most w.
type oneClassSVM struct {
	Nu    float64 // at most this part of the intervals is on the wrong side of the boundary
	Gamma float64 // of the kernel; 0 means 1 / Matrix.Dims
	Eps   float64 // by how much the solution may miss the optimality conditions
}

// defaultOneClassSVM has nu = 0.05. The paper does not tell its nu. LIBSVM's own default, 0.5, would put the boundary through
// the middle of the normal intervals, whereas the paper's figure 5 (c) has 2 of 95 intervals below zero: nu is a bound on that
// part, and the next one of the usual values. The tolerance is tighter than LIBSVM's 0.001, for the order of close scores.
func defaultOneClassSVM() oneClassSVM { return oneClassSVM{Nu: 0.05, Eps: 1e-6} }

func (oneClassSVM) Name() string { return "ocsvm" }

func (oneClassSVM) About() string {
	return "one-class support vector machine, RBF kernel (the paper's)"
}

func (d oneClassSVM) Scores(m *Matrix) ([]float64, error) {
	s, err := d.solve(m)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(m.rows))
	for i, a := range s.alpha {
		if a > 0 {
			for j, k := range s.k.row(i) {
				scores[j] += a * float64(k)
			}
		}
	}
	for i := range scores {
		scores[i] -= s.rho
		// Free support vectors are on the boundary: what is left is within eps, and must not order them.
		if s.alpha[i] > 0 && s.alpha[i] < s.bound[i] && math.Abs(scores[i]) < 10*d.Eps {
			scores[i] = 0
		}
	}
	return scores, nil
}

// smo is the state of sequential minimal optimisation.
type smo struct {
	k        *kernel
	alpha    []float64
	bound    []float64
	gradient []float64
	rho      float64
}

// solve follows Solver::Solve of LIBSVM for one class, without shrinking: Fan, Chen and Lin, Working set selection using second
// order information, 2005.
func (d oneClassSVM) solve(m *Matrix) (*smo, error) {
	if d.Nu <= 0 || d.Nu > 1 {
		return nil, fmt.Errorf("ocsvm: nu is %g: it is a part of the intervals, above 0 and at most 1", d.Nu)
	}
	if d.Eps <= 0 {
		return nil, fmt.Errorf("ocsvm: eps is %g: the tolerance must be above 0", d.Eps)
	}
	n := len(m.rows)
	s := &smo{k: newKernel(m, gammaOf(d.Gamma, m)), alpha: make([]float64, n), bound: make([]float64, n),
		gradient: make([]float64, n)}
	left := d.Nu * float64(m.weight)
	for i, p := range m.Samples {
		s.bound[i] = float64(p.Weight)
		s.alpha[i] = min(left, s.bound[i])
		left -= s.alpha[i]
		if s.alpha[i] > 0 {
			s.addToGradient(i, s.alpha[i])
		}
	}
	limit := max(10_000_000, 100*n)
	for step := 0; ; step++ {
		i, j := s.workingSet(d.Eps)
		if j < 0 {
			break
		}
		if step == limit {
			return nil, fmt.Errorf("ocsvm: not within eps %g after %d steps: choose a larger eps, or a smaller gamma", d.Eps, limit)
		}
		s.step(i, j)
	}
	s.rho = s.offset()
	return s, nil
}

func (s *smo) addToGradient(i int, delta float64) {
	for j, k := range s.k.row(i) {
		s.gradient[j] += delta * float64(k)
	}
}

// tau stands in for the curvature between points that the kernel cannot tell apart.
const tau = 1e-12

// workingSet is the pair of variables to change next: i is the one that violates the conditions most, j the one that then gives
// the largest decrease. j is -1 when the solution is within eps.
func (s *smo) workingSet(eps float64) (i, j int) {
	i, j = -1, -1
	up := math.Inf(-1)
	for t, g := range s.gradient {
		if s.alpha[t] < s.bound[t] && -g >= up {
			i, up = t, -g
		}
	}
	if i < 0 {
		return i, j
	}
	row := s.k.row(i)
	down, best := math.Inf(-1), math.Inf(1)
	for t, g := range s.gradient {
		if s.alpha[t] <= 0 {
			continue
		}
		down = max(down, g)
		if diff := up + g; diff > 0 {
			if gain := -diff * diff / max(tau, 2-2*float64(row[t])); gain <= best {
				j, best = t, gain
			}
		}
	}
	if up+down < eps {
		return i, -1
	}
	return i, j
}

// step moves weight between two variables, to the minimum or to a bound.
func (s *smo) step(i, j int) {
	row := s.k.row(i)
	oldI, oldJ := s.alpha[i], s.alpha[j]
	sum := oldI + oldJ
	newI := oldI - (s.gradient[i]-s.gradient[j])/max(tau, 2-2*float64(row[j]))
	newI = min(max(newI, 0, sum-s.bound[j]), s.bound[i], sum)
	s.alpha[i], s.alpha[j] = newI, sum-newI
	switch newI {
	case sum - s.bound[j]:
		s.alpha[j] = s.bound[j]
	case sum:
		s.alpha[j] = 0
	}
	s.addToGradient(i, s.alpha[i]-oldI)
	s.addToGradient(j, s.alpha[j]-oldJ)
}

// offset is rho: the gradient of the free variables, or the middle of what the bounded ones allow.
func (s *smo) offset() float64 {
	low, high, sum, free := math.Inf(-1), math.Inf(1), 0.0, 0
	for i, g := range s.gradient {
		switch a := s.alpha[i]; {
		case a >= s.bound[i]:
			low = max(low, g)
		case a <= 0:
			high = min(high, g)
		default:
			sum += g
			free++
		}
	}
	switch {
	case free > 0:
		return sum / float64(free)
	case math.IsInf(high, 1): // nu is 1: LIBSVM's midpoint would be infinite
		return low
	default:
		return (low + high) / 2
	}
}
