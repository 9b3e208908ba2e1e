// Runs a particle method: time, batches of steps, repeats with more room, frames, added and removed
// particles, changes of the scene, saving and restoring. The method implements the step.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "panta/core/recording.h"
#include "panta/solver/particle_method.h"
#include "panta/solver/solver.h"

namespace panta {

template <class D>
using MakeMethod = std::function<std::unique_ptr<ParticleMethod<D>>(StepKit<D>&)>;

template <class D>
class ParticleDriver final : public Solver {
 public:
  ParticleDriver(const Scene& scene, const DeviceOptions& options, const D& exec,
                 const MakeMethod<D>& make_method);

  void advance_to(double until) override;
  double time() const override { return kit_.now.time; }
  std::uint64_t steps() const override { return kit_.now.steps; }
  double last_dt() const override { return kit_.now.dt_before; }
  std::size_t size() const override { return kit_.set.counted.living(); }
  double particle_mass(std::uint32_t phase) const override {
    return panta::particle_mass(kit_.scene, phase);
  }
  double rest_density(std::uint32_t phase) const override {
    return kit_.scene.materials[phase].density;
  }
  double mean_neighbors() override;
  ParticleFrame snapshot() override;
  std::vector<std::string> sets() override;
  ParticleFrame snapshot_of(const std::string& name) override;
  std::vector<StageTime> stages() override;
  DeviceKind device() const override { return D::kind; }
  int threads() const override;
  std::uint64_t emitted() const override { return kit_.set.counted.emitted; }
  std::uint64_t removed() const override {
    return kit_.set.counted.removed + kit_.set.counted.gone;
  }
  std::vector<Counter> counters() override { return method_->counters(); }
  std::optional<ConvergenceReport> convergence() override;
  void change(const Scene& scene) override { change_to(scene, false); }
  void add(const std::vector<Fluid>& fluids) override;
  void clear(const Shape& region) override;
  void split(const std::vector<SplitRequest>& requests) override;
  void merge(const std::vector<MergeRequest>& requests) override;
  void save(State& state) override;
  void restore(const State& state) override;
  std::shared_ptr<const KeptState> keep() override;
  void restore(const KeptState& state) override;
  void restore_changed(const Scene& scene, const State& state) override;
  std::vector<ColumnInfo> columns(const std::string& set) override;
  ColumnView view(const std::string& name, const std::string& of_set) override;
  void write(const std::string& name, const std::vector<float>& values,
             const std::string& of_set) override;
  void write_words(const std::string& name, const std::vector<std::uint32_t>& values,
                   const std::string& of_set) override;
  void values_written() override;
  void set_forces(const std::vector<Vec3>& forces) override;
  void set_body_pose(std::size_t body, const BodyPose& pose) override;
  void set_body_force(std::size_t body, const Vec3d& force, const Vec3d& torque) override;

 private:
  ParticleSetup& setup() { return method_->setup(); }
  void start_particles();
  void start_set(ParticleSet<D>& set);
  void take_setup();
  void change_to(const Scene& scene, bool restoring);
  Index with_spare(Index particles) const;
  Index slots_for(Index particles) const;
  void make_room(Index slots);
  void make_room_of(ParticleSet<D>& set, Index slots);
  void set_list_capacity(Index longest);
  void forget_recording();
  void drop_gone(ParticleSet<D>& set);
  ParticleSet<D>& find_set(const std::string& name);
  int find_column(ParticleSet<D>& set, const std::string& name);
  void fit_grid(ParticleSet<D>& set);
  void fit_grids();
  bool is_empty();
  std::uint64_t current_copies();
  void swap_copies(std::uint64_t sets);
  void run_steps(int count);
  void check_progress();
  bool enlarge_arrays();
  [[noreturn]] void report_failure();
  void check_solves();
  void save_parts(State& state, const std::vector<std::size_t>& kept);
  void restore_parts(const State& state);
  void clear_requests();
  void reset_solves();
  void evaluate_at_rest();
  void end_readout();
  void check_solid_masses(const std::vector<float>& values, const std::vector<std::size_t>& order);
  void declare_masses();
  ResampledParticles resampled_particles();
  void prepare_resampling();
  void check_body(std::size_t body) const;
  void arrays_changed() { ++*version_; }
  std::vector<BodyPose> read_bodies() const;
  void append(const SampledParticles& particles, std::size_t first_object);

  StepKit<D> kit_;
  std::unique_ptr<ParticleMethod<D>> method_;
  std::vector<Object> objects_;
  std::size_t start_objects_ = 0;  // number of objects of the initial scene
  Buffer<D, Bounds> bounds_scratch_;
  Buffer<D, std::uint32_t> inverse_order_;  // restores the order before evaluate_at_rest()
  Population before_readout_;
  Index sorted_ = 0;  // number of slots
  Recording<D> recording_;
  std::uint64_t swapped_ = 0;  // a bit for each set whose copies a recorded step swaps
  ConvergenceReport report_;   // since the last call of convergence()
  bool warm_ = false;          // every buffer has its final size: the step can be recorded
  bool profile_ = false;
  std::shared_ptr<std::uint64_t> version_ = std::make_shared<std::uint64_t>(0);  // of the arrays
  std::vector<BodyLoads> loads_before_;  // at the start of the last advance
  double time_before_ = 0;
};

// Makes a solver of a method class that is constructed from a StepKit.
template <template <class> class Method, class D>
std::unique_ptr<Solver> make_particle_solver(const Scene& scene, const DeviceOptions& options,
                                             const D& exec) {
  return std::make_unique<ParticleDriver<D>>(
      scene, options, exec, [](StepKit<D>& kit) { return std::make_unique<Method<D>>(kit); });
}

}  // namespace panta
