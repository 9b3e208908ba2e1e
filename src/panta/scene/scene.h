// A scene: everything a run starts from, as plain data. Built in C++ by hand or read from a JSON
// file (scene/load.h). SI units, right-handed, y up.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "panta/core/vec.h"
#include "panta/fields/force_field.h"
#include "panta/geometry/shape.h"
#include "panta/scene/parameters.h"

namespace panta {

struct Material {
  std::string name = "water";
  double density = 1000;       // kg/m3
  double viscosity = 1e-3;     // Pa s
  double surface_tension = 0;  // N/m
};

struct Fluid {
  int material = 0;  // index into Scene::materials
  Shape shape = {};
  Vec3 velocity = {};  // m/s, initial
  float jitter = 0;    // spacings, each particle starts displaced at random by up to this
  std::function<Vec3(const Vec3&)> velocity_at = {};  // where set: the initial velocity by position
};

// How a solid surface acts on the particles that touch it.
struct Surface {
  Vec3 velocity;  // m/s, of the surface itself, which stays in place (a conveyor, a sliding lid)
  float restitution = 0;  // share of the normal speed that bounces back
  float friction = 0;     // Coulomb coefficient on contact
  bool no_slip = false;   // viscous fluid sticks to it
};

struct Body {
  Shape shape = {};
  bool hollow = false;  // the shape is a container: fluid inside, solid outside
  Surface surface = {};
};

enum Side { minus_x, plus_x, minus_y, plus_y, minus_z, plus_z };
inline const std::array<std::string, 6> side_names = {"-x", "+x", "-y", "+y", "-z", "+z"};

struct Domain {
  Vec3d min, max;
  std::array<bool, 6> walls = {};
  std::array<bool, 3> periodic = {};
  std::array<Surface, 6> surfaces = {};
};

struct Scene {
  std::string title = "untitled";
  std::string method = "sph";
  double spacing = 0.02;  // m, the one number that sets resolution
  int dimensions = 3;     // 2: everything in the plane z = 0
  double duration = 1;    // s
  double fps = 60;
  Vec3d gravity = {0, -9.81, 0};
  bool has_domain = false;
  Domain domain = {};
  std::vector<Material> materials;
  std::vector<Fluid> fluids;
  std::vector<Body> bodies;
  std::vector<ForceField> fields;
  ParameterSet solver;
  bool write_particles = true;  // output.particles: "vtp" or "none"
};

}  // namespace panta
