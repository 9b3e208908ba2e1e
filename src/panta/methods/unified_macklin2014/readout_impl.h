// Values for frames: densities at the present positions, pressures.
#pragma once

#include <utility>

#include "panta/methods/unified_macklin2014/solver.h"

namespace panta::unified {

template <class D>
void Method<D>::evaluate() {
  kit_.bodies.place(kit_.exec, kit_.walls);
  launch(kit_.exec, kit_.set.active(), CopyField<D>{kit_.set.position(), searched_.view()});
  if (weighted()) find_weights();
  launch(kit_.exec, kit_.set.active(), PlaceCandidatesAtRest<D>{substep(setup_.counts)});
  const float reach = substep_walls(0).found.h;
  kit_.set.lists.build(kit_.exec, kit_.set.grid.view(), searched_.view(), searched_.view(),
                       kit_.set.active(), true, reach, NoSum{});
  kit_.walls.find_contacts(kit_.exec, searched_.view(), kit_.set.phase(), kit_.set.active(), reach);
  if (!setup_.liquids) return;
  find_density(with_bodies(substep_walls(0)), 1.0f, {kit_.set.columns.scalars(allowance_), 1},
               true);
}

// Start positions and materials of particles.
template <class D>
void Method<D>::particles_added(std::size_t first, std::size_t count) {
  if (start_ < 0) return;
  Particles<D>& columns = kit_.set.columns;
  const auto place = columns.download_vectors(columns.position_handle());
  const auto phase = columns.download_words(columns.phase_handle());
  auto start = columns.download_vectors(start_);
  for (std::size_t i = first; i < first + count; ++i) {
    const Vec3 x = place[i].xyz();
    start[i] = {x.x, x.y, x.z, static_cast<float>(phase[i])};
  }
  columns.upload_vectors(start_, start);
}

// For constraints that a change of the scene adds.
template <class D>
ParticlePlaces Method<D>::places_now() {
  Particles<D>& columns = kit_.set.columns;
  const std::size_t known = kit_.set.counted.next_id, at_start = kit_.start.size();
  ParticlePlaces places{kit_.start.position, kit_.start.position, std::vector<char>(known, 1),
                        kit_.now.time};
  places.start.resize(known);
  places.now.resize(known);
  const auto x = columns.download_vectors(columns.position_handle());
  const auto id = columns.download_words(columns.id_handle());
  for (const std::size_t slot : kit_.set.living()) {
    const std::size_t k = id[slot];
    places.now[k] = x[slot].xyz();
    places.gone[k] = 0;
    if (k >= at_start) places.start[k] = places.now[k];
  }
  return places;
}

// Solids of which no particle is left have no pose.
template <class D>
void Method<D>::read_poses(ParticleFrame& frame) {
  if (bodies_.empty()) return;
  const std::vector<SolidBody>& solids = kit_.solids.bodies;
  const std::size_t first = kit_.first_solid_object();
  std::vector<char> present(frame.objects.size(), frame.find("object") ? 0 : 1);
  for (const std::uint32_t object : std::as_const(frame).words("object")) present[object] = 1;
  const std::vector<RigidShape> shapes = bodies_.shapes();
  const std::vector<RigidState> states = bodies_.states();
  for (std::size_t b = 0; b < solids.size(); ++b)
    if (present[first + b])
      frame.objects[first + b].pose = pose_of(solids[b], shapes[b], states[b]);
}

template <class D>
void Method<D>::read_out(ParticleFrame& frame) {
  read_poses(frame);
  const auto filled = density_.download();
  const auto velocity = kit_.set.columns.download_vectors(kit_.set.columns.velocity_handle());
  const double dt = kit_.now.dt_before;
  const double shortened = dt > 0 ? setup_.params.time_step / dt : 1.0;
  const double per_unit = setup_.pressure_per_unit * shortened * shortened;
  const std::vector<std::uint32_t>& phase = frame.phase();
  std::vector<float>&density = frame.density(), &pressure = frame.pressure();
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const std::uint32_t k = phase[i];
    const float rest = setup_.substances.rest_density[k];
    const bool is_liquid = setup_.substances.kind[k] == MaterialKind::liquid;
    density[i] = is_liquid ? filled[i] * rest : rest;
    const float multiplier = is_liquid ? multiplier_or_contacts(velocity[i]) : 0.0f;
    pressure[i] = static_cast<float>(multiplier * per_unit) * rest * setup_.substances.mobility[k];
  }
}

}  // namespace panta::unified
