// ConjugateGradient<D>: solves A x = b for a symmetric positive definite A that is given only as a
// function A(x), preconditioned with the inverse of its diagonal (Saad, Iterative Methods for
// Sparse Linear Systems, 2nd edition, algorithm 9.1). Vectors are float; scalars are double and
// stay on the device, so that a Recording may contain a solve.
//
//   z = D^-1 r,  alpha = r.z / p.Ap,  x += alpha p,  r -= alpha Ap,  beta = r'.z' / r.z,
//   p = z' + beta p
//
// A solve ends when |r| <= tolerance |b| (the first |r| replaces |b| if b is zero), at the limit of
// iterations, or if the method breaks down: p.Ap or r.z is not positive, or a value is not finite.
// The last two are failures, and x is the last iterate. r is updated, not recomputed from x: with
// float vectors b - A x has a rounding error of about 1e-7 |A| |x|, so that a much smaller
// tolerance has no effect.
#pragma once

#include "panta/core/scalar_math.h"
#include "panta/linear/convergence.h"
#include "panta/linear/dot.h"

namespace panta {

// apply(exec, in, out) enqueues out = A in. Where inverse_diagonal[i] is 0, x[i] is given: it is
// not changed, row i of A is not used (it must be finite), and its contribution to the other rows
// counts as part of their right-hand side.
template <class Operator, class Gate = AlwaysOpen>
struct LinearProblem {
  Index n;
  Operator apply;
  const float* inverse_diagonal;
  const float* b;
  float* x;  // first guess, then the solution
  // A maps constants to zero: the mean of b is subtracted, and x is determined up to a constant.
  bool constant_null_space = false;
  Gate gate = {};  // if gate.closed() on the device, the solve is skipped and x is unchanged
};

namespace detail {
struct GradientScalars {
  double mean = 0;       // of b
  double reference = 0;  // |b|
  double rz = 0;
  float alpha = 0, beta = 0;
};

// Data common to all kernels of a solve.
struct GradientState {
  const float* inverse_diagonal;
  float *x, *r, *p;
  const float* q;  // A p; before the first iteration A x
  GradientScalars* scalars;
  Convergence* convergence;
  SolveLimits limits;

