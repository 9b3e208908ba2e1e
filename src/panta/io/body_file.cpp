#include "panta/io/body_file.h"

#include <cmath>
#include <limits>

#include "panta/core/error.h"
#include "panta/core/file.h"
#include "panta/json/json.h"

namespace panta {

namespace {

JsonLine describe(const std::string& name, const BodyPose& pose) {
  const Quat& turn = pose.rotation;
  return JsonLine()
      .add("name", name)
      .add("position", pose.position)
      .add("rotation", std::vector<double>{turn.w, turn.x, turn.y, turn.z})
      .add("velocity", pose.velocity)
      .add("spin", pose.spin);
}

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::io, what); }

const json::Value& member(const json::Value& object, const char* key, json::Type type) {
  const json::Value* value = object.find(key);
  if (!value || value->type != type) refuse(fmt::format("'{}' is missing or no such thing", key));
  return *value;
}

std::vector<double> numbers(const json::Value& object, const char* key, std::size_t count) {
  const json::Value& list = member(object, key, json::Type::array);
  if (list.items.size() != count)
    refuse(fmt::format("'{}' has {} entries instead of {}", key, list.items.size(), count));
  std::vector<double> values;
  for (const json::Value& item : list.items) {
    if (item.type != json::Type::number)
      refuse(fmt::format("'{}' has an entry that is no number", key));
    values.push_back(item.number);
  }
  return values;
}

Vec3d vector(const json::Value& object, const char* key) {
  const std::vector<double> v = numbers(object, key, 3);
  return {v[0], v[1], v[2]};
}

Quat unit_quaternion(const json::Value& object, const char* key) {
  constexpr double rounding = 1e-3;
  const std::vector<double> q = numbers(object, key, 4);
  if (!(std::abs(std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])) - 1) < rounding))
    refuse(fmt::format("'{}' is no rotation", key));
  return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]),
          static_cast<float>(q[3])};
}

std::vector<BodyPose> read_poses(const json::Value& line, std::size_t bodies) {
  const json::Value& list = member(line, "bodies", json::Type::array);
  if (list.items.size() != bodies)
    refuse(fmt::format("it has {} bodies, the scene {} free ones", list.items.size(), bodies));
  std::vector<BodyPose> poses;
  for (const json::Value& body : list.items)
    poses.push_back({vector(body, "position"), unit_quaternion(body, "rotation"),
                     vector(body, "velocity"), vector(body, "spin")});
  return poses;
}

int frame_number(const json::Value& line) {
  const double number = member(line, "frame", json::Type::number).number;
  if (!(number >= 0 && number <= std::numeric_limits<int>::max()))
    refuse("'frame' is no number of a frame");
  return static_cast<int>(number);
}

json::Value parse_line(std::string_view text) {
  try {
    return json::parse(text, body_file_name);
  } catch (const Error&) {
    refuse("it is no whole JSON object");
  }
}

}  // namespace

JsonLine body_line(int frame, double time, std::span<const std::string> names,
                   std::span<const BodyPose> poses) {
  std::vector<JsonLine> bodies;
  for (std::size_t k = 0; k < poses.size(); ++k) bodies.push_back(describe(names[k], poses[k]));
  return JsonLine().add("frame", frame).add("time", time).add("bodies", bodies);
}

BodyFile::BodyFile(const std::string& path, std::size_t bodies) : path_(path) {
  if (!file_exists(path))
    throw Error(ErrorKind::io,
                "'{}' is missing, which says where the free bodies are: run the scene again", path);
  const std::string content = read_binary_file(path);
  std::string_view rest = content;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    read_line(rest.substr(0, end), number, bodies);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
}

// A damaged line costs its frame alone.
void BodyFile::read_line(std::string_view text, int number, std::size_t bodies) {
  try {
    const json::Value line = parse_line(text);
    const int frame = frame_number(line);
    frames_[frame] = read_poses(line, bodies);
  } catch (const Error& error) {
    if (damage_.empty()) damage_ = fmt::format("line {} is damaged: {}", number, error.what());
  }
}

const std::vector<BodyPose>& BodyFile::at(int frame) const {
  const auto found = frames_.find(frame);
  if (found == frames_.end())
    throw Error(ErrorKind::io, "'{}' does not say where the free bodies are in frame {}{}: {}",
                path_, frame, damage_.empty() ? "" : " (" + damage_ + ")", "run the scene again");
  return found->second;
}

}  // namespace panta
