// The elements of constraints of a SummedConstraint, laid out for a device.
#pragma once

#include <cstdint>
#include <vector>

namespace panta::unified {

// The first member and the first element of a constraint.
struct ElementRange {
  std::uint32_t member = 0, element = 0;
};

struct ElementLayout {
  std::vector<ElementRange> ranges;            // of each constraint, and where the last one ends
  std::vector<std::uint32_t> members;          // ids: each particle of a constraint once, rising
  std::vector<std::uint32_t> corners;          // of each element in turn: which members
  std::vector<std::uint32_t> begins, entries;  // the corners that each member is (Incidence)
  std::uint32_t most_elements = 0;             // of a constraint
};

// `particles`: ids, `element_size` of each element in turn; `elements`: how many each constraint
// has.
ElementLayout lay_out_elements(const std::vector<std::uint32_t>& particles,
                               const std::vector<std::uint32_t>& elements, int element_size);

}  // namespace panta::unified
