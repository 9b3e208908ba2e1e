// Checkpoints, read and restored into a tiny simulation of the method that they name. A fuzzer
// cannot guess checksums, so an input is also read with corrected checksums, to test the code
// behind the check.
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <vector>

#include "panta/core/error.h"
#include "panta/core/file.h"
#include "panta/engine/simulation.h"
#include "panta/io/checkpoint.h"
#include "targets.h"

namespace panta::fuzz {
namespace {

// A few particles, a source and a sink; for the viscoelastic method also springs and a free body,
// for the unified one a solid and a grain.
std::unique_ptr<Simulation> tiny_simulation(const std::string& method) {
  Scene scene;
  scene.method = method;
  scene.spacing = 0.1;
  scene.materials = {Material{}};
  scene.fluids = {{.material = 0, .shape = Shape::box({0, 0, 0}, {0.2f, 0.2f, 0.1f})}};
  Emitter tap;
  tap.at = {0, 1, 0};
  tap.profile = Shape::sphere(tap.at, 0.15f);
  scene.emitters = {tap};
  scene.sinks = {{.shape = Shape::plane({0, -1, 0}, {0, 1, 0})}};
  if (method == "viscoelastic") {
    scene.materials[0].methods["viscoelastic"]["springs"] = 1.0;
    scene.bodies = {{.shape = Shape::box({0, 0.2f, 0}, {0.2f, 0.3f, 0.1f}), .free = FreeBody{}}};
  }
  if (method == "unified") {
    scene.materials.push_back({.name = "sand", .kind = MaterialKind::granular});
    scene.materials.push_back({.name = "wood", .kind = MaterialKind::solid});
    scene.fluids.push_back({.material = 1, .shape = Shape::box({0.4f, 0, 0}, {0.5f, 0.1f, 0.1f})});
    scene.solids = {{.material = 2, .shape = Shape::box({0, 0.2f, 0}, {0.2f, 0.4f, 0.1f})}};
  }
  return make_simulation(scene, {.device = "cpu", .threads = 1});
}

// Corrects the checksums of the format in io/checkpoint.h, as far as the content is complete.
class ChecksumRepair {
 public:
  explicit ChecksumRepair(std::string_view content) : content_(content) {}

  std::string repaired() {
    struct Section {
      std::uint64_t bytes;
      std::size_t checksum_at;
    };
    std::vector<Section> sections;
    at_ = 12;  // behind magic and format version
    skip_text();
    at_ += 8;
    for (int text = 0; text < 3; ++text) skip_text();
    at_ += 28;
    for (auto left = value<std::uint32_t>(); left > 0 && inside(1); --left) {
      skip_text();
      const std::uint64_t size = value<std::uint32_t>();
      const std::uint64_t bytes = size * value<std::uint64_t>();
      sections.push_back({bytes, at_});
      at_ += 4;
    }
    std::size_t data = at_ + 4;
    for (const Section& section : sections) {
      if (data > content_.size() || section.bytes > content_.size() - data) break;
      put_checksum(section.checksum_at, data, static_cast<std::size_t>(section.bytes));
      data += static_cast<std::size_t>(section.bytes);
    }
    if (inside(4)) put_checksum(at_, 0, at_);
    return content_;
  }

 private:
  bool inside(std::size_t bytes) const {
    return at_ <= content_.size() && bytes <= content_.size() - at_;
  }
  template <class T>
  T value() {
    T value = 0;
    if (inside(sizeof value)) std::memcpy(&value, content_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  void skip_text() { at_ += value<std::uint32_t>(); }
  void put_checksum(std::size_t to, std::size_t from, std::size_t bytes) {
    const auto* data = reinterpret_cast<const Bytef*>(content_.data() + from);
    const auto checksum = static_cast<std::uint32_t>(crc32_z(0, data, bytes));
    std::memcpy(content_.data() + to, &checksum, sizeof checksum);
  }

  std::string content_;
  std::size_t at_ = 0;
};

// A single step of minimum length: its run time must not depend on the input.
void use(Simulation& simulation) {
  constexpr double latest = 1e6;  // s, limit for the time
  simulation.snapshot();
  if (simulation.time() < latest) simulation.advance_to(std::nextafter(simulation.time(), latest));
}

}  // namespace

void fuzz_checkpoint(std::string_view content) {
  try {
    parse_checkpoint(content, "input");
  } catch (const Error&) {
    // Perhaps only the checksums are wrong.
  }
  const Checkpoint checkpoint = parse_checkpoint(ChecksumRepair(content).repaired(), "input");
  const std::unique_ptr<Simulation> simulation = tiny_simulation(checkpoint.info.method);
  simulation->restore(checkpoint.state);
  use(*simulation);
}

std::string example_checkpoint(const std::string& method) {
  const std::unique_ptr<Simulation> simulation = tiny_simulation(method);
  simulation->advance_to(0.01);
  Checkpoint checkpoint;
  checkpoint.info = {
      "0.1.0",           method, "00ff", "cpu", 3, simulation->time(), simulation->steps(),
      simulation->size()};
  simulation->save(checkpoint.state);
  const std::string path =
      std::filesystem::temp_directory_path() / ("panta_checkpoint_" + std::to_string(getpid()));
  write_checkpoint(path, checkpoint.info, checkpoint.state);
  const std::string content = read_binary_file(path);
  remove_file(path);
  return content;
}

}  // namespace panta::fuzz
