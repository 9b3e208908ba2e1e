// Sums over the neighbours in a cubic (square) lattice, on the host.
#pragma once

#include <cmath>

namespace panta {

// visit(x, y, z, r) for all nearer than h.
template <class Visit>
void each_in_lattice(double h, double spacing, int dimensions, const Visit& visit) {
  const int reach = static_cast<int>(std::ceil(h / spacing)), flat = dimensions == 3 ? reach : 0;
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      for (int z = -flat; z <= flat; ++z) {
        const double r = spacing * std::sqrt(double(x * x + y * y + z * z));
        if (r > 0 && r < h) visit(x * spacing, y * spacing, z * spacing, r);
      }
}

}  // namespace panta
