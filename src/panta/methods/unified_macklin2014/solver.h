// The solver of Macklin et al. 2014, Algorithm 1: the order of a step. The maths is in substep.h,
// velocities.h and constraints/.
#pragma once

#include "panta/methods/unified_macklin2014/cohesion.h"
#include "panta/methods/unified_macklin2014/columns.h"
#include "panta/methods/unified_macklin2014/constraints/constraint_group_list.h"
#include "panta/methods/unified_macklin2014/constraints/constraint_groups.h"
#include "panta/methods/unified_macklin2014/constraints/contact.h"
#include "panta/methods/unified_macklin2014/constraints/density.h"
#include "panta/methods/unified_macklin2014/constraints/scene_constraints.h"
#include "panta/methods/unified_macklin2014/method.h"
#include "panta/methods/unified_macklin2014/rigid_bodies.h"
#include "panta/methods/unified_macklin2014/velocities.h"
#include "panta/methods/unified_macklin2014/weights.h"
#include "panta/solver/particle_driver.h"
#include "panta/viscosity/implicit_viscosity.h"

namespace panta::unified {

template <class D>
class Method final : public ParticleMethod<D> {
 public:
  explicit Method(StepKit<D>& kit);

  ParticleSetup& setup() override { return setup_; }
  void change(const Scene& scene) override;
  void upload_setup() override;
  void resize(Index slots) override;
  void particles_added(std::size_t first, std::size_t count) override;
  void step() override;
  void evaluate() override;
  void read_out(ParticleFrame& frame) override;

 private:
  // The stages of a step, each enqueued on the device.
  void search();
  void find_weights();
  void solve();
  ConstraintGroupList make_groups();
  void correct_pushes();
  void find_density(const SubstepWalls<D>& walls, float relaxation, const Allowance& allowance,
                    bool looks_only);
  void solve_density(const SubstepCount& now, bool closes);
  void diffuse(const SubstepCount& now);
  void solve_contacts(SubstepCount now, bool closes);
  template <bool Bodies>
  void touch(const SubstepCount& now, const ContactParams& contact, const SubstepWalls<D>& walls,
             const WallContactRule& rule, bool closes);
  void open_bodies();
  RecordedBodyPushes body_pushes();
  SubstepWalls<D> with_bodies(SubstepWalls<D> walls);
  int stabilization_iterations() const;
  void stabilize(int iterations);
  void meet_bodies();
  void damp_sliding();
  void apply_cohesion();
  void change_velocities();
  template <bool Spin>
  void smooth_velocities();
  void confine_vortices();
  void end_step();
  void read_poses(ParticleFrame& frame);
  ParticlePlaces places_now();

  Substep<D> substep(const SubstepCount& now);
  Allowance allowance();
  ContactParams contact_params() const;
  ContactFilter<D> contact_filter() {
    if (!setup_.filtered) return {};
    return {kit_.set.phase(), substances_.data(),
            start_ < 0 ? Field4View<D>{} : kit_.set.columns.vector(start_)};
  }
  SubstepWalls<D> substep_walls(double elapsed);  // of the step
  SubstepWalls<D> substep_walls(const SubstepCount& now) {
    return substep_walls((now.substep + 1.0) / now.substeps);
  }
  WallContactRule wall_rule(double distance) {
    const float substep = 1 / static_cast<float>(setup_.counts.substeps);
    return {kit_.clock(), static_cast<float>(distance * setup_.spacing), substep, substep,
            friction_in_contacts()};
  }
  bool friction_in_contacts() const {
    return setup_.params.friction_model == FrictionModel::positions;
  }
  bool anchors_follow() const {  // those of dry grains
    const Params& p = setup_.params;
    return p.averaging == ContactAveraging::symmetric && p.restitution == 0 && p.cohesion == 0;
  }
  double dt() const { return setup_.params.time_step / setup_.counts.substeps; }
  bool weighted() const { return kit_.mass >= 0; }  // particles have masses of their own
  float* mirrored() { return kit_.walls.have_bodies() ? mirrored_.data() : nullptr; }
  Weights volumes() { return {volumes_.data()}; }
  // f<Weighted>()
  template <class F>
  void choose_form(const F& f) {
    weighted() ? f.template operator()<true>() : f.template operator()<false>();
  }
  RecordsView<D, Record4> candidates() { return {candidates_.data()}; }
  RecordsView<D, Record4> multipliers() { return {multipliers_.data()}; }
  PushFields<D> push_fields() {
    if (!setup_.liquids) return {};
    Particles<D>& columns = kit_.set.columns;
    return {pushed_.view(), columns.vector(push_potential_), columns.vector(push_correction_),
            true};
  }
  RecordsView<D> records() { return {records_.data()}; }

  StepKit<D>& kit_;
  Setup setup_;
  int allowance_ = -1, push_stress_ = -1;  // columns; -1 without liquids
  int push_potential_ = -1, push_correction_ = -1;
  int anchor_ = -1, radius_ = -1;  // without contacts
  int start_ = -1;                 // where particles started; -1 without rest distances
  Field4<D> searched_, began_, landed_, spin_, pushed_;
  Buffer<D, Record4> candidates_, multipliers_;
  Buffer<D, Record8> records_, more_records_;
  Buffer<D, float> density_, mobility_;
  Buffer<D, float> mirrored_;           // empty without bodies
  Buffer<D, float> weights_, volumes_;  // empty unless weighted
  Buffer<D, WallShare> wall_shares_;
  Buffer<D, Vec3> body_pushes_;  // by particle and contact
  DeviceValue<D, Substances> substances_;
  SceneConstraints<> constraints_;
  ConstraintGroups<D> ties_;
  RigidBodies<D> bodies_;
  ConstraintGroupList groups_;
  ImplicitViscosity<D> viscosity_;
};

}  // namespace panta::unified
