// Constraints on the host: for each type the particles it ties, by id, and its data.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "panta/methods/unified_macklin2014/constraints/constraint_type.h"
#include "panta/scene/choose_particles.h"

namespace panta::unified {

template <ConstraintType T>
struct ConstraintList {
  std::vector<std::uint32_t> particles;  // T::size ids of each constraint in turn
  std::vector<typename T::Data> data;
  std::vector<Softness> softness;

  std::size_t size() const { return data.size(); }
  void add(const std::array<std::uint32_t, T::size>& ids, const typename T::Data& its_data,
           const Softness& its_softness = {}) {
    particles.insert(particles.end(), ids.begin(), ids.end());
    data.push_back(its_data);
    softness.push_back(its_softness);
  }
};

template <class Types>
struct ConstraintLists;

template <class... T>
struct ConstraintLists<ConstraintTypes<T...>> {
  std::tuple<ConstraintList<T>...> all;

  template <class Type>
  ConstraintList<Type>& of() {
    return std::get<ConstraintList<Type>>(all);
  }
  bool empty() const {
    return std::apply([](const auto&... list) { return (list.data.empty() && ...); }, all);
  }
};

// Adds what a scene's entry ties, if it is of this type. `start`: where each particle starts, by
// id.
template <ConstraintType T>
void add_from_scene(const Constraint& given, const std::vector<Vec3>& start,
                    ConstraintList<T>& list) {
  if (given.type != T::name) return;
  const auto params = make_parameters<typename T::Params>(given.parameters);
  const std::vector<std::uint32_t> ids = chosen_particles(given, T::size, start);
  for (std::size_t k = 0; k < ids.size(); k += T::size) {
    std::array<std::uint32_t, T::size> members;
    Vec3 places[T::size];
    for (std::size_t m = 0; m < members.size(); ++m) {
      members[m] = ids[k + m];
      places[m] = start[members[m]];
    }
    list.add(members, T::make(params, places), params.softness());
    if constexpr (requires { T::flaw(list.data.back()); })
      if (const char* flaw = T::flaw(list.data.back()))
        throw Error(ErrorKind::usage, particle_names(members.data(), T::size) + " " + flaw);
  }
}

// All of a scene's constraints. Throws Error(usage) for types, parameters and particles that do not
// exist or do not fit.
template <class... T>
ConstraintLists<ConstraintTypes<T...>> make_constraint_lists(const Scene& scene,
                                                             const std::vector<Vec3>& start,
                                                             ConstraintTypes<T...>) {
  ConstraintLists<ConstraintTypes<T...>> lists;
  const std::vector<std::string> names = {T::name...};
  for (std::size_t k = 0; k < scene.constraints.size(); ++k) {
    try {
      check_choice("type", names, scene.constraints[k].type);
      (add_from_scene(scene.constraints[k], start, lists.template of<T>()), ...);
    } catch (const Error& error) {
      throw error.with_context("constraints." + std::to_string(k));
    }
  }
  return lists;
}

}  // namespace panta::unified
