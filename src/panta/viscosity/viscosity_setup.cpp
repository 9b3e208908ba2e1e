#include "panta/viscosity/viscosity_setup.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "panta/core/error_format.h"
#include "panta/solver/lattice.h"

namespace panta {

namespace {

constexpr std::uint32_t most_iterations = 1000;
constexpr double widest = 2;             // spacings
constexpr double least_distance = 0.25;  // spacings, bounds the lever of layers behind a wall

struct Sums {
  double h, spacing;
  int dimensions;
  double narrow;

  double phi(double r) const {
    const double reach = std::max(1 - r / h, 0.0);
    return reach * (1 - narrow + narrow * reach);
  }
  double moment() const {
    double sum = 0;
    each_in_lattice(h, spacing, dimensions,
                    [&](double, double, double, double r) { sum += phi(r) * r * r; });
    return sum;
  }
  double along_wall(double t, double z) const {  // phi t^2 / r^2 in one direction
    const double r2 = t * t + z * z;
    return phi(std::sqrt(r2)) * t * t / r2 / (dimensions - 1);
  }
  // A layer at the distance z, smeared.
  double layer(double z) const {
    if (z >= h) return 0;
    constexpr int n = 400;
    const double reach = std::sqrt(h * h - z * z), step = reach / n;
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      const double t = (k + 0.5) * step;
      sum += along_wall(t, z) * step *
             (dimensions == 3 ? 2 * std::numbers::pi * t / spacing / spacing : 2 / spacing);
    }
    return sum;
  }
  // The same for a lattice of particles.
  double lattice_layer(double z) const {
    double sum = 0;
    const int reach = static_cast<int>(std::ceil(h / spacing)), flat = dimensions == 3 ? reach : 0;
    for (int x = -reach; x <= reach; ++x)
      for (int y = -flat; y <= flat; ++y)
        sum += along_wall(spacing * std::sqrt(double(x * x + y * y)), z);
    return sum;
  }
  template <class Layer>
  double behind_wall(double d, const Layer& of_layer) const {
    const double lever = std::max(d, least_distance * spacing);
    double sum = 0;
    for (double depth = 0.5 * spacing; d + depth < h; depth += spacing)
      sum += (1 + depth / lever) * of_layer(d + depth);
    return sum;
  }
};

// b, see the header.
double isotropic_narrowness(double h, double spacing, int dimensions) {
  const auto anisotropy = [&](double narrow) {
    const Sums sums{h, spacing, dimensions, narrow};
    double sum = 0;
    each_in_lattice(h, spacing, dimensions, [&](double x, double y, double, double r) {
      sum += sums.phi(r) * (x * x * x * x - 3 * x * x * y * y) / (r * r);
    });
    return sum;
  };
  const double at_0 = anisotropy(0), at_1 = anisotropy(1);  // linear in between
  return at_0 * at_1 < 0 ? at_0 / (at_0 - at_1) : 0;
}

std::vector<float> make_wall_drag(const Sums& sums, double scale) {
  const auto smeared = [&](double z) { return sums.layer(z); };
  const double first = 0.5 * sums.spacing;
  const double exact = sums.behind_wall(first, [&](double z) { return sums.lattice_layer(z); }) /
                       sums.behind_wall(first, smeared);
  std::vector<float> table;
  for (int k = 0; k < wall_drag_entries; ++k)
    table.push_back(static_cast<float>(
        scale * exact * sums.behind_wall(sums.h * k / (wall_drag_entries - 1), smeared)));
  return table;
}

void set_materials(const Scene& scene, ViscositySetup& s) {
  ViscousMaterials& out = s.materials;
  if (scene.materials.size() > static_cast<std::size_t>(max_viscous_materials))
    throw Error(ErrorKind::usage, "viscosity: at most {} materials, the scene has {}",
                max_viscous_materials, scene.materials.size());
  double heaviest = 0;
  for (const Material& m : scene.materials) heaviest = std::max(heaviest, m.density);
  s.unit_mass = heaviest * std::pow(scene.spacing, scene.dimensions);
  for (std::size_t k = 0; k < scene.materials.size(); ++k) {
    const Material& m = scene.materials[k];
    out.mass[k] = static_cast<float>(m.density / heaviest);
    out.viscosity[k] = m.kind == MaterialKind::liquid ? static_cast<float>(m.viscosity / heaviest)
                                                      : ViscousMaterials::solid;
  }
}

}  // namespace

ViscositySetup make_viscosity_setup(const Scene& scene, const ViscosityParams& params,
                                    double support) {
  ViscositySetup s;
  s.implicit = true;
  const double spacing = scene.spacing;
  const int dim = scene.dimensions;
  const double h = std::min(support, widest * spacing);
  const double narrow = isotropic_narrowness(h, spacing, dim);
  const Sums sums{h, spacing, dim, narrow};
  const double scale = 2.0 * dim * (dim + 2) / sums.moment();
  s.kernel = {static_cast<float>(1 / h), static_cast<float>(1e-6 * spacing * spacing),
              static_cast<float>(narrow), static_cast<float>(scale)};
  s.wall_drag = make_wall_drag(sums, scale);
  set_materials(scene, s);
  s.limits.tolerance = params.viscosity_tolerance;
  s.limits.iterations = most_iterations;
  return s;
}

bool choose_implicit(const ViscosityParams& params, bool carried) {
  if (params.viscosity_solver == ViscositySolver::automatic) return !carried;
  return params.viscosity_solver == ViscositySolver::implicit_form;
}

bool has_no_slip_walls(const Scene& scene) {
  const auto sticks = [](const auto& body) { return body.surface.no_slip; };
  if (std::any_of(scene.bodies.begin(), scene.bodies.end(), sticks)) return true;
  for (std::size_t side = 0; side < scene.domain.walls.size(); ++side)
    if (scene.has_domain && scene.domain.walls[side] && scene.domain.surfaces[side].no_slip)
      return true;
  return false;
}

double memory_of_viscosity() {
  // Record; target and two velocities; right-hand side, solution, inverse diagonal and the three
  // vectors of the conjugate gradients.
  return 32 + 3 * 16 + 6 * 12;
}

}  // namespace panta
