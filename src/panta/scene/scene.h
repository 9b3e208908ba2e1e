// A scene: the complete input of a run, as plain data. Built in C++ or read from a JSON file
// (load/load.h). SI units, right-handed, y up.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "panta/core/vec.h"
#include "panta/geometry/motion.h"
#include "panta/geometry/packing.h"
#include "panta/geometry/shape.h"
#include "panta/scene/force_field.h"
#include "panta/scene/parameters.h"
#include "panta/scene/surface_method.h"

namespace panta {

// Appearance of a liquid in pictures: transparent with refraction, or opaque.
enum class Clarity { clear, opaque };

// The type of a material's particles: parts of a liquid, grains with contact and friction, or parts
// of a body that keeps its shape (Scene::solids).
enum class MaterialKind { liquid, granular, solid };

struct Material {
  std::string name = "water";
  double density = 1000;       // kg/m3
  double viscosity = 1e-3;     // Pa s
  double surface_tension = 0;  // N/m
  MaterialKind kind = MaterialKind::liquid;
  double weight = 1;                      // factor on gravity: 0 floats, negative rises
  std::vector<std::string> ignores = {};  // materials and bodies without contact to it
  bool self_collision = true;             // grains or solids of it touch each other
  double rest_distance = 0;               // m, grains that started nearer than this do not touch
  // By name of method: parameters of that method only (MethodInfo::material_parameters).
  std::map<std::string, ParameterSet> methods = {};
  // For pictures:
  Clarity clarity = Clarity::clear;
  std::optional<Vec3> color = {};  // sRGB, 0 to 1; absent: automatic
  double color_depth = 0;     // m of clear liquid that give white light this colour; 0: automatic
  double refraction = 1.333;  // index
};

// A material's parameters for one method, with defaults for those that are not set.
template <class Params>
Params material_parameters(const Material& material, const std::string& method) {
  const auto given = material.methods.find(method);
  return make_parameters<Params>(given == material.methods.end() ? ParameterSet() : given->second);
}

// spacings, of fluids in scene files. On an exact lattice grains are stable like bricks, and a
// heavy liquid above a lighter one stays there until rounding errors have grown.
inline constexpr float usual_jitter = 0.1f;

struct Fluid {
  int material = 0;  // index into Scene::materials
  Shape shape = {};
  Vec3 velocity = {};  // m/s, initial
  float jitter = 0;    // spacings, largest random displacement of particles at the start
  std::function<Vec3(const Vec3&)> velocity_at = {};  // if set: the initial velocity by position
  Packing packing = Packing::cubic;
};

inline constexpr float chosen_friction = -1;   // depends on the touching material
inline constexpr float usual_friction = 0.5f;  // of dry surfaces

// Properties of a solid surface in contact with particles.
struct Surface {
  Vec3 velocity;          // m/s, of the surface, which stays in place (a conveyor, a sliding lid)
  float restitution = 0;  // fraction of the normal speed after a bounce
  float friction = chosen_friction;  // Coulomb coefficient on contact
  bool no_slip = false;              // viscous fluid sticks to it
  float adhesion = 0;                // m/s2, attraction; falls to zero at the kernel's radius
  float stickiness = 0;              // 1/s2, k_stick of the viscoelastic method
  std::uint32_t ignored_by = 0;      // a bit for each material without contact to it (make_walls)

  // The coefficient for a liquid, and for grains and bodies.
  PANTA_HD float friction_on_liquid() const { return friction >= 0 ? friction : 0.0f; }
  PANTA_HD float friction_on_solid() const { return friction >= 0 ? friction : usual_friction; }
};

// Appearance of a body in pictures. Automatic: solid; hollow bodies and planes as outlines.
enum class Look { automatic, solid, glass, outline, hidden };

// Properties of a body that moves by the forces on it.
struct FreeBody {
  double density = 1000;              // kg/m3, used if there is no mass
  Vec3 velocity = {}, spin = {};      // m/s, rad/s about its centre of mass, at the start
  std::optional<double> mass = {};    // kg; in two dimensions kg per metre
  std::optional<Vec3d> inertia = {};  // kg m2, about the centre of mass; absent: homogeneous
};

struct Body {
  Shape shape = {};
  bool hollow = false;  // the shape is a container: fluid inside, solid outside
  Surface surface = {};
  Motion motion = {};
  std::string name = {};
  Look look = Look::automatic;
  std::optional<Vec3> color = {};     // sRGB, 0 to 1, in pictures; absent: chosen
  bool trigger = false;               // no contact; particles inside are counted every frame
  std::optional<FreeBody> free = {};  // absent: at rest, or with prescribed motion

