// objects.jsonl of a result folder: the objects of the particles (frame/object.h), and the poses of
// rigid objects. Three kinds of lines:
//
//   {"frame": 0, "objects": [{"kind": "fluid", "name": "fluids.0", "entry": 0, "copy": 0,
//    "material": 0}, ..]}                  the table; written when it changes
//   {"frame": 0, "object": 2, "edges": [a, b, a, b, ..], "triangles": [a, b, c, ..]}
//                                          ids of one object; written when they change
//   {"frame": 0, "poses": [null, [x, y, z, w, qx, qy, qz, vx, vy, vz, sx, sy, sz], ..]}
//                                          by object; written for each frame that has poses, and
//                                          for the first one without
//
// A point p of an object's shape is at (x, y, z) + q p, q a unit quaternion with its real part w
// first; then the velocity of the centre of mass (m/s) and the spin (rad/s). Numbers have nine
// digits. Folders of earlier versions have no such file.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "panta/frame/object.h"
#include "panta/json/json.h"

namespace panta {

inline constexpr const char* object_file_name = "objects.jsonl";

// Writes the lines of successive frames.
class ObjectLines {
 public:
  ObjectLines() = default;
  // Continues after a frame with these objects.
  explicit ObjectLines(std::vector<Object> last) : last_(std::move(last)) {}

  std::vector<std::string> next(int frame, const std::vector<Object>& objects);

 private:
  std::vector<Object> last_;
};

// Reads the file. Line positions are indexed once and lines are read when needed: the poses of a
// long run with many objects may not fit in memory.
class ObjectFile {
 public:
  // Error(io) if the file cannot be read at all.
  explicit ObjectFile(const std::string& path);

  // The objects of a frame; empty if the file has none. Error(io) if required lines are missing or
  // damaged. Thread-safe.
  std::vector<Object> at(int frame) const;

 private:
  struct Topology {
    int frame;
    std::size_t object;
    std::vector<std::array<std::uint32_t, 2>> edges;
    std::vector<std::array<std::uint32_t, 3>> triangles;
  };

  void find_line(const std::string& text, std::uint64_t start, int number);
  void read_line(const json::Value& line);
  void add_poses(int frame, std::vector<Object>& objects) const;
  std::vector<std::optional<BodyPose>> read_poses(int frame, std::uint64_t start) const;
  [[noreturn]] void fail(int frame, const std::string& what) const;

  std::string path_;
  std::map<int, std::vector<Object>> tables_;  // by the first frame for which they are valid
  std::vector<Topology> topology_;             // in the order of frames
  std::map<int, std::uint64_t> poses_;         // by frame: offset of its line
  std::string damage_;                         // description of the first line that cannot be used
};

}  // namespace panta
