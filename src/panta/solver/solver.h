// The interface that a method implements on a device. Programs use Simulation
// (engine/simulation.h), which owns a Solver and documents these functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "panta/core/exec.h"
#include "panta/core/state.h"
#include "panta/frame/frame_stats.h"
#include "panta/frame/particle_frame.h"
#include "panta/linear/convergence_report.h"
#include "panta/resample/requests.h"
#include "panta/scene/scene.h"
#include "panta/solver/column_view.h"
#include "panta/solver/device_options.h"
#include "panta/solver/kept_state.h"

namespace panta {

class Solver {
 public:
  virtual ~Solver() = default;

  virtual void advance_to(double time) = 0;
  virtual double time() const = 0;
  virtual std::uint64_t steps() const = 0;
  virtual double last_dt() const = 0;
  virtual std::size_t size() const = 0;
  virtual double particle_mass(std::uint32_t phase) const = 0;
  virtual double rest_density(std::uint32_t phase) const = 0;
  virtual double mean_neighbors() = 0;
  virtual ParticleFrame snapshot() = 0;
  virtual std::vector<std::string> sets() { return {scene_particles}; }
  virtual ParticleFrame snapshot_of(const std::string& /*set*/) { return snapshot(); }
  virtual std::vector<StageTime> stages() = 0;
  virtual DeviceKind device() const = 0;
  virtual int threads() const = 0;
  virtual std::uint64_t emitted() const = 0;
  virtual std::uint64_t removed() const = 0;
  virtual std::vector<Counter> counters() { return {}; }
  virtual std::optional<ConvergenceReport> convergence() { return {}; }
  virtual void change(const Scene& scene) = 0;
  virtual void add(const std::vector<Fluid>& fluids) = 0;
  virtual void clear(const Shape& region) = 0;
  virtual void split(const std::vector<SplitRequest>& /*requests*/) {}
  virtual void merge(const std::vector<MergeRequest>& /*requests*/) {}
  virtual void save(State& state) = 0;
  virtual void restore(const State& state) = 0;
  virtual std::shared_ptr<const KeptState> keep() { return nullptr; }
  virtual void restore(const KeptState& /*state*/) {}
  virtual void restore_changed(const Scene& scene, const State& state) {
    change(scene);
    restore(state);
  }
  virtual std::vector<ColumnInfo> columns(const std::string& /*set*/) { return {}; }
  virtual ColumnView view(const std::string& /*column*/, const std::string& /*set*/) { return {}; }
  virtual void write(const std::string& /*column*/, const std::vector<float>& /*values*/,
                     const std::string& /*set*/) {}
  virtual void write_words(const std::string& /*column*/,
                           const std::vector<std::uint32_t>& /*values*/,
                           const std::string& /*set*/) {}
  virtual void values_written() {}
  virtual void set_forces(const std::vector<Vec3>& /*forces*/) {}
  virtual void set_body_pose(std::size_t /*body*/, const BodyPose& /*pose*/) {}
  virtual void set_body_force(std::size_t /*body*/, const Vec3d& /*force*/,
                              const Vec3d& /*torque*/) {}
};

}  // namespace panta
