// The data and functions for the steps of a method. A method stores a reference to the kit,
// declares its columns in it, and enqueues its steps with it; ParticleDriver does the rest (time,
// repeats, frames, changes of the scene, saving and restoring).
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "panta/bodies/free_bodies.h"
#include "panta/core/stopwatch.h"
#include "panta/fields/surroundings.h"
#include "panta/linear/convergence.h"
#include "panta/neighbors/pair_sum.h"
#include "panta/particles/particle_mass.h"
#include "panta/resample/resampler.h"
#include "panta/scene/sample_solids.h"
#include "panta/solver/leave_step.h"
#include "panta/solver/particle_forces.h"
#include "panta/solver/particle_set.h"
#include "panta/solver/particle_setup.h"
#include "panta/sources/sources.h"
#include "panta/step/step_state.h"
#include "panta/walls/keep_outside.h"
#include "panta/walls/walls.h"

namespace panta {

// Data of a method that are saved besides the columns. `kept`: the saved particles, by slot.
struct SavedPart {
  std::function<void(State&, const std::vector<std::size_t>& kept)> save;
  std::function<void(const State&)> restore;
};

template <class D>
class StepKit {
 public:
  StepKit(const Scene& the_scene, const D& the_exec) : exec(the_exec), scene(the_scene) {}
  StepKit(const StepKit&) = delete;
  StepKit& operator=(const StepKit&) = delete;

  D exec;
  Scene scene;
  SolidParticles solids;                 // in the initial state
  SampledParticles start;                // all particles in the initial state
  ParticleSet<D> set;                    // the particles of the scene
  std::deque<ParticleSet<D>> more_sets;  // additional sets, created in the method's constructor
  Walls<D> walls;
  Sources<D> sources;
  FreeBodies<D> bodies;
  Buffer<D, ForceField> fields;
  Buffer<D, float> mass_of_phase;  // kg, by material
  int mass = -1;                   // column; -1: particles have the mass of their material
  int force = -1;                  // column of forces that a program sets; -1: none
  DeviceValue<D, StepState> state;
  DeviceValue<D, Convergence> convergence;
  StepState now;  // copy of the clock as last read from the device
  StageTimer<D> timer;
  bool fresh = true;       // the next step is the first one of the run
  bool restoring = false;  // a saved state is restored after the current change of the scene
  const ParticleSetup* setup = nullptr;  // the method's

  std::vector<ColumnInfo> computed;  // columns that the method computes for frames
  std::vector<SavedPart> saved;

  // Declares the columns of the method: those that it stores and those that it computes for frames.
  void declare(const std::vector<ColumnInfo>& columns) {
    for (const ColumnInfo& column : columns)
      if (column.stored)
        set.columns.declare(column);
      else
        computed.push_back(column);
  }

  // Registers an array that may be too short in a step: the host calls `enlarge(needed)`, then the
  // step is repeated. Returns the array's number for RoomRequest.
  int add_room(std::function<void(std::uint32_t needed)> enlarge) {
    if (rooms_.size() == StepState::max_rooms)
      throw Error(ErrorKind::usage, std::string("too many arrays of variable length"));
    rooms_.push_back(std::move(enlarge));
    return static_cast<int>(rooms_.size()) - 1;
  }
  RoomRequest room(int number) { return {state.data(), number}; }
  const std::vector<std::function<void(std::uint32_t)>>& rooms() const { return rooms_; }

  // All sets, the particles of the scene first.
  std::vector<ParticleSet<D>*> sets() {
    std::vector<ParticleSet<D>*> all = {&set};
    for (ParticleSet<D>& further : more_sets) all.push_back(&further);
    return all;
  }

  // The individual masses of particles, kg; null without the column.
  const float* masses() { return mass < 0 ? nullptr : set.columns.scalars(mass); }
  // The mass of each particle; `by_phase`: masses by material.
  ParticleMass mass_of(const float* by_phase) { return {by_phase, set.phase(), masses()}; }
  // Gives new particles the mass of their material.
  void fill_masses() {
    if (mass < 0) return;
    launch(
        exec, set.active(),
        FillMasses{set.columns.scalars(mass), set.phase(), mass_of_phase.data(), set.occupied()});
  }

  StepGate gate() { return {state.data()}; }
  StepState* clock() { return state.data(); }

  Surroundings surroundings() {
    return {setup->gravity, fields.data(), static_cast<int>(fields.size())};
  }

