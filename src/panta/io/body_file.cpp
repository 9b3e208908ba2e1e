#include "panta/io/body_file.h"

#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/io/json_lines.h"

namespace panta {

namespace {

JsonLine describe(const std::string& name, const BodyPose& pose) {
  const Quat& turn = pose.rotation;
  return JsonLine()
      .add("name", name)
      .add("position", pose.position)
      .add("rotation", std::vector<double>{turn.w, turn.x, turn.y, turn.z})
      .add("velocity", pose.velocity)
      .add("spin", pose.spin)
      .add("force_particles", pose.force_particles)
      .add("torque_particles", pose.torque_particles)
      .add("force_contacts", pose.force_contacts)
      .add("torque_contacts", pose.torque_contacts);
}

Vec3d vector(const json::Value& object, const char* key) {
  const std::vector<double> v =
      json_lines::numbers(json_lines::member(object, key, json::Type::array), key, 3);
  return {v[0], v[1], v[2]};
}

// Zero in files of earlier versions, which did not write it.
Vec3d vector_if_given(const json::Value& object, const char* key) {
  return object.find(key) ? vector(object, key) : Vec3d{};
}

BodyPose read_pose(const json::Value& body) {
  const std::vector<double> turn =
      json_lines::numbers(json_lines::member(body, "rotation", json::Type::array), "rotation", 4);
  return {.position = vector(body, "position"),
          .rotation = json_lines::unit_quaternion(turn.data(), "rotation"),
          .velocity = vector(body, "velocity"),
          .spin = vector(body, "spin"),
          .force_particles = vector_if_given(body, "force_particles"),
          .torque_particles = vector_if_given(body, "torque_particles"),
          .force_contacts = vector_if_given(body, "force_contacts"),
          .torque_contacts = vector_if_given(body, "torque_contacts")};
}

std::vector<BodyPose> read_poses(const json::Value& line, std::size_t bodies) {
  const json::Value& list = json_lines::member(line, "bodies", json::Type::array);
  if (list.items.size() != bodies)
    json_lines::refuse(
        fmt::format("it has {} bodies, the scene {} free ones", list.items.size(), bodies));
  std::vector<BodyPose> poses;
  for (const json::Value& body : list.items) poses.push_back(read_pose(body));
  return poses;
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
                "'{}' is missing, the file with the poses of free bodies: run the scene again",
                path);
  const std::string content = read_binary_file(path);
  std::string_view rest = content;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    read_line(rest.substr(0, end), number, bodies);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
}

// A damaged line makes only its own frame unreadable.
void BodyFile::read_line(std::string_view text, int number, std::size_t bodies) {
  try {
    const json::Value line = json_lines::parse(text, body_file_name);
    const int frame = json_lines::frame_number(line);
    frames_[frame] = read_poses(line, bodies);
  } catch (const Error& error) {
    if (damage_.empty()) damage_ = fmt::format("line {} is damaged: {}", number, error.what());
  }
}

const std::vector<BodyPose>& BodyFile::at(int frame) const {
  const auto found = frames_.find(frame);
  if (found == frames_.end())
    throw Error(ErrorKind::io, "'{}' has no poses of the free bodies in frame {}{}: {}", path_,
                frame, damage_.empty() ? "" : " (" + damage_ + ")", "run the scene again");
  return found->second;
}

}  // namespace panta
