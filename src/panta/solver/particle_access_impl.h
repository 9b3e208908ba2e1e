// Columns that programs read and write in place, and forces on particles and bodies.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "panta/core/make_exec.h"
#include "panta/particles/standard_columns.h"
#include "panta/solver/particle_driver.h"

namespace panta {

namespace detail {

[[noreturn]] inline void unknown_column(const std::string& name,
                                        const std::vector<ColumnInfo>& known) {
  std::string names;
  for (const ColumnInfo& info : known) names += (names.empty() ? "'" : ", '") + info.name + "'";
  throw Error(ErrorKind::usage, "there is no column '" + name + "': there are " + names);
}

inline void check_masses(const std::vector<float>& masses) {
  for (std::size_t k = 0; k < masses.size(); ++k)
    if (!(masses[k] > 0 && std::isfinite(masses[k])))
      throw Error(ErrorKind::usage, "masses must be finite and greater than 0, value " +
                                        std::to_string(k) + " is " + std::to_string(masses[k]));
}

// order[k]: the slot of the particle with the k-th smallest id.
inline std::vector<std::size_t> slots_by_id(const std::vector<std::uint32_t>& id,
                                            std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
  return order;
}

}  // namespace detail

template <class D>
std::vector<ColumnInfo> ParticleDriver<D>::columns() const {
  std::vector<ColumnInfo> infos;
  for (int handle = 0; handle < kit_.set.columns.count(); ++handle)
    infos.push_back(kit_.set.columns.info(handle));
  return infos;
}

template <class D>
ColumnView ParticleDriver<D>::view(const std::string& name) {
  drop_gone();
  Particles<D>& store = kit_.set.columns;
  const int handle = store.find(name);
  if (handle < 0) detail::unknown_column(name, this->columns());
  ColumnView view;
  view.info = store.info(handle);
  view.device = D::kind;
  view.count = size();
  const bool packed = !view.info.packed_in.empty();
  if (view.info.type == ColumnType::vector || packed) {
    const Field4View<D> field = store.vector(handle);
    view.stride = Field4View<D>::stride;
    for (int k = 0; k < component_count(view.info.type); ++k)
      view.set(k, const_cast<float*>(field.component(packed ? 3 : k)));
  } else if (view.info.type == ColumnType::symmetric) {
    for (int k = 0; k < 6; ++k) view.set(k, store.symmetric(handle).component[k]);
  } else {
    view.set(0, store.words(handle));
  }
  view.follow(version_);
  return view;
}

template <class D>
void ParticleDriver<D>::write(const std::string& name, const std::vector<float>& values) {
  drop_gone();
  Particles<D>& store = kit_.set.columns;
  const bool masses = name == standard_columns::mass().name;
  if (store.find(name) < 0 && !masses) detail::unknown_column(name, this->columns());
  const ColumnInfo info = masses ? standard_columns::mass() : store.info(store.find(name));
  const auto numbers = static_cast<std::size_t>(component_count(info.type));
  if (info.type == ColumnType::word || values.size() != numbers * size())
    throw Error(ErrorKind::usage, "the column '" + name + "' takes " + std::to_string(numbers) +
                                      " floats for each of " + std::to_string(size()) +
                                      " particles, got " + std::to_string(values.size()));
  const auto order = detail::slots_by_id(store.download_words(store.id_handle()), size());
  if (masses) {
    detail::check_masses(values);
    check_solid_masses(values, order);
    declare_masses();
  }
  const int handle = store.find(name);
  if (info.type == ColumnType::vector) {
    auto fields = store.download_vectors(handle);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Vec4 before = fields[order[k]];
      fields[order[k]] = {values[3 * k], values[3 * k + 1], values[3 * k + 2], before.w};
    }
    store.upload_vectors(handle, fields);
  } else {
    for (std::size_t c = 0; c < numbers; ++c) {
      auto scalars = store.download_scalars(handle, static_cast<int>(c));
      for (std::size_t k = 0; k < order.size(); ++k) scalars[order[k]] = values[numbers * k + c];
      store.upload_scalars(handle, scalars, static_cast<int>(c));
    }
  }
  values_written();
}

// A solid has the mass and inertia of its material, so its particles keep their masses. order[k]:
// slot of the particle with the value values[k].
template <class D>
void ParticleDriver<D>::check_solid_masses(const std::vector<float>& values,
                                           const std::vector<std::size_t>& order) {
  constexpr double rounding = 1e-6;
  Particles<D>& store = kit_.set.columns;
  const auto objects = kit_.set.object < 0 ? std::vector<std::uint32_t>(values.size())
                                           : store.download_words(kit_.set.object);
  const auto phase = store.download_words(store.phase_handle());
  const auto id = store.download_words(store.id_handle());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Object& object = objects_[objects[order[k]]];
    const double mass = particle_mass(phase[order[k]]);
    if (object.kind != ObjectKind::solid || std::abs(values[k] - mass) <= rounding * mass) continue;
    throw Error(ErrorKind::usage, "particle " + std::to_string(id[order[k]]) +
                                      " is part of the solid '" + object.name +
                                      "' and has the mass of its material");
  }
}

// Adds the column of masses; a method may need further arrays for it.
template <class D>
void ParticleDriver<D>::declare_masses() {
  if (kit_.mass >= 0) return;
  kit_.mass = kit_.set.columns.declare(standard_columns::mass());
  make_room(kit_.set.columns.size());
}

// Updates the largest speed, which determines the length of the next step.
template <class D>
void ParticleDriver<D>::values_written() {
  Particles<D>& store = kit_.set.columns;
  const auto velocity = store.download_vectors(store.velocity_handle());
  float fastest = kit_.sources.fastest();
  for (std::size_t i = 0; i < size(); ++i) fastest = std::max(fastest, length(velocity[i].xyz()));
  kit_.now.fastest = ordered_bits(fastest);
  kit_.state.set(kit_.now);
}

template <class D>
void ParticleDriver<D>::set_forces(const std::vector<Vec3>& forces) {
  if (kit_.force < 0) {
    kit_.force = kit_.set.columns.declare(standard_columns::force());
    forget_recording();
    arrays_changed();
  }
  std::vector<float> values;
  values.reserve(3 * forces.size());
  for (const Vec3& f : forces) values.insert(values.end(), {f.x, f.y, f.z});
  write(standard_columns::force().name, values);
}

template <class D>
void ParticleDriver<D>::check_body(std::size_t body) const {
  if (body >= kit_.bodies.size())
    throw Error(ErrorKind::usage, "there is no free body " + std::to_string(body) +
                                      ": the scene has " + std::to_string(kit_.bodies.size()));
}

template <class D>
void ParticleDriver<D>::set_body_pose(std::size_t body, const BodyPose& pose) {
  check_body(body);
  kit_.bodies.set_pose(body, pose);
}

template <class D>
void ParticleDriver<D>::set_body_force(std::size_t body, const Vec3d& force, const Vec3d& torque) {
  check_body(body);
  kit_.bodies.set_force(body, force, torque);
}

}  // namespace panta
