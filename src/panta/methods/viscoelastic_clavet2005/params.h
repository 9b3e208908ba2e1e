// Parameters of the viscoelastic method and of its materials, declared once (see
// scene/parameters.h).
#pragma once

#include "panta/scene/parameters.h"
#include "panta/viscosity/params.h"

namespace panta::viscoelastic {

inline constexpr const char* method_name = "viscoelastic";

enum class UnitSystem { paper, si };
enum class Relaxation { gather, coloured, sequential };
enum class VelocityUpdate { displacement, leapfrog };

struct Params {
  UnitSystem units = UnitSystem::paper;
  double support = 2.6;
  double time_step = 0;
  double max_travel = 0;
  double sound_speed = 0;
  double cohesion_speed = 0;
  double artificial_viscosity = 0.02;
  double stiffness = 0;
  double near_stiffness = 0;
  double near_ratio = 2.5;
  double rest_density = 0;
  Relaxation relaxation = Relaxation::gather;
  VelocityUpdate velocity_update = VelocityUpdate::displacement;
  bool wall_density = true;
  double collision_distance = 0.5;
  double stick_distance = 0.5;
  double spring_passes = 1;
  double max_speed = 0;
  ViscosityParams viscosity;

  template <class V>
  void visit(V&& v) {
    v("units", units, Choice{"paper", "si"},
      "of stiffness, near_stiffness and the viscoelastic numbers of materials: lengths in supports "
      "h and times in 1/30 s, or metres and seconds");
    v("support", support, Number{"spacings", 1.3, 6}, "radius h within which particles interact");
    v("time_step", time_step, Number{"s", 0, 0.1},
      "the longest step; the stiffness of a liquid grows as 1/time_step squared; 0: automatic: "
      "sound is seven times as fast as the flow expected from depth, gravity and inflow, "
      "at most 1/120");
    v("max_travel", max_travel, Number{"spacings", 0, 100},
      "largest motion of particles in a step; it is shortened for this, to a quarter at most; 0: a "
      "tenth of the support if time_step is automatic, else no limit");
    v("sound_speed", sound_speed, Number{"m/s", 0, 1e5},
      "speed of sound, which sets the stiffness; 0: as stiff as the step allows");
    v("cohesion_speed", cohesion_speed, Number{"m/s", 0, 1e5},
      "the part of sound_speed by stiffness and near_stiffness; the rest resists compression "
      "only. Surface tension grows as its square; 0: twice sqrt(gravity spacing) if time_step "
      "is automatic (without gravity as at steps of 1/120 s), else all of it");
    v("artificial_viscosity", artificial_viscosity, Number{"", 0, 10},
      "alpha rho (sound_speed - cohesion_speed) h / 8 is added to the material's viscosity and "
      "brings water to rest");
    v("stiffness", stiffness, Number{"h/(1/30 s)^2", 0, 1e6},
      "k of P = k (rho - rho0), instead of sound_speed; the paper's is 0.004");
    v("near_stiffness", near_stiffness, Number{"h/(1/30 s)^2", 0, 1e6},
      "k_near of P_near = k_near rho_near; 0: near_ratio times the stiffness");
    v("near_ratio", near_ratio, Number{"", 0.05, 100},
      "near_stiffness over stiffness; the paper's is 2.5. Smaller values give a lower yield stress "
      "(liquids level better), less surface tension and a less even distribution");
    v("rest_density", rest_density, Number{"", 0, 1e4},
      "rho0, a sum of (1 - r/h)^2; the paper's is 10; 0: that of particles a spacing apart");
    v("relaxation", relaxation, Choice{"gather", "coloured", "sequential"},
      "order of the double density relaxation: all particles at once; cell after cell in parallel; "
      "one particle after the other, as in the paper (the last two: on the CPU)");
    v("velocity_update", velocity_update, Choice{"displacement", "leapfrog"},
      "displacement: v = (x - x_before) / dt, which damps rotation; leapfrog: relaxation changes "
      "velocities only, which conserves angular momentum");
    v("wall_density", wall_density,
      "walls count in the density like liquid behind them; without, particles crowd at walls");
    v("collision_distance", collision_distance, Number{"spacings", 0, 1},
      "particles stay this far from walls; half as far if time_step is automatic: images push them "
      "away");
    v("stick_distance", stick_distance, Number{"spacings", 0, 2},
      "range of the attraction of sticky walls, beyond the collision distance");
    v("spring_passes", spring_passes, Number{"", 1, 16},
      "passes of the springs per step, a whole number; stiff springs need more");
    v("max_speed", max_speed, Number{"m/s", 0, 1e6},
      "limit of the speed of particles; 0: no limit");
    viscosity.visit(v);
  }
};

// Rest length of a new spring between neighbours: the kernel's radius, so that it pushes
// until it has flowed; their distance; or their distance once, when springs are switched on: liquid
// becomes elastic in its present shape and does not join other parts that it touches later.
enum class SpringLength { support, distance, once };

// Of a material, in the units of Params::units.
struct MaterialParams {
  double springs = 0;
  double plasticity = 0;
  double yield = 0;
  double compression_plasticity = -1;  // absent
  double compression_yield = -1;       // absent
  SpringLength spring_length = SpringLength::support;
  double linear_viscosity = 0;
  double quadratic_viscosity = 0;

  template <class V>
  void visit(V&& v) {
    const Number not_negative{"", 0};
    v("springs", springs, not_negative,
      "k_spring between neighbours, 1/time squared in solver.units: the paper's is 0.3; 0: none");
    v("plasticity", plasticity, not_negative,
      "alpha, 1/time, rate at which rest lengths approach the present length: the paper's is 0.3; "
      "0: elastic");
    v("yield", yield, Number{"", 0, 1}, "gamma, relative stretch of a spring above which it flows");
    v("compression_plasticity", compression_plasticity, not_negative,
      "the same where springs are compressed; absent: as plasticity");
    v("compression_yield", compression_yield, Number{"", 0, 1},
      "the same where springs are compressed; absent: as yield");
    v("spring_length", spring_length, Choice{"support", "distance", "once"},
      "rest length of new springs: support: the kernel's radius, so that they push until they have "
      "flowed; distance: that of their ends; once: the same, only when springs are switched on: "
      "later neighbours get none, and a body becomes elastic in its present shape");
    v("linear_viscosity", linear_viscosity, not_negative,
      "sigma, 1/time: damps approaching pairs, in addition to the viscosity in Pa s");
    v("quadratic_viscosity", quadratic_viscosity, not_negative,
      "beta, 1/length: damps fast approaching pairs");
  }
};

}  // namespace panta::viscoelastic
