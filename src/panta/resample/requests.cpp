#include "panta/resample/requests.h"

#include <cmath>
#include <numeric>
#include <unordered_map>

#include "panta/core/error_format.h"

namespace panta {

namespace {

constexpr std::uint32_t most_children = 64;

// Finds the slots of the named particles and checks that each is named once.
class NamedParticles {
 public:
  NamedParticles(const ResampledParticles& particles, const char* verb)
      : particles_(particles), verb_(verb) {
    for (const std::size_t slot : particles.living) slots_[particles.id[slot]] = slot;
  }

  std::size_t slot(std::uint32_t id) {
    const auto found = slots_.find(id);
    if (found == slots_.end()) refuse(id, "there is no particle with this id");
    const std::size_t at = found->second;
    if (!named_.insert({id, at}).second) refuse(id, "it is named twice");
    if (!particles_.held.empty() && particles_.held[at] != 0)
      refuse(id, "its emitter still moves it");
    if (const Object& object = particles_.objects[object_of(at)]; object.kind == ObjectKind::solid)
      refuse(id, "it is part of the solid '" + object.name + "'");
    return at;
  }

  std::size_t object_of(std::size_t slot) const {
    return particles_.object.empty() ? 0 : particles_.object[slot];
  }

  [[noreturn]] void refuse(std::uint32_t id, const std::string& reason) const {
    throw Error(ErrorKind::usage, "particle {} cannot be {}: {}", id, verb_, reason);
  }

 private:
  const ResampledParticles& particles_;
  const char* verb_;
  std::unordered_map<std::uint32_t, std::size_t> slots_, named_;
};

}  // namespace

SplitTable split_table(const std::vector<SplitRequest>& requests,
                       const ResampledParticles& particles) {
  NamedParticles named(particles, "split");
  SplitTable table{std::vector<std::uint32_t>(particles.id.size(), 1),
                   std::vector<Vec3>(particles.id.size())};
  for (const SplitRequest& request : requests) {
    const std::size_t slot = named.slot(request.id);
    if (request.children < 2 || request.children > most_children)
      named.refuse(request.id, fmt::format("it must have 2 to {} children, not {}", most_children,
                                           request.children));
    const float distance = length(request.offset);
    if (!(distance > 0 && std::isfinite(distance)))
      named.refuse(request.id, "the offset of its children must be finite and not zero");
    if (particles.dimensions == 2 && request.offset.z != 0)
      named.refuse(request.id, "the offset of its children leaves the plane of the 2-D scene");
    table.children[slot] = request.children;
    table.offset[slot] = request.offset;
  }
  return table;
}

std::vector<std::uint32_t> partner_table(const std::vector<MergeRequest>& requests,
                                         const ResampledParticles& particles) {
  NamedParticles named(particles, "merged");
  std::vector<std::uint32_t> partner(particles.id.size());
  std::iota(partner.begin(), partner.end(), 0u);
  for (const auto& [first, second] : requests) {
    const std::size_t a = named.slot(first), b = named.slot(second);
    if (particles.phase[a] != particles.phase[b])
      named.refuse(first, fmt::format("particle {} is of another material", second));
    if (named.object_of(a) != named.object_of(b))
      named.refuse(first, fmt::format("particle {} belongs to another object", second));
    partner[a] = static_cast<std::uint32_t>(b);
    partner[b] = static_cast<std::uint32_t>(a);
  }
  return partner;
}

}  // namespace panta
