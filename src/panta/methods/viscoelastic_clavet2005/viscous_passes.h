// Viscosity that is more than one explicit pass over the neighbours carries, spread over several.
// L: what viscosity does to velocities in a step, to first order.
//
//   equal     y_j = (1 + L/s) y_{j-1}: carries s times what one pass does. What approaches never
//             bounces, so this is for the paper's viscosity, which acts on what approaches only.
//   Legendre  y_1 = (1 + w L) y_0,  w = 2/(s^2 + s),
//             y_j = (2j-1)/j (1 + w L) y_{j-1} - (j-1)/j y_{j-2}: carries (s^2 + s)/2 times as
//             much. y_s = P_s(1 + w L) y_0, with the s-th Legendre polynomial; 1 + w L has its
//             spectrum between 0 and 1, where |P_s| <= 1, and the slope of P_s at 1 is 1/w, which
//             makes it right to first order (Meyer, Balsara and Aslam 2014, scheme RKL1). The
//             strongest modes are left with a fraction of their speed, of either sign. For kappa,
//             of which L is linear.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace panta::viscoelastic {

inline constexpr int most_viscous_passes = 8;

// y = own (1 + part L) y_{j-1} + before y_{j-2}.
struct ViscousPass {
  float part = 1, own = 1, before = 0;
};

struct ViscousPasses {
  std::vector<ViscousPass> list;
  double carries = 1;  // times what one pass does
};

inline ViscousPasses equal_passes(double times) {
  const int s = static_cast<int>(std::clamp(std::ceil(times), 1.0, double(most_viscous_passes)));
  const ViscousPass each{1 / static_cast<float>(s), 1, 0};
  return {std::vector<ViscousPass>(static_cast<std::size_t>(s), each), double(s)};
}

inline ViscousPasses legendre_passes(double times) {
  const double wanted = std::ceil(0.5 * (std::sqrt(1 + 8 * times) - 1) - 1e-9);
  const int s = static_cast<int>(std::clamp(wanted, 1.0, double(most_viscous_passes)));
  const double carries = 0.5 * s * (s + 1);
  ViscousPasses passes{{}, carries};
  for (int j = 1; j <= s; ++j)
    passes.list.push_back({static_cast<float>(1 / carries), static_cast<float>(2 * j - 1) / j,
                           static_cast<float>(1 - j) / j});
  return passes;
}

}  // namespace panta::viscoelastic
