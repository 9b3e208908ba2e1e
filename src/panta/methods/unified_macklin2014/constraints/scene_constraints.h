// The constraints of a scene on the host, entry by entry. A change of the scene makes the
// constraints of new entries; unchanged entries keep their data. Entries made during a run depend
// on the positions at that time, so their constraints are part of the saved state.
#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "panta/core/state.h"
#include "panta/methods/unified_macklin2014/constraints/constraint_lists.h"
#include "panta/methods/unified_macklin2014/constraints/registered.h"

namespace panta::unified {

template <class Types = RegisteredConstraints>
class SceneConstraints;

template <class... T>
class SceneConstraints<ConstraintTypes<T...>> {
 public:
  using Lists = ConstraintLists<ConstraintTypes<T...>>;

  // At the start of a run.
  void set(const std::vector<Constraint>& given, const std::vector<Vec3>& start) {
    const ParticlePlaces places{.start = start};
    entries_.clear();
    for (const Constraint& each : given)
      entries_.push_back({each, made(each, entries_.size(), places)});
  }

  // During a run; find_places() is called where an entry is new. Where it throws, nothing changes.
  // False where all entries stay the same.
  template <class FindPlaces>
  bool change(const std::vector<Constraint>& given, const FindPlaces& find_places) {
    return replace(given, [&, places = ParticlePlaces()](Entry& entry, std::size_t number) mutable {
      if (places.at_start()) places = find_places();
      entry.lists = made(entry.given, number, places);
    });
  }
  // The same before restore(), which gives new entries their constraints.
  void change_before_restore(const std::vector<Constraint>& given) {
    replace(given, [](Entry&, std::size_t) {});
  }

  // All constraints, in the order of the entries.
  Lists all() const {
    Lists lists;
    for (const Entry& entry : entries_) lists.append(entry.lists);
    return lists;
  }

  void save(State& state) const;
  // `start`: where the scene's particles started; `ids`: how many particles there have been. Throws
  // Error(io) for a state of other constraints.
  void restore(const State& state, const std::vector<Vec3>& start, std::size_t ids);

 private:
  struct Entry {
    Constraint given;
    Lists lists = {};
    bool later = false;  // made during the run
  };

  static Lists made(const Constraint& given, std::size_t number, const ParticlePlaces& places) {
    return make_constraint_lists(given, number, places, ConstraintTypes<T...>{});
  }

  template <class Make>
  bool replace(const std::vector<Constraint>& given, Make&& make);

  template <class Type>
  void save_type(State& state) const;
  template <class Type>
  static ConstraintList<Type> saved_list(const State& state, std::size_t ids);
  template <class Type>
  void restore_type(const State& state, const std::vector<std::uint32_t>& numbers, std::size_t ids);

  template <class Type>
  static std::string array_name(const char* what) {
    return std::string("constraints ") + Type::name + " " + what;
  }
  [[noreturn]] static void inconsistent() {
    throw Error(ErrorKind::io,
                std::string("the saved state is inconsistent: it has other constraints"));
  }

