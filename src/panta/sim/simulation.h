// A running simulation, whatever its method and device. The whole interface an embedding program
// needs:
//
//   panta::Scene scene = ...;
//   auto sim = panta::make_simulation(scene, {});
//   sim->advance(1.0 / 60);
//   panta::ParticleFrame frame = sim->snapshot();
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "panta/bodies/body_pose.h"
#include "panta/core/exec.h"
#include "panta/core/log.h"
#include "panta/core/vec.h"
#include "panta/scene/constraint_info.h"
#include "panta/scene/scene.h"
#include "panta/sim/contacts.h"
#include "panta/sim/state.h"

namespace panta {

struct DeviceOptions {
  std::string device = "auto";  // auto, cpu or cuda
  int threads = 0;              // CPU threads; 0: all cores
  bool profile = false;         // time the stages of each step (slows the GPU a little)
};

// Particles copied to the host, ordered by id.
struct ParticleFrame {
  double time = 0;
  std::vector<std::uint32_t> id;
  std::vector<std::uint32_t> phase;  // index into Scene::materials
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;  // at the frame's time
  std::vector<float> density;
  std::vector<float> pressure;
  std::vector<Vec3> normal;      // outward on surface particles, zero elsewhere
  std::vector<BodyPose> bodies;  // of those of Scene::bodies that are free, in their order
  std::size_t size() const { return id.size(); }
};

struct StageTime {
  std::string name;
  double ms = 0;  // total since the last call
};

// Positions where the simulation keeps them: component k of particle i is at
// component[k][i * stride]. Valid until the next advance; particles are in cell order, not id
// order.
struct PositionPointers {
  DeviceKind device = DeviceKind::cpu;
  const float* component[3] = {};
  std::size_t stride = 1;
  std::size_t count = 0;
};

// Something a method counts, in stats.jsonl under its name.
struct Counter {
  std::string name;
  std::uint64_t value = 0;
};

class Simulation {
 public:
  virtual ~Simulation() = default;

  // Steps until exactly `until` (s); throws Error(simulation) on NaN or explosion.
  virtual void advance(double until) = 0;

  virtual double time() const = 0;
  virtual std::uint64_t steps() const = 0;
  virtual double last_dt() const = 0;
  virtual std::size_t size() const = 0;
  virtual double particle_mass(std::uint32_t phase) const = 0;
  virtual double rest_density(std::uint32_t phase) const = 0;
  virtual double mean_neighbors() = 0;
  virtual ParticleFrame snapshot() = 0;
  // What touches what and what is inside triggers, as the particles are now; found on the host when
  // it is asked for, which costs about as much as a snapshot and a search.
  virtual ContactFrame contacts() = 0;
  virtual std::vector<StageTime> stages() = 0;
  virtual PositionPointers positions() = 0;
  virtual DeviceKind device() const = 0;
  virtual int threads() const = 0;

  // Particles that emitters have made and that sinks or clear() have taken since the start.
  virtual std::uint64_t emitted() const = 0;
  virtual std::uint64_t removed() const = 0;
  virtual std::vector<Counter> counters() { return {}; }

  // What a timeline does between two advances: other values for everything in the scene that is no
  // particle (Error(usage) for what cannot change: spacing, dimensions, method, periods, number of
  // emitters), more fluid, less fluid.
  virtual void change(const Scene& scene) = 0;
  virtual void add(const std::vector<Fluid>& fluids) = 0;
  virtual void clear(const Shape& region) = 0;

  // All that the next step depends on; neither changes the result. A state may be restored into a
  // simulation of the same scene on another device or with another number of threads.
  virtual void save(State& state) = 0;
  virtual void restore(const State& state) = 0;
};

// Builds the scene's method on the chosen device. Throws Error(usage) for what the method cannot do
// and Error(device) for a missing GPU or too little memory.
std::unique_ptr<Simulation> make_simulation(const Scene& scene, const DeviceOptions& options,
                                            const Log& log = Log(LogLevel::warning));

// The methods by their scene names, with their parameters.
struct MethodInfo {
  std::string name;
  std::string title;
  std::vector<ParameterInfo> parameters;
  double (*memory_per_particle)(const Scene&);                 // bytes on the device
  std::vector<ConstraintInfo> constraints = {};                // types between named particles
  bool liquids_only = false;                                   // neither grains nor free solids
  std::vector<std::string> (*advice)(const Scene&) = nullptr;  // about a scene, before it is run
  bool free_bodies = false;                                    // moves Scene::bodies that are free
};
const std::vector<MethodInfo>& methods();

// Error(usage) where the scene holds what its method does not know.
void check_contents(const Scene& scene);

// The name of the processor or GPU, for reports; empty if there is none.
std::string describe_device(DeviceKind kind);

// Bytes that can still be allocated there; 0 if there is no such device.
double free_memory(DeviceKind kind);

// True if this binary was built with CUDA and a usable GPU is present; `why` says what is missing.
bool cuda_available(std::string* why = nullptr);

// The device that auto, cpu or cuda names. Error(usage) for other names, Error(device) where CUDA
// is asked for and missing.
DeviceKind choose_device(const std::string& name);

// What a probe measured: one number, or three of a vector; none where there was nothing to measure.
struct ProbeValue {
  std::string name;
  std::vector<double> value;
};

// Quantities of one frame, computed on the host in double from particles in id order, so that they
// are the same bit for bit for any thread count.
struct FrameStats {
  double time = 0;
  std::uint64_t steps = 0;
  double dt = 0;
  std::size_t particles = 0;
  double mass = 0;
  Vec3d momentum, angular_momentum, center_of_mass;
  double kinetic_energy = 0, potential_energy = 0;
  double max_speed = 0;
  double density_error_mean = 0, density_error_max = 0;  // of max(0, rho/rho0 - 1)
  std::uint64_t emitted = 0, removed = 0;                // particles since the start
  std::vector<Counter> counters;                         // of the method
  std::vector<ProbeValue> probes;
};
FrameStats compute_stats(const Simulation& sim, const ParticleFrame& frame, const Vec3d& gravity);

}  // namespace panta