  PANTA_HD bool ended() const { return !convergence->loop.running; }
  // Stores r.r and r.z; ends the solve if it has converged or cannot continue.
  PANTA_HD void check(double rr, double rz) const {
    scalars->rz = rz;
    convergence->check(sqrt(rr), scalars->reference, limits);
    if (!(rz > 0)) convergence->stop();
  }
};

struct UsedRows {
  const float *inverse_diagonal, *b;
  PANTA_HD void operator()(Index i, double (&v)[2]) const {
    const bool used = inverse_diagonal[i] != 0;
    v[0] = used ? b[i] : 0;
    v[1] = used ? 1 : 0;
  }
};

struct StoreMean {
  GradientScalars* scalars;
  PANTA_HD void operator()(const double (&total)[2]) const {
    scalars->mean = total[1] > 0 ? total[0] / total[1] : 0;
  }
};

// r = b - A x, p = z; sums b.b, r.r and r.z.
struct FirstResidual {
  GradientState s;
  const float* b;
  bool without_mean;
  PANTA_HD void operator()(Index i, double (&v)[3]) const {
    v[0] = v[1] = v[2] = 0;
    if (s.ended()) return;
    const float weight = s.inverse_diagonal[i];
    float r = 0;
    if (weight != 0) {
      r = float(without_mean ? b[i] - s.scalars->mean : b[i]) - s.q[i];
      v[0] = double(b[i]) * b[i];
    }
    const float z = weight * r;
    s.r[i] = r;
    s.p[i] = z;
    v[1] = double(r) * r;
    v[2] = double(r) * z;
  }
};

struct CheckFirstResidual {
  GradientState s;
  PANTA_HD void operator()(const double (&total)[3]) const {
    if (s.ended()) return;
    s.scalars->reference = sqrt(total[0] != 0 ? total[0] : total[1]);
    s.check(total[1], total[2]);
  }
};

struct StepLength {
  GradientState s;
  PANTA_HD void operator()(const double (&pq)[1]) const {
    if (s.ended()) return;
    const float alpha = float(s.scalars->rz / pq[0]);
    s.scalars->alpha = alpha;
    if (!(pq[0] > 0 && alpha > 0 && is_finite(alpha))) s.convergence->stop();
  }
};

struct DirectionTimesImage {
  GradientState s;
  PANTA_HD void operator()(Index i, double (&v)[1]) const {
    v[0] = s.ended() ? 0 : double(s.p[i]) * s.q[i];
  }
};

// x += alpha p, r -= alpha q; sums r.r and r.z.
struct TakeStep {
  GradientState s;
  PANTA_HD void operator()(Index i, double (&v)[2]) const {
    v[0] = v[1] = 0;
    const float weight = s.inverse_diagonal[i];
    if (s.ended() || weight == 0) return;
    const float alpha = s.scalars->alpha;
    s.x[i] += alpha * s.p[i];
    const float r = s.r[i] - alpha * s.q[i];
    s.r[i] = r;
    v[0] = double(r) * r;
    v[1] = double(r) * (weight * r);
  }
};

struct CheckResidual {
  GradientState s;
  PANTA_HD void operator()(const double (&total)[2]) const {
    if (s.ended()) return;
    s.scalars->beta = float(total[1] / s.scalars->rz);
    s.check(total[0], total[1]);
  }
};

struct NextDirection {
  GradientState s;
  PANTA_HD void operator()(Index i) const {
    if (s.ended()) return;
    s.p[i] = s.inverse_diagonal[i] * s.r[i] + s.scalars->beta * s.p[i];
  }
};
}  // namespace detail

template <class D>
class ConjugateGradient {
 public:
  // Allocates for n unknowns; after that a solve allocates nothing.
  void reserve(Index n) {
    for (Buffer<D, float>* vector : {&r_, &p_, &q_})
      vector->resize_discarding(static_cast<std::size_t>(n));
    sums_.reserve(n);
  }

  template <class Operator, class Gate>
  void solve(const D& exec, const LinearProblem<Operator, Gate>& problem, const SolveLimits& limits,
             Convergence* convergence) {
    reserve(problem.n);
    const detail::GradientState state{
        problem.inverse_diagonal, problem.x,   r_.data(), p_.data(), q_.data(),
        scalars_.data(),          convergence, limits};
    launch(exec, 1, BeginSolve<Gate>{convergence, problem.gate});
    start(exec, problem, state);
    repeat_while(exec, &convergence->loop, limits.iterations, [&](const D& inner) {
      problem.apply(inner, state.p, q_.data());
      sums_.template sums<1>(inner, problem.n, detail::DirectionTimesImage{state},
                             detail::StepLength{state});
      sums_.template sums<2>(inner, problem.n, detail::TakeStep{state},
                             detail::CheckResidual{state});
      launch(inner, problem.n, detail::NextDirection{state});
    });
    launch(exec, 1, EndSolve{convergence});
  }

 private:
  template <class Problem>
  void start(const D& exec, const Problem& problem, const detail::GradientState& state) {
    if (problem.constant_null_space)
      sums_.template sums<2>(exec, problem.n, detail::UsedRows{problem.inverse_diagonal, problem.b},
                             detail::StoreMean{scalars_.data()});
    problem.apply(exec, problem.x, q_.data());
    sums_.template sums<3>(exec, problem.n,
                           detail::FirstResidual{state, problem.b, problem.constant_null_space},
                           detail::CheckFirstResidual{state});
  }

  Buffer<D, float> r_, p_, q_;  // residual, direction, image of the direction
  DeviceSums<D> sums_;
  DeviceValue<D, detail::GradientScalars> scalars_;
};

}  // namespace panta