  // The solid region: outside the shape if hollow.
  Shape solid() const { return hollow ? shape.complement() : shape; }
  bool hidden() const { return look == Look::hidden || (trigger && look == Look::automatic); }
};

// Placement of the particles of a free solid.
enum class Filling { volume, shell };

// A body that moves freely and consists of particles which keep its shape. `copies` places several
// side by side, each a separate solid.
struct Solid {
  std::string name = {};
  int material = 0;  // index into Scene::materials, one of kind solid
  Shape shape = {};
  Vec3 velocity = {};  // m/s, at the start
  Vec3 spin = {};      // rad/s, at the start, about its centre of mass
  Filling filling = Filling::volume;
  float stiffness = 1;  // fraction of a deformation that each solve corrects
  float yield = 0;      // m, larger displacements remain in part; 0: never
  float creep = 0;      // the fraction that remains
  std::array<int, 3> copies = {1, 1, 1};
  Vec3 pitch = {};            // m, between copies
  bool random_turns = false;  // random rotation of each copy, the same in every run
  Look look = Look::automatic;
  std::optional<Vec3> color = {};  // sRGB, 0 to 1, in pictures; absent: the material's
};

// Constraints between particles, of a type that the method declares (MethodInfo::constraints). The
// particles are named, or selected by `within` or `nearest`. For types of elements the particles of
// all elements are named, and form one constraint.
struct Constraint {
  std::string type;
  ParameterSet parameters = {};
  std::vector<std::uint32_t> particles = {};  // ids, constraint by constraint
  Shape within = {};  // size 1: all particles that start inside; size 2: see `nearest`
  float nearest = 0;  // m, size 2: all pairs this near at the start, both in `within`
};

// A source of fluid: a flat profile at `at`, normal to `direction`, with outflow at `speed`. The
// fluid enters in successive layers at rest density; while it is behind the profile its motion is
// prescribed.
struct Emitter {
  std::string name = {};
  int material = 0;
  Vec3 at;  // the profile's centre
  Vec3 direction = {0, -1, 0};
  Shape profile = {};             // a solid; its cross-section in the plane through `at`
  double area = 0;                // m2 (m in 2-D), of the cross-section; 0: measured
  float speed = 1;                // m/s
  double start = 0, stop = 1e30;  // s
  double pulse_period = 0;        // s, 0: steady
  double pulse_on = 0;            // s in each period
  double most_volume = 1e30;      // m3 (m2 in 2-D), total; then the flow stops
  bool active = true;
};

// Removes the particles inside it.
struct Sink {
  std::string name = {};
  Shape shape = {};
  bool outside = false;  // removes particles outside the shape instead
  bool active = true;
};

// A change of the scene at a given time.
struct Scene;
struct Event {
  double time = 0;
  std::shared_ptr<const Scene> changed = {};  // the scene from this time; null: unchanged
  std::vector<Fluid> added = {};
  std::vector<Shape> cleared = {};  // fluid inside these is removed
};

enum class ProbeType {
  extent,
  height,
  pressure,
  velocity,
  flux,
  center_of_mass,
  volume,
  count,
  body,
  pieces,
  column,
  wall_pressure
};

// Combination of the values of many particles in a probe.
enum class Reduce { mean, min, max, sum };
inline const std::vector<std::string> reduce_names = {"mean", "min", "max", "sum"};

// Quantity of a body that a probe reports. Velocities are those of its centre of mass; forces and
// torques are means since the last frame, torques about the centre of mass.
enum class BodyQuantity {
  place,
  velocity,
  spin,
  force,
  torque,
  force_particles,
  torque_particles,
  force_contacts,
  torque_contacts
};
inline const std::vector<std::string> body_quantity_names = {
    "place",           "velocity",         "spin",           "force",          "torque",
    "force_particles", "torque_particles", "force_contacts", "torque_contacts"};

// A quantity reported for every frame.
struct Probe {
  std::string name;
  ProbeType type = ProbeType::count;
  Vec3 at = {};             // height, pressure, velocity; flux: a point of the plane; body: one of
                            // the body, in the frame of its shape; wall_pressure: centre of the
                            // patch, in the frame of the body's shape if there is a body
  Vec3 normal = {1, 0, 0};  // flux, wall_pressure: unit
  Vec3 size = {};           // m, wall_pressure: box that bounds the patch, if radius is 0
  int axis = 0;             // extent: 0, 1, 2
  bool upper = true;        // extent: the largest coordinate, else the smallest
  float radius = 0;         // m, height, pressure, velocity: averages within; pieces: neighbours
                            // are nearer; 0: two spacings; wall_pressure: of a disc
  Shape region = {};        // if not empty, only particles inside are used
  int material = -1;        // -1: all
  int body = -1;            // body, wall_pressure: index into Scene::bodies
  BodyQuantity quantity = BodyQuantity::place;  // body
  std::string column = {};                      // column: its name
  std::string component = {};    // column: x, y, ..., xx, ... or length; empty: all numbers
  Reduce reduce = Reduce::mean;  // column
};

// Camera of the pictures. Values that are not given are chosen to show the whole run.
struct CameraSetup {
  std::optional<Vec3> eye = {}, target = {};
  Vec3 up = {0, 1, 0};
  float fov = 32;                      // degrees, vertical
  float azimuth = 28, elevation = 21;  // degrees, used without an eye
  float zoom = 1;                      // used without an eye: > 1 is nearer
  float turn = 0;                      // degrees per second about the target (turntable)
  float aperture = 0;                  // m, diameter of the lens; 0: everything is sharp
  std::optional<Vec3> focus = {};      // a point in focus; absent: the target
};

// Additional output of a run, made when it is done.
struct SurfaceOutput {
  SurfaceMethod method = SurfaceMethod::anisotropic;
  std::string format = "ply";
  float cell = 0.5f;  // spacings
  int smooth = 5;     // passes
};
enum class Quality {
  draft,    // particles, on the CPU
  preview,  // with OpenGL; draft if not available, and in two dimensions
  final     // path tracing
};
inline const std::vector<std::string> quality_names = {"draft", "preview", "final"};

struct ImageOutput {
  Quality quality = Quality::preview;
  int width = 960, height = 540;
  int every = 1;     // draws each k-th frame
  int samples = 64;  // per pixel of a final picture
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
  double spacing = 0.02;  // m, particle distance; sets the resolution
  int dimensions = 3;     // 2: everything in the plane z = 0
  double duration = 1;    // s
  double fps = 60;
  Vec3d gravity = {0, -9.81, 0};
  bool has_domain = false;
  Domain domain = {};
  std::vector<Material> materials;
  std::vector<Fluid> fluids;
  std::vector<Body> bodies;
  std::vector<Solid> solids;
  std::vector<Emitter> emitters;
  std::vector<Sink> sinks;
  std::vector<ForceField> fields;
  std::vector<Constraint> constraints;
  std::vector<Event> events;  // in the order of their times
  std::vector<Probe> probes;
  ParameterSet solver;  // of the method in use
  CameraSetup camera;
  std::optional<SurfaceOutput> surface_output;
  std::optional<ImageOutput> image_output;
  double max_density_error = 0.5;       // mean of a frame; ten frames above it end a run
  std::string particle_format = "vtp";  // output.particles: vtp, ply, csv or none
};

}  // namespace panta
