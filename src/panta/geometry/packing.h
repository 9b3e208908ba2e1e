// Lattices of particles.
#pragma once

namespace panta {

enum class Packing {
  cubic,
  hexagonal,  // close packing with the same density: neighbours are 2^(1/6) spacings apart
};

}  // namespace panta
