// bodies.jsonl of a result folder: the poses of the free bodies, one line per frame.
//
//   {"frame": 3, "time": 0.05, "bodies": [{"name": "crate", "position": [x, y, z],
//    "rotation": [w, x, y, z], "velocity": [..], "spin": [..], "force_particles": [..],
//    "torque_particles": [..], "force_contacts": [..], "torque_contacts": [..]}, ..]}
//
// A point p of the scene's shape is at position + rotation p; the rotation is a unit quaternion,
// real part first. The velocity (m/s) is that of the centre of mass, the spin in rad/s. Forces (N)
// and torques (N m) as in BodyPose; files of earlier versions do not contain them.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "panta/frame/body_pose.h"
#include "panta/json/json_line.h"

namespace panta {

inline constexpr const char* body_file_name = "bodies.jsonl";

// One line; `names` of the bodies in the order of their poses.
JsonLine body_line(int frame, double time, std::span<const std::string> names,
                   std::span<const BodyPose> poses);

// Reads the whole file once.
class BodyFile {
 public:
  // Of a run with this number of free bodies. Error(io) if the file cannot be read at all.
  BodyFile(const std::string& path, std::size_t bodies);

  // The poses in a frame. Error(io) if its line is missing or damaged.
  const std::vector<BodyPose>& at(int frame) const;

  const std::map<int, std::vector<BodyPose>>& frames() const { return frames_; }

 private:
  void read_line(std::string_view text, int number, std::size_t bodies);

  std::string path_;
  std::map<int, std::vector<BodyPose>> frames_;
  std::string damage_;  // description of the first line that cannot be used
};

}  // namespace panta
