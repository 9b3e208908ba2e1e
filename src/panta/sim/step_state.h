// The clock of a simulation. It lives on the device: a step needs no word from the host.
//
// A step that cannot be completed (lists too short, a position that is not finite) changes nothing
// but the flags, so that it can be done again.
#pragma once

#include <cmath>
#include <cstdint>

#include "panta/core/atomics.h"
#include "panta/core/exec.h"
#include "panta/core/macros.h"

namespace panta {

struct StepState {
  double time = 0, until = 0;
  double dt = 0, dt_before = 0;
  std::uint64_t steps = 0;
  std::uint32_t done = 0;          // nothing to do: time has reached `until`, or no room
  std::uint32_t completed = 0;     // the last step was made
  std::uint32_t invalid = 0;       // 1 + a particle whose position is not finite
  std::uint32_t longest_list = 0;  // beyond capacity: do the step again with more room
  std::uint32_t longest_row = 0;   // the same of what a method keeps in rows of its own
  std::uint32_t row_capacity = 0xffffffffu;
  std::uint32_t fastest = 0, hardest = 0;  // |v|max and |a|max of the last step, as ordered bits
  std::uint32_t now_fastest = 0, now_hardest = 0;  // of the step being made

  PANTA_HD bool rows_too_short() const { return longest_row > row_capacity; }
};

// Opens a step of about the length that limits.choose(|v|max, |a|max) gives, such that a whole
// number of equal ones ends on the frame; runs once per step.
template <class Limits>
struct PlanStep {
  StepState* state;
  Limits limits;

  PANTA_HD void operator()(Index) const {
    StepState& s = *state;
    const double left = s.until - s.time;
    s.done = left <= 0 ? 1 : 0;
    s.completed = 0;
    if (s.done || s.invalid) return;
    const double dt = limits.choose(from_ordered_bits(s.fastest), from_ordered_bits(s.hardest));
    const double steps = ceil(left / dt * (1 - 1e-9));
    s.dt = steps <= 1 ? left : left / steps;
    s.now_fastest = s.now_hardest = 0;
  }
};

// The time between two searches: as wished, but so short that nobody gets far from where neighbours
// and walls were looked for. A few that fly fast do not stop all others: there is a least length.
struct StepByTravel {
  double length = 0, least = 0;  // s
  double travel = 0;             // m; 0: any

  PANTA_HD double choose(double fastest, double) const {
    if (!(travel > 0) || !(fastest * length > travel)) return length;
    const double wanted = travel / fastest;
    return wanted > least ? wanted : least;
  }
};

// Books the step that was made; runs once per step.
struct FinishStep {
  StepState* state;
  const std::uint32_t* longest_list;
  std::uint32_t capacity;

  PANTA_HD void operator()(Index) const {
    StepState& s = *state;
    s.longest_list = *longest_list;
    if (s.done || s.invalid || s.longest_list > capacity || s.rows_too_short()) return;
    // The last step of a frame lands on it exactly.
    s.time = s.until - s.time <= s.dt * (1 + 1e-9) ? s.until : s.time + s.dt;
    s.dt_before = s.dt;
    s.fastest = s.now_fastest;
    s.hardest = s.now_hardest;
    s.completed = 1;
    ++s.steps;
  }
};

// Whether the step being made can be made at all.
struct StepGate {
  const StepState* state;
  const std::uint32_t* longest_list;
  std::uint32_t capacity;

  PANTA_HD bool closed() const { return closed_before_rows() || state->rows_too_short(); }
  // The same for a kernel that finds out how long rows must be.
  PANTA_HD bool closed_before_rows() const {
    return state->done || state->invalid || *longest_list > capacity;
  }
};

}  // namespace panta
