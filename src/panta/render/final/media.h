// The clear medium that a ray is in, where bodies of clear matter overlap.
//
// The surface of a liquid never ends exactly at the wall of its glass: the surfaces overlap or
// leave a gap. Therefore media have ranks, and a ray carries the set of media that it is inside of;
// only the one of highest rank counts (Schmidt and Budge 2002). A surface where this medium does
// not change is ignored: if water extends into the wall of a glass, the ray goes from glass to
// water at the wall. (Gaps are closed beforehand: wetting.h.)
//
// The set is a word with a bit per medium, ordered by rank. A front face means that the ray was
// outside before, a back face that it was inside, whatever the set contains: so errors by holes in
// a surface, or by a camera inside a liquid, do not persist.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "panta/core/error_format.h"
#include "panta/core/vec.h"

namespace panta {

struct Medium {
  float refraction = 1;  // index
  Vec3 absorption = {};  // 1/m
  bool operator==(const Medium&) const = default;
};

using MediaSet = std::uint64_t;

// Change of the set at a surface of the medium with number `medium`.
struct Crossing {
  MediaSet before, after;
  Crossing(MediaSet set, int medium, bool front_face) {
    const MediaSet bit = MediaSet{1} << medium;
    before = front_face ? set & ~bit : set | bit;
    after = front_face ? set | bit : set & ~bit;
  }
};

class MediaTable {
 public:
  static constexpr std::size_t most = 64;

  // Returns the number of the new medium, which outranks all earlier ones. Consecutive bodies of
  // the same matter are one medium; where two of them overlap, both end at the first end.
  int add(const Medium& medium) {
    if (media_.empty() || !(media_.back() == medium)) media_.push_back(medium);
    if (media_.size() > most)
      throw Error(ErrorKind::usage,
                  "the picture has more than {} kinds of clear matter; give some bodies the same "
                  "look or make them solid",
                  most);
    return static_cast<int>(media_.size()) - 1;
  }
  bool empty() const { return media_.empty(); }

  const Medium& at(MediaSet set) const {
    static constexpr Medium air;
    return set == 0 ? air : media_[static_cast<std::size_t>(std::bit_width(set)) - 1];
  }

  // Whether the medium of the ray changes at the crossing.
  static bool is_boundary(const Crossing& c) {
    return std::bit_width(c.before) != std::bit_width(c.after);
  }

 private:
  std::vector<Medium> media_;
};

}  // namespace panta
