// Particles and constraints alone: predicts, solves and ends substeps like the solver, on separate
// arrays. Before every step the particles change their slots.
#pragma once

#include <limits>

#include "panta/methods/unified_macklin2014/constraints/constraint_groups.h"
#include "support.h"

namespace panta::test {

inline constexpr double unmovable = std::numeric_limits<double>::infinity();  // kg

template <class Types = unified::RegisteredConstraints>
class ConstraintWorld {
 public:
  Vec3 gravity;
  unified::SubstepCount counts;
  unified::Relaxation relaxation;
  Vec3 period;
  D exec = executor();

  // Returns its id.
  std::uint32_t add(const Vec3& x, double mass = 1, const Vec3& v = {}) {
    std::uint32_t phase = 0;
    while (phase < masses_.size() && masses_[phase] != mass) ++phase;
    if (phase == masses_.size()) masses_.push_back(mass);
    const auto id = static_cast<std::uint32_t>(x_.size());
    order_.push_back(id);
    phase_.push_back(phase);
    x_.push_back(x);
    v_.push_back(v);
    return id;
  }
  void remove(std::uint32_t id) { std::erase(order_, id); }

  unified::ConstraintLists<Types> lists;
  unified::ConstraintGroups<D, Types> groups;

  // Call after all particles and constraints were added.
  void begin() {
    groups.set(lists);
    unified::Substances substances;
    for (std::size_t k = 0; k < masses_.size(); ++k)
      substances.mass[k] = static_cast<float>(masses_[k]);
    substances_.set(substances);
  }

  void step(double dt) {
    rotate();
    state_.dt = dt;
    upload();
    const Index n = static_cast<Index>(order_.size());
    groups.locate(exec, ids_.data(), n, living_.data(), masses());
    launch(exec, n, unified::BeginFirstSubstep<D>{substep(), living_.data()});
    for (counts.substep = 0; counts.substep < counts.substeps; ++counts.substep) {
      for (counts.iteration = 0; counts.iteration < counts.iterations; ++counts.iteration)
        groups.solve(exec, substep(), Periodicity::of(period), relaxation);
      launch(exec, n, unified::CloseSubstep<D>{substep(), living_.data()});
    }
    exec.synchronize();
    download();
    state_.time += dt;
  }
  void run(double duration, double dt) {
    for (int k = 0; k < static_cast<int>(duration / dt + 0.5); ++k) step(dt);
  }

  // One iteration with candidates at the particles' positions; moves the particles there.
  void project() {
    rotate();
    state_.dt = 1;
    upload();
    const Index n = static_cast<Index>(order_.size());
    groups.locate(exec, ids_.data(), n, living_.data(), masses());
    counts.iteration = 0;
    groups.solve(exec, substep(), Periodicity::of(period), relaxation);
    exec.synchronize();
    const std::vector<Record4> moved = candidates_.download();
    for (std::size_t i = 0; i < order_.size(); ++i) {
      x_[order_[i]] = moved[i].first.xyz();
      EXPECT_EQ(moved[i].first.w, static_cast<float>(order_[i]));
    }
  }

  const Vec3& x(std::uint32_t id) const { return x_[id]; }
  const Vec3& v(std::uint32_t id) const { return v_[id]; }
  double mass(std::uint32_t id) const { return masses_[phase_[id]]; }
  double time() const { return state_.time; }
  void set_time(double time) { state_.time = time; }
  void close_gate() { state_.closed = StepState::at_end; }
  std::size_t size() const { return order_.size(); }
  const std::vector<Vec3>& positions() const { return x_; }

  Vec3d momentum() const {
    Vec3d sum;
    for (const std::uint32_t id : order_) sum += to_double(v_[id]) * mass(id);
    return sum;
  }

 private:
  void rotate() {
    if (!order_.empty()) std::rotate(order_.begin(), order_.begin() + 1, order_.end());
  }

  void upload() {
    const std::size_t n = order_.size();
    std::vector<Vec4> x, v;
    std::vector<std::uint32_t> phases, held;
    std::vector<Record4> candidates;
    for (const std::uint32_t id : order_) {
      const Vec3 &at = x_[id], &speed = v_[id];
      x.push_back({at.x, at.y, at.z, 0});
      v.push_back({speed.x, speed.y, speed.z, 0});
      candidates.push_back({{at.x, at.y, at.z, static_cast<float>(id)}});
      phases.push_back(phase_[id]);
      held.push_back(mass(id) == unmovable);
    }
    position_.resize(n);
    velocity_.resize(n);
    position_.upload(0, x);
    velocity_.upload(0, v);
    candidates_.upload(candidates);
    ids_.upload(order_);
    phases_.upload(phases);
    held_.upload(held);
    device_state_.set(state_);
    living_.set(static_cast<std::uint32_t>(n));
  }

  void download() {
    const std::vector<Vec4> x = position_.download(), v = velocity_.download();
    for (std::size_t i = 0; i < order_.size(); ++i) {
      x_[order_[i]] = x[i].xyz();
      v_[order_[i]] = v[i].xyz();
    }
  }

  unified::InverseMasses masses() {
    return {{substances_.data()->mass, phases_.data()}, held_.data()};
  }

  unified::Substep<D> substep() {
    return {.gate = {device_state_.data()},
            .counts = counts,
            .position = position_.view(),
            .velocity = velocity_.view(),
            .candidates = {candidates_.data()},
            .surroundings = {gravity},
            .limits = {},
            .held = held_.data()};
  }

  std::vector<double> masses_;        // by phase
  std::vector<std::uint32_t> order_;  // ids by slot
  std::vector<std::uint32_t> phase_;  // by id
  std::vector<Vec3> x_, v_;           // by id
  StepState state_;
  Field4<D> position_, velocity_;
  Buffer<D, Record4> candidates_;
  Buffer<D, std::uint32_t> ids_, phases_, held_;
  DeviceValue<D, StepState> device_state_;
  DeviceValue<D, std::uint32_t> living_;
  DeviceValue<D, unified::Substances> substances_;
};

}  // namespace panta::test
