// The clock of a simulation. It is in device memory: a step needs no data from the host.
//
// A step that cannot be completed (an array is too short, a position is not finite) changes only
// flags, so that it can be repeated. A kernel that finds an array too short requests room
// (RoomRequest); then the host enlarges the array and the step is repeated.
#pragma once

#include <cmath>
#include <cstdint>

#include "panta/core/atomics.h"
#include "panta/core/exec.h"
#include "panta/core/macros.h"

namespace panta {

struct StepState {
  static constexpr int max_rooms = 8;

  double time = 0, until = 0;
  double dt = 0, dt_before = 0;
  std::uint64_t steps = 0;
  std::uint32_t closed = 0;                // not 0: the current step changes nothing; bits below
  std::uint32_t completed = 0;             // the last step was completed
  std::uint32_t invalid = 0;               // 1 + a particle whose position is not finite
  std::uint32_t fastest = 0, hardest = 0;  // |v|max and |a|max of the last step, as ordered bits
  std::uint32_t now_fastest = 0, now_hardest = 0;  // of the step being made
  std::uint32_t needed[max_rooms] = {};            // by array: the length that a step requested

  // Bits of `closed`.
  static constexpr std::uint32_t at_end = 1;  // time has reached `until`
  PANTA_HD static constexpr std::uint32_t lacks_room(int room) { return 2u << room; }
};

// Whether the current step is valid. Kernels that change particles check this first.
struct StepGate {
  const StepState* state = nullptr;

  PANTA_HD bool closed() const { return state->closed || state->invalid; }
  // The same for a kernel that finds out itself how much room it needs: it runs to the end.
  PANTA_HD bool closed_but_for(int room) const {
    return (atomic_load(&state->closed) & ~StepState::lacks_room(room)) || state->invalid;
  }
};

// Request of a kernel for a longer array. `room` is the array's number (StepKit::add_room).
struct RoomRequest {
  StepState* state = nullptr;
  int room = 0;

  PANTA_HD void ask(std::uint32_t needed) const {
    atomic_maximum(&state->needed[room], needed);
    atomic_or(&state->closed, StepState::lacks_room(room));
  }
};

// Begins a step of about the length limits.choose(|v|max, |a|max), such that an integer number of
// equal steps ends on the frame; runs once per step.
template <class Limits>
struct PlanStep {
  StepState* state;
  Limits limits;

  PANTA_HD void operator()(Index) const {
    StepState& s = *state;
    const double left = s.until - s.time;
    s.closed = left <= 0 ? StepState::at_end : 0;
    s.completed = 0;
    if (s.closed || s.invalid) return;
    const double dt = limits.choose(from_ordered_bits(s.fastest), from_ordered_bits(s.hardest));
    const double steps = ceil(left / dt * (1 - 1e-9));
    s.dt = steps <= 1 ? left : left / steps;
    s.now_fastest = s.now_hardest = 0;
  }
};

// The time between two neighbour searches: the requested length, but so short that no particle
// moves farther than `travel` from the place where neighbours and walls were searched. A lower
// limit prevents a few fast particles from slowing down the whole simulation.
struct StepByTravel {
  double length = 0, least = 0;  // s
  double travel = 0;             // m; 0: any

  PANTA_HD double choose(double fastest, double) const {
    if (!(travel > 0) || !(fastest * length > travel)) return length;
    const double wanted = travel / fastest;
    return wanted > least ? wanted : least;
  }
};

// Advances the clock if the step was completed; runs once per step.
struct FinishStep {
  StepState* state;

  PANTA_HD void operator()(Index) const {
    StepState& s = *state;
    if (s.closed || s.invalid) return;
    // The last step of a frame ends exactly on it.
    s.time = s.until - s.time <= s.dt * (1 + 1e-9) ? s.until : s.time + s.dt;
    s.dt_before = s.dt;
    s.fastest = s.now_fastest;
    s.hardest = s.now_hardest;
    s.completed = 1;
    ++s.steps;
  }
};

}  // namespace panta
