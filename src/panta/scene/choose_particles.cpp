#include "panta/scene/choose_particles.h"

#include <algorithm>
#include <iterator>

#include "panta/core/error_format.h"
#include "panta/geometry/point_grid.h"

namespace panta {
namespace {

constexpr std::size_t most_pairs = 200'000'000;
constexpr double rounding = 1e-4;  // relative to 'nearest': tolerance for lattice neighbours

std::vector<std::uint32_t> starting_inside(const Shape& shape, const std::vector<Vec3>& start) {
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < start.size(); ++i)
    if (shape.empty() || distance(shape, start[i]).value < 0)
      ids.push_back(static_cast<std::uint32_t>(i));
  return ids;
}

std::vector<std::uint32_t> near_pairs(const Constraint& constraint,
                                      const std::vector<Vec3>& start) {
  const std::vector<std::uint32_t> inside = starting_inside(constraint.within, start);
  const double reach = constraint.nearest * (1 + rounding);
  PointGrid grid(reach, 3);
  for (const std::uint32_t id : inside) grid.add(start[id], id);
  std::vector<std::uint32_t> pairs, others;
  for (const std::uint32_t id : inside) {
    others.clear();
    grid.any_within(start[id], reach, [&](std::uint32_t other) {
      if (other > id) others.push_back(other);
      return false;
    });
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    for (const std::uint32_t other : others) pairs.insert(pairs.end(), {id, other});
    if (pairs.size() / 2 > most_pairs)
      throw Error(ErrorKind::usage, "'nearest' {} m ties more than {} pairs: use a smaller one",
                  constraint.nearest, most_pairs);
  }
  return pairs;
}

// `part`: the name of the constraint or element that has `size` of them.
void check_named(const std::vector<std::uint32_t>& ids, std::size_t size, const char* part,
                 std::size_t there) {
  if (ids.size() % size != 0)
    throw Error(ErrorKind::usage, "'particles' must name {} for each {}, got {} in all", size, part,
                ids.size());
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (ids[k] >= there)
      throw Error(ErrorKind::usage, "there is no particle {}: there have been {}, counted from 0",
                  ids[k], there);
    for (std::size_t other = k - k % size; other < k; ++other)
      if (ids[other] == ids[k])
        throw Error(ErrorKind::usage, "particle {} is named twice in one {}", ids[k], part);
  }
}

bool same_node(const ShapeNode& a, const ShapeNode& b) {
  return a.op == b.op && a.inside_out == b.inside_out && a.grid == b.grid && a.amount == b.amount &&
         a.size == b.size && a.center == b.center &&
         std::equal(std::begin(a.rotation.row), std::end(a.rotation.row),
                    std::begin(b.rotation.row));
}

bool same_shape(const Shape& a, const Shape& b) {
  return std::equal(a.nodes().begin(), a.nodes().end(), b.nodes().begin(), b.nodes().end(),
                    same_node) &&
         a.grids() == b.grids();
}

}  // namespace

bool same_constraint(const Constraint& a, const Constraint& b) {
  return a.type == b.type && a.particles == b.particles && a.nearest == b.nearest &&
         a.parameters == b.parameters && same_shape(a.within, b.within);
}

std::vector<std::uint32_t> chosen_particles(const Constraint& constraint, int size,
                                            const std::vector<Vec3>& start) {
  if (!constraint.particles.empty()) {
    check_named(constraint.particles, static_cast<std::size_t>(size), "constraint", start.size());
    return constraint.particles;
  }
  if (size > 2)
    throw Error(ErrorKind::usage, "'particles' must name the {} particles of each constraint",
                size);
  if (size == 1 && constraint.within.empty())
    throw Error(ErrorKind::usage, "needs 'particles' or 'within' to know which particles it ties");
  if (size == 2 && !(constraint.nearest > 0))
    throw Error(ErrorKind::usage, "needs 'particles' or 'nearest' to know which particles it ties");
  std::vector<std::uint32_t> ids =
      size == 1 ? starting_inside(constraint.within, start) : near_pairs(constraint, start);
  if (ids.empty())
    throw Error(ErrorKind::usage, "ties no particle: {}",
                size == 1 ? "none starts inside 'within'"
                          : "no two start within 'nearest' of each other; use a larger one");
  return ids;
}

std::vector<std::uint32_t> chosen_elements(const Constraint& constraint, int size,
                                           const char* element, std::size_t there) {
  if (!constraint.within.empty() || constraint.nearest > 0)
    throw Error(ErrorKind::usage,
                "'within' and 'nearest' do not apply: 'particles' must name the {} of each {}",
                size, element);
  if (constraint.particles.empty())
    throw Error(ErrorKind::usage, "'particles' must name the {} particles of each {}", size,
                element);
  check_named(constraint.particles, static_cast<std::size_t>(size), element, there);
  return constraint.particles;
}

std::string particle_names(const std::uint32_t* ids, int count) {
  std::string text = count == 1 ? "particle " : "particles ";
  for (int k = 0; k < count; ++k)
    text += (k == 0 ? "" : k + 1 == count ? " and " : ", ") + std::to_string(ids[k]);
  return text;
}

}  // namespace panta