  std::vector<Entry> entries_;
};

// Entries of the old list that the new one has too are taken over; make(entry, number) is called
// for others.
template <class... T>
template <class Make>
bool SceneConstraints<ConstraintTypes<T...>>::replace(const std::vector<Constraint>& given,
                                                      Make&& make) {
  std::multimap<std::pair<std::string, std::vector<std::uint32_t>>, std::size_t> old;
  for (std::size_t k = 0; k < entries_.size(); ++k)
    old.insert({{entries_[k].given.type, entries_[k].given.particles}, k});
  std::vector<Entry> entries;
  bool same = given.size() == entries_.size();
  for (const Constraint& each : given) {
    const auto [begin, end] = old.equal_range({each.type, each.particles});
    const auto found = std::find_if(begin, end, [&](const auto& candidate) {
      return same_constraint(entries_[candidate.second].given, each);
    });
    if (found == end) {
      entries.push_back({each, {}, true});
      make(entries.back(), entries.size() - 1);
      same = false;
    } else {
      same = same && found->second == entries.size();
      entries.push_back(entries_[found->second]);
      old.erase(found);
    }
  }
  if (!same) entries_ = std::move(entries);
  return !same;
}

template <class... T>
void SceneConstraints<ConstraintTypes<T...>>::save(State& state) const {
  std::vector<std::uint32_t> numbers;
  for (std::size_t k = 0; k < entries_.size(); ++k)
    if (entries_[k].later) numbers.push_back(static_cast<std::uint32_t>(k));
  if (numbers.empty()) return;
  state.put("constraints added", numbers);
  (save_type<T>(state), ...);
}

// Saves nothing without entries of the type, so that a state does not depend on the registered
// types.
template <class... T>
template <class Type>
void SceneConstraints<ConstraintTypes<T...>>::save_type(State& state) const {
  ConstraintList<Type> list;
  std::vector<std::uint32_t> counts;
  bool has_type = false;
  for (const Entry& entry : entries_) {
    if (!entry.later) continue;
    const auto& its_list = std::get<ConstraintList<Type>>(entry.lists.all);
    list.append(its_list);
    counts.push_back(static_cast<std::uint32_t>(its_list.size()));
    has_type = has_type || entry.given.type == Type::name;
  }
  if (!has_type) return;
  state.put(array_name<Type>("counts"), counts);
  state.put(array_name<Type>("particles"), list.particles);
  state.put(array_name<Type>("data"), list.data);
  state.put(array_name<Type>("softness"), list.softness);
  if constexpr (SummedConstraint<Type>) state.put(array_name<Type>("elements"), list.elements);
}

template <class... T>
void SceneConstraints<ConstraintTypes<T...>>::restore(const State& state,
                                                      const std::vector<Vec3>& start,
                                                      std::size_t ids) {
  std::vector<std::uint32_t> numbers;
  if (state.has("constraints added")) numbers = state.get<std::uint32_t>("constraints added");
  std::vector<char> added(entries_.size());
  for (const std::uint32_t number : numbers) {
    if (number >= entries_.size() || added[number]) inconsistent();
    added[number] = 1;
  }
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    if (entries_[k].later && !added[k])
      entries_[k].lists = made(entries_[k].given, k, {.start = start});
    entries_[k].later = added[k];
  }
  if (!numbers.empty()) (restore_type<T>(state, numbers, ids), ...);
}

template <class... T>
template <class Type>
ConstraintList<Type> SceneConstraints<ConstraintTypes<T...>>::saved_list(const State& state,
                                                                         std::size_t ids) {
  ConstraintList<Type> list;
  list.particles = state.get<std::uint32_t>(array_name<Type>("particles"));
  list.data = state.get<typename Type::Data>(array_name<Type>("data"));
  list.softness = state.get<Softness>(array_name<Type>("softness"));
  if constexpr (SummedConstraint<Type>)
    list.elements = state.get<std::uint32_t>(array_name<Type>("elements"));
  const auto known = [&](std::uint32_t id) { return id < ids; };
  if (!list.consistent() || !std::all_of(list.particles.begin(), list.particles.end(), known))
    inconsistent();
  return list;
}

template <class... T>
template <class Type>
void SceneConstraints<ConstraintTypes<T...>>::restore_type(
    const State& state, const std::vector<std::uint32_t>& numbers, std::size_t ids) {
  const auto has_type = [&](std::uint32_t number) {
    return entries_[number].given.type == Type::name;
  };
  if (!state.has(array_name<Type>("counts"))) {
    if (std::any_of(numbers.begin(), numbers.end(), has_type)) inconsistent();
    return;
  }
  const auto counts = state.get<std::uint32_t>(array_name<Type>("counts"));
  const ConstraintList<Type> saved = saved_list<Type>(state, ids);
  if (counts.size() != numbers.size()) inconsistent();
  std::size_t next = 0, particle = 0;
  for (std::size_t e = 0; e < numbers.size(); ++e) {
    if (counts[e] > saved.size() - next || (counts[e] > 0 && !has_type(numbers[e]))) inconsistent();
    ConstraintList<Type> list;
    for (const std::size_t end = next + counts[e]; next < end; ++next) {
      const std::size_t count = saved.count(next);
      list.add(std::span(saved.particles).subspan(particle, count), saved.data[next],
               saved.softness[next]);
      particle += count;
    }
    entries_[numbers[e]].lists.template of<Type>() = std::move(list);
  }
  if (next != saved.size()) inconsistent();
}

}  // namespace panta::unified
