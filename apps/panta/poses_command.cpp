#include "poses_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/frame/body_places.h"
#include "panta/geometry/mass_properties.h"
#include "panta/geometry/rigid_fit.h"
#include "panta/io/run_frames.h"
#include "panta/json/json_line.h"
#include "panta/load/load.h"
#include "print.h"

namespace panta::app {
namespace {

constexpr const char* csv_header = "frame,time,body,solid,x,y,z,qw,qx,qy,qz,cx,cy,cz\n";

// One line of the table: a point p of the solid's shape is at shift + turn p.
struct PoseLine {
  int frame;
  double time;
  std::size_t body;
  std::string solid;
  RigidMotion pose;
  Vec3d centre;  // of mass
};

std::string csv_text(const PoseLine& line) {
  const Vec3d& shift = line.pose.shift;
  const Turn4& turn = line.pose.turn;
  return fmt::format(
      "{},{:.9g},{},{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},"
      "{:.9g},{:.9g}\n",
      line.frame, line.time, line.body, line.solid, shift.x, shift.y, shift.z, turn[0], turn[1],
      turn[2], turn[3], line.centre.x, line.centre.y, line.centre.z);
}

std::string json_text(const PoseLine& line) {
  const Turn4& turn = line.pose.turn;
  return JsonLine()
      .add("frame", line.frame)
      .add("time", line.time)
      .add("body", line.body)
      .add("solid", line.solid)
      .add("position", line.pose.shift)
      .add("rotation", std::vector<double>(turn.begin(), turn.end()))
      .add("centre", line.centre)
      .text();
}

// The name without characters that are invalid in a table.
std::string table_name(std::string name) {
  for (char& c : name)
    if (c == ',' || c == '"' || c == '\n') c = ' ';
  return name;
}

std::string solid_name(const Scene& scene, int solid) {
  const std::string& name = scene.solids[static_cast<std::size_t>(solid)].name;
  return name.empty() ? fmt::format("solid{}", solid + 1) : table_name(name);
}

class PoseTable {
 public:
  explicit PoseTable(const std::string& path) : json_(path.ends_with(".json")), file_(path) {
    file_.write(json_ ? "[" : csv_header);
  }
  void add(const PoseLine& line) {
    if (json_)
      file_.write((first_ ? "\n" : ",\n") + json_text(line));
    else
      file_.write(csv_text(line));
    first_ = false;
  }
  void close() {
    if (json_) file_.write("\n]\n");
    file_.close();
  }

 private:
  bool json_, first_ = true;
  OutputFile file_;
};

RigidMotion motion_of(const BodyPose& pose) {
  const Quat& q = pose.rotation;
  return {{q.w, q.x, q.y, q.z}, pose.position};
}

// All free solids and bodies of a scene: solids made of particles, then bodies.
class FreeObjects {
 public:
  explicit FreeObjects(const Scene& scene)
      : scene_(scene), names_(free_body_names(scene.bodies)), centres_(free_body_centres(scene)) {
    for (const Solid& solid : scene.solids)
      solid_centres_.push_back(mass_properties(solid.shape, scene.dimensions == 2).centre);
  }

  bool empty() const { return scene_.solids.empty() && names_.empty(); }

  // Adds a frame to the table; returns the number of its solids and bodies, with or without a pose.
  std::size_t add(int number, const ParticleFrame& frame, PoseTable& table) const {
    std::size_t body = 0;
    for (const Object& object : frame.objects) {
      if (object.kind != ObjectKind::solid) continue;
      if (object.pose) add_solid(number, frame.time, body, object, table);
      ++body;
    }
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
      const RigidMotion motion = motion_of(frame.bodies[k]);
      table.add({number, frame.time, body++, table_name(names_[k]), motion, motion(centres_[k])});
    }
    return body;
  }

 private:
  void add_solid(int number, double time, std::size_t body, const Object& solid,
                 PoseTable& table) const {
    const auto entry = static_cast<std::size_t>(solid.entry);
    if (entry >= solid_centres_.size())
      throw Error(ErrorKind::io, "frame {} has a solid number {}, the scene has {}", number, entry,
                  solid_centres_.size());
    const RigidMotion motion = motion_of(*solid.pose);
    table.add({number, time, body, solid_name(scene_, solid.entry), motion,
               motion(solid_centres_[entry])});
  }

  const Scene& scene_;
  std::vector<std::string> names_;  // of the free bodies, in the order of frames
  std::vector<Vec3d> centres_;
  std::vector<Vec3d> solid_centres_;  // in the frames of their shapes
};

int write_poses(const Arguments& args) {
  const std::string& dir = args.operands()[0];
  const std::string scene_path = dir + "/scene.json";
  if (!file_exists(scene_path))
    throw Error(ErrorKind::io, "'{}' is not a result folder: it contains no scene.json", dir);
  const Scene scene = load_scene(scene_path);
  const FreeObjects objects(scene);
  if (objects.empty())
    throw Error(ErrorKind::usage,
                "the scene of '{}' has neither free solids nor free bodies: there are no poses",
                dir);
  const std::string path = args.text("--out", dir + "/poses.csv");
  const RunFrames frames(dir, scene);
  PoseTable table(path);
  std::size_t count = 0;
  for (const FrameFile& file : frames.files())
    count = std::max(count, objects.add(file.frame, frames.read(file), table));
  table.close();
  if (!args.has("--quiet"))
    print(stderr, "poses of {} bodies in {} frames: {}\n", count, frames.files().size(), path);
  return exit_done;
}

}  // namespace

Command poses_command() {
  return {{"poses",
           "DIR",
           1,
           1,
           "write the poses of the free solids and bodies of a result folder: position and "
           "quaternion by "
           "frame",
           {{"--out", "FILE", "the table, a .csv or .json (DIR/poses.csv)"},
            {"--quiet", "", "print errors only"}}},
          write_poses};
}

}  // namespace panta::app
