// A solver without physics, for tests of the processing of frames.
#pragma once

#include "panta/solver/solver.h"

namespace panta {

// Particles weigh 1 kg, in liquids of 1000 kg/m3. snapshot() has no particles unless overridden.
class StillSolver : public Solver {
 public:
  void advance_to(double until) override { time_ = until; }
  double time() const override { return time_; }
  std::uint64_t steps() const override { return 0; }
  double last_dt() const override { return 0; }
  std::size_t size() const override { return 0; }
  double particle_mass(std::uint32_t) const override { return 1; }
  double rest_density(std::uint32_t) const override { return 1000; }
  double mean_neighbors() override { return 0; }
  ParticleFrame snapshot() override { return {}; }
  std::vector<StageTime> stages() override { return {}; }
  DeviceKind device() const override { return DeviceKind::cpu; }
  int threads() const override { return 1; }
  std::uint64_t emitted() const override { return 0; }
  std::uint64_t removed() const override { return 0; }
  void change(const Scene&) override {}
  void add(const std::vector<Fluid>&) override {}
  void clear(const Shape&) override {}
  void save(State&) override {}
  void restore(const State&) override {}

 private:
  double time_ = 0;
};

}  // namespace panta
