#include "panta/validation/study.h"

#include <algorithm>

#include "panta/validation/container_studies.h"
#include "panta/validation/method_studies.h"
#include "panta/validation/sph_studies.h"
#include "panta/validation/unified_studies.h"

namespace panta {

namespace {

using MethodStudy = StudyResult (*)(const std::string& method, const DeviceOptions&, StudySize);

// The same study for several methods.
void add_for(const std::vector<std::string>& methods, std::vector<Study>& all,
             const std::string& what, MethodStudy study) {
  for (const std::string& method : methods)
    all.push_back({method + "/" + what, [=](const DeviceOptions& options, StudySize size) {
                     return study(method, options, size);
                   }});
}

std::vector<Study> list_of_studies() {
  std::vector<Study> all = {
      {"sph/momentum", validation::sph_momentum},
      {"sph/dissipation", validation::sph_viscosity},
      {"sph/hydrostatic", validation::sph_hydrostatic},
      {"sph/poiseuille", validation::sph_poiseuille},
      {"sph/couette", validation::sph_couette},
      {"sph/taylor_green", validation::sph_taylor_green},
      {"sph/drop", validation::sph_drop},
      {"sph/laplace", validation::sph_laplace},
      {"sph/dam_break", validation::sph_dam_break},
      {"unified/repose", validation::unified_repose},
      {"unified/grains", validation::unified_grains},
      {"unified/stack", validation::unified_stack},
      {"unified/spin", validation::unified_spin},
      {"unified/floating", validation::unified_floating},
      {"unified/tank", validation::unified_tank},
      {"unified/ramp", validation::unified_ramp},
      {"unified/dam_break", validation::unified_dam_break},
      {"unified/two_liquids", validation::unified_two_liquids},
      {"containers/glass", validation::leaks_of_glass},
      {"containers/jug", validation::leaks_of_jug},
      {"containers/box", validation::leaks_of_box},
      {"containers/resolution", validation::probes_converge},
  };
  const std::vector<std::string> inviscid = {"sph", "unified"};
  const std::vector<std::string> every = {"sph", "unified", "viscoelastic"};
  add_for(every, all, "bodies", validation::bodies_in_tanks);
  add_for(every, all, "rest", validation::liquid_at_rest);
  add_for(every, all, "resolution", validation::any_spacing);
  add_for(inviscid, all, "impact", validation::impact);
  add_for(inviscid, all, "waves", validation::waves);
  add_for(inviscid, all, "rayleigh_taylor", validation::rayleigh_taylor);
  add_for(every, all, "viscosity", validation::thick_liquids);
  return all;
}

}  // namespace

const std::vector<Study>& studies() {
  static const std::vector<Study> all = list_of_studies();
  return all;
}

double interpolate(const std::vector<double>& x, const std::vector<double>& y, double at) {
  if (at <= x.front()) return y.front();
  if (at >= x.back()) return y.back();
  const std::size_t k =
      static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
  const double w = (at - x[k - 1]) / (x[k] - x[k - 1]);
  return y[k - 1] + w * (y[k] - y[k - 1]);
}

double fitted_slope(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = double(x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < x.size(); ++k)
    sx += x[k], sy += y[k], sxx += x[k] * x[k], sxy += x[k] * y[k];
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace panta