  // Starts a step: plans its length by `limits`, emits particles, sets the poses of walls and free
  // bodies.
  template <class Limits>
  void begin_step(const Limits& limits) {
    timer.start(exec);
    launch(exec, 1, PlanStep<Limits>{clock(), limits});
    sources.begin_step(exec, set.columns, {set.held_by(), set.object_of()}, set.population.data(),
                       clock(), room(slots_room));
    fill_masses();
    walls.update_poses(exec, &clock()->time, &clock()->dt);
    bodies.begin_step(exec, gate(),
                      {.gravity = to_double(setup->gravity),
                       .fields = fields.data(),
                       .field_count = static_cast<int>(fields.size())},
                      walls);
  }

  // Exchanges impulses between particles and free bodies, then solves contacts of bodies with
  // bodies and walls. Particles move in the step from `began` to `landed`, which the coupling
  // corrects.
  void couple_bodies(Field4View<D> began, Field4View<D> landed, const float* mass_of_phase,
                     double radius, double stick_distance = 0, const float* radii = nullptr,
                     int passes = 4) {
    bodies.couple(exec, gate(),
                  {.began = began,
                   .position = landed,
                   .phase = set.phase(),
                   .mass = mass_of(mass_of_phase),
                   .living = set.occupied(),
                   .held = set.held_by(),
                   .radius = static_cast<float>(radius),
                   .count = set.active(),
                   .stick_distance = static_cast<float>(stick_distance),
                   .radii = radii},
                  walls, passes);
    bodies.resolve(exec, gate(), walls);
  }

  OpenBoundaries boundaries() {
    return {.population = set.population.data(),
            .emitters = sources.emitters().specs,
            .held = set.held_by(),
            .sinks = sources.sinks()};
  }
  // The functor that most methods pass to end_step().
  LeaveStep<D> leave_step(const Space& space) {
    return {.gate = gate(),
            .position = set.position(),
            .velocity = set.velocity(),
            .space = space,
            .boundaries = boundaries()};
  }
  // Ends a step: calls `leave(i, magnitudes)` for every particle, which sets the magnitudes |v| and
  // |a|.
  template <class Leave>
  void end_step(const Leave& leave) {
    if (force >= 0)
      launch(exec, set.active(),
             ApplyForces<D>{.gate = gate(),
                            .velocity = set.velocity(),
                            .force = set.columns.vector(force),
                            .mass = mass_of(mass_of_phase.data()),
                            .occupied = set.occupied(),
                            .held = set.held_by()});
    launch_maxima<2>(exec, set.active(), leave, &clock()->now_fastest);
    launch(exec, 1, FinishStep{clock()});
    sources.end_step(exec, clock());
  }

  // Splits and merges particles, see resample/resampler.h. The set must have masses and some_gone.
  // Arrays are by slot.
  void split(const std::uint32_t* children, const Vec3* offset) {
    resampler_.split(exec, resampled(), children, offset);
  }
  void merge(const std::uint32_t* partner) { resampler_.merge(exec, resampled(), partner); }

  // Sums over the neighbours of all particles; `records`: what `body` reads of each particle.
  template <class Records, class Body>
  void sum_over_neighbors(const Records& records, const Body& body) {
    sum_over_lists(exec, records, set.lists.view(), setup->grid.period, body);
  }

  void sort(Field4View<D> by) { set.sort(exec, by, &clock()->invalid); }

  // Moves particles that crossed a wall in the step back outside; `began`: positions at its start.
  void keep_outside(Field4View<D> began, double spacing, double clearance) {
    panta::keep_outside(exec, set.active(),
                        KeepOutside<D>{.walls = walls.moving(),
                                       .touched_by = walls.touched_by(set.phase()),
                                       .began = began,
                                       .position = set.position(),
                                       .velocity = set.velocity(),
                                       .spacing = static_cast<float>(spacing),
                                       .clearance = static_cast<float>(clearance),
                                       .gate = gate(),
                                       .living = set.occupied(),
                                       .held = set.held_by()});
  }

  // Objects are numbered in this order: fluids of the initial scene, emitters, solids.
  std::size_t first_emitter_object() const { return start_fluids_; }
  std::size_t first_solid_object() const { return start_fluids_ + start_emitters_; }

  static constexpr int slots_room = 0, lists_room = 1;  // of the scene's particles

 private:
  ResampledSet<D> resampled() {
    return {.columns = set.columns,
            .population = set.population.data(),
            .mass = mass,
            .active = set.active(),
            .space = setup->space(),
            .gate = gate(),
            .slots = room(slots_room)};
  }

  std::vector<std::function<void(std::uint32_t)>> rooms_;
  Resampler<D> resampler_;
  std::size_t start_fluids_ = scene.fluids.size(), start_emitters_ = scene.emitters.size();
};

}  // namespace panta
