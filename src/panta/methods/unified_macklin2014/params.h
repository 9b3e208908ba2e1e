// Parameters of the unified method, declared once (see scene/parameters.h).
#pragma once

#include "panta/methods/unified_macklin2014/friction_by_velocity.h"
#include "panta/scene/parameters.h"
#include "panta/viscosity/params.h"

namespace panta::unified {

struct Params {
  double support = 1.82;
  double time_step = 0;
  double max_travel = 0;
  double substeps = 0;
  double iterations = 1;
  double relaxation = 1.2;
  double margin = 0.2;
  double collision_distance = 0.5;
  double friction = -1;
  double static_friction = -1;
  FrictionModel friction_model = FrictionModel::positions;
  ContactAveraging averaging = ContactAveraging::symmetric;
  double contact_iterations = 2;
  double contact_relaxation = 1;
  double restitution = 0;
  double cohesion = 0;
  double rolling = -1;
  double grain_size = 0;
  double size_spread = 0.1;
  double shock_propagation = 0;
  double stabilization = 1;
  double solid_pressure = 1;
  RigidVelocity rigid_velocity = RigidVelocity::momentum;
  double smoothing = 0.01;
  double vorticity = 0;
  double damping = 0;
  double free_surface_drag = 0;
  double sleep_speed = 0;
  double max_speed = 0;
  double max_acceleration = 0;
  ViscosityParams viscosity;

  template <class V>
  void visit(V&& v) {
    v("support", support, Number{"spacings", 1.3, 4}, "radius h of the density kernel");
    v("time_step", time_step, Number{"s", 0, 0.1},
      "the longest time between two searches for neighbours; 0: chosen from depth, spacing and "
      "gravity, at most 1/120, and shorter while liquids are fast");
    v("max_travel", max_travel, Number{"spacings", 0, 100},
      "steps are shortened, to a quarter at most, so that particles move no farther; 0: a fifth in "
      "a substep where there are liquids and time_step is chosen, else any distance");
    v("substeps", substeps, Number{"", 0, 64},
      "steps of the equations of motion between two searches, a whole number; 0: 4, or as many as "
      "time_step needs for a liquid at most 2 % too dense");
    v("iterations", iterations, Number{"", 1, 200},
      "of the constraint solver in a substep, a whole number");
    v("relaxation", relaxation, Number{"", 0, 1.33, true},
      "omega of eq. 13, as a share of what the stiffest pattern of particles can take");
    v("margin", margin, Number{"spacings", 0, 1}, "added to the radius of the search");
    v("collision_distance", collision_distance, Number{"spacings", 0, 1},
      "particles of liquids stay this far from walls");
    v("friction", friction, Number{"", -1, 10},
      "kinetic, between grains and bodies: mu_k of eq. 24; -1: 0.2 between grains, which do "
      "not turn, and 0.5 for bodies");
    v("static_friction", static_friction, Number{"", -1, 10},
      "mu_s of eq. 24; -1: as friction where that is set, else 0.5 between grains and 0.6");
    v("friction_model", friction_model, Choice{"positions", "velocities"},
      "friction is solved for with the contacts, or sliding is damped once per step, as in older "
      "position-based dynamics: a slope then creeps until it is flat");
    v("contact_iterations", contact_iterations, Number{"", 1, 200},
      "of contacts in each iteration, a whole number");
    v("contact_relaxation", contact_relaxation, Number{"", 0, 2, true},
      "omega of eq. 13 for contacts, whose corrections are averaged");
    v("averaging", averaging, Choice{"local", "global", "symmetric"},
      "corrections of contacts are divided by their number at the particle, not at all (eq. 12), "
      "or by the larger number of the two, so that grains keep their momentum");
    v("restitution", restitution, Number{"", 0, 1},
      "share of the approach that comes back when grains or bodies hit each other");
    v("cohesion", cohesion, Number{"Pa", 0, 1e6},
      "tension that grains in contact bear before they part: damp sand has 100 to 2000; 0: dry");
    v("rolling", rolling, Number{"", -1, 12},
      "grains that touch no more others than this roll on them, friction does not hold them; -1: "
      "2, "
      "and 1 in two dimensions; 1: angular grains; 0: friction holds all, and chains of grains can "
      "stand upright");
    v("grain_size", grain_size, Number{"spacings", 0, 1.1},
      "mean diameter of grains at rest; 0: as much as keeps the density of sand while it settles, "
      "1.045, in two dimensions 1.03");
    v("size_spread", size_spread, Number{"", 0, 0.13},
      "diameters are within this share of their mean; equal grains in a plane make crystals");
    v("stabilization", stabilization, Number{"", 0, 100},
      "iterations at the start of a step that part what overlaps without giving it speed (4.4); "
      "the first step of a run has 30");
    v("solid_pressure", solid_pressure, Number{"", 0, 2},
      "s of eq. 27: what particles of solids count in the density of liquids");
    v("rigid_velocity", rigid_velocity, Choice{"momentum", "positions"},
      "of bodies after a substep: keeps angular momentum, or the plain difference of places");
    v("shock_propagation", shock_propagation, Number{"1/m", 0, 20},
      "k of eq. 21: lower particles count as heavier in contacts");
    v("smoothing", smoothing, Number{"", 0, 0.5},
      "share of the neighbours' velocity taken over in each step (XSPH)");
    v("vorticity", vorticity, Number{"", 0, 100}, "strength of vorticity confinement");
    v("damping", damping, Number{"1/s", 0, 1e4}, "velocities decay at this rate");
    v("free_surface_drag", free_surface_drag, Number{"1/s", 0, 1e4},
      "damping of liquid at its surface: times the share of neighbours that is missing");
    v("sleep_speed", sleep_speed, Number{"m/s", 0, 100},
      "slower particles stay where they are (eq. 14); 0: none");
    v("max_speed", max_speed, Number{"m/s", 0, 1e6}, "faster particles are slowed; 0: no limit");
    v("max_acceleration", max_acceleration, Number{"m/s2", 0, 1e9},
      "change of velocity by constraints that is let through; 0: no limit");
    viscosity.visit(v);
  }
};

}  // namespace panta::unified
