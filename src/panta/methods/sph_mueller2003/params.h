// Parameters of the SPH method, declared once (see scene/parameters.h).
#pragma once

#include "panta/scene/parameters.h"
#include "panta/viscosity/params.h"

namespace panta::sph {

enum class KernelChoice { spiky, mueller2003 };
enum class StateEquation { linear, tait };
enum class TensionModel { none, morris2000, mueller2003 };

struct Params {
  double support = 2.0;
  KernelChoice kernels = KernelChoice::spiky;
  double sound_speed = 0;
  StateEquation state_equation = StateEquation::linear;
  bool negative_pressure = false;
  double background_pressure = 0;
  double artificial_viscosity = 0.035;
  double bulk_viscosity = 0.6;
  TensionModel surface_tension = TensionModel::morris2000;
  double surface_threshold = 0.5;
  double time_step = 0;
  double max_time_step = 0.01;
  double cfl = 0.4;
  double viscous_limit = 0.06;
  double force_limit = 0.25;
  ViscosityParams viscosity;

  template <class V>
  void visit(V&& v) {
    v("support", support, Number{"spacings", 1.2, 6}, "kernel support radius h");
    v("kernels", kernels, Choice{"spiky", "mueller2003"},
      "for density and pressure: spiky for both, or poly6 and spiky as in the paper");
    v("sound_speed", sound_speed, Number{"m/s", 0, 1e5},
      "c of the state equation, k = c^2 in eq. 12; 0: ten times the fastest flow expected");
    v("state_equation", state_equation, Choice{"linear", "tait"},
      "p = k (rho - rho0) of eq. 12, or Tait's with exponent 7");
    v("negative_pressure", negative_pressure,
      "keep pressures below zero; without it free surfaces do not clump");
    v("background_pressure", background_pressure, Number{"Pa", 0, 1e9},
      "added to every pressure; keeps flows without a free surface evenly filled");
    v("artificial_viscosity", artificial_viscosity, Number{"", 0, 10},
      "adds alpha rho0 c h / 8 to the material's viscosity");
    v("bulk_viscosity", bulk_viscosity, Number{"", 0, 1}, "damps sound: zeta = beta c h");
    v("surface_tension", surface_tension, Choice{"none", "morris2000", "mueller2003"},
      "the force for a material's surface tension: calibrated, or eq. 19 as printed");
    v("surface_threshold", surface_threshold, Number{"", 0, 10},
      "l h in eq. 23: a particle is on the surface if |n| > l");
    v("time_step", time_step, Number{"s", 0, 1}, "fixed step; 0: adaptive");
    v("max_time_step", max_time_step, Number{"s", 1e-9, 1}, "upper bound of adaptive steps");
    v("cfl", cfl, Number{"", 1e-3, 1}, "dt <= cfl h / (c + |v|max)");
    v("viscous_limit", viscous_limit, Number{"", 1e-3, 0.125}, "dt <= viscous_limit h^2 rho / mu");
    v("force_limit", force_limit, Number{"", 1e-3, 1}, "dt <= force_limit sqrt(h / |a|max)");
    viscosity.visit(v);
  }
};

}  // namespace panta::sph
