#include "panta/geometry/contour_cell.h"

namespace panta {

namespace {

bool is_inside(unsigned inside, int corner) { return inside >> corner & 1; }

}  // namespace

bool is_ambiguous(unsigned inside, int face) {
  const std::array<int, 4> corner = cube_face(face).corner;
  const bool first = is_inside(inside, corner[0]);
  return is_inside(inside, corner[2]) == first && is_inside(inside, corner[1]) != first &&
         is_inside(inside, corner[3]) != first;
}

FacePairs join_on_face(unsigned inside, int face, bool around_outside) {
  const CubeFace around = cube_face(face);
  if (is_ambiguous(inside, face)) {
    // The pairs cut off the first and third corner, or the other two.
    const bool first_and_third = is_inside(inside, around.corner[0]) != around_outside;
    const auto& e = around.edge;
    if (first_and_third) return {{{e[3], e[0]}, {e[1], e[2]}}};
    return {{{e[0], e[1]}, {e[2], e[3]}}};
  }
  std::pair<int, int> crossed{-1, -1};
  for (std::size_t k = 0; k < 4; ++k)
    if (is_inside(inside, around.corner[k]) != is_inside(inside, around.corner[(k + 1) % 4]))
      (crossed.first < 0 ? crossed.first : crossed.second) = around.edge[k];
  return {{crossed, {-1, -1}}};
}

ContourLoops contour_loops(unsigned inside, unsigned around_outside) {
  // An edge lies on two faces and is therefore joined to two other edges.
  std::array<std::array<int, 2>, 12> joined;
  std::array<int, 12> joints{};
  for (int face = 0; face < 6; ++face)
    for (const auto& [a, b] : join_on_face(inside, face, around_outside >> face & 1)) {
      if (a < 0) continue;
      const auto from = static_cast<std::size_t>(a), to = static_cast<std::size_t>(b);
      joined[from][static_cast<std::size_t>(joints[from]++)] = b;
      joined[to][static_cast<std::size_t>(joints[to]++)] = a;
    }
  ContourLoops loops;
  for (std::size_t start = 0; start < 12; ++start) {
    if (joints[start] == 0 || loops.of_edge[start] >= 0) continue;
    auto at = static_cast<int>(start);
    while (at >= 0) {
      const auto edge = static_cast<std::size_t>(at);
      loops.of_edge[edge] = static_cast<std::int8_t>(loops.count);
      at = -1;
      for (const int next : joined[edge])
        if (loops.of_edge[static_cast<std::size_t>(next)] < 0) at = next;
    }
    ++loops.count;
  }
  return loops;
}

}  // namespace panta
