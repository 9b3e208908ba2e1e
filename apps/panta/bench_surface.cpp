#include "bench_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

#include "panta/engine/devices.h"
#include "panta/engine/simulation.h"
#include "panta/surface/finish_mesh.h"
#include "panta/surface/reconstruct.h"
#include "print.h"

namespace panta::app {
namespace {

constexpr float spacing = 0.01f, radius = 0.5f * spacing;
constexpr float jitter = 0.2f;  // spacings

// Nine tenths of the particles are a block of jittered lattice; above it are a wavy sheet one
// particle thick and drops of one particle.
std::vector<Vec3> block_sheet_and_drops(double count) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> shift(-jitter, jitter), share(0, 1);
  const auto near = [&](float x, float y, float z) {
    return Vec3{x + shift(generator), y + shift(generator), z + shift(generator)} * spacing;
  };
  std::vector<Vec3> points;
  const int side = static_cast<int>(std::lround(std::cbrt(0.9 * count)));
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        points.push_back(near(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)));
  const float top = static_cast<float>(side);
  const int across = static_cast<int>(std::sqrt(0.06 * count));
  for (int z = 0; z < across; ++z)
    for (int x = 0; x < across; ++x)
      points.push_back(near(static_cast<float>(x) * 0.9f,
                            top + 8 + 2 * std::sin(0.05f * static_cast<float>(x)),
                            static_cast<float>(z) * 0.9f));
  for (int k = 0; k < static_cast<int>(0.04 * count); ++k)
    points.push_back(Vec3{top * share(generator), top * (1.2f + 0.5f * share(generator)),
                          top * share(generator)} *
                     spacing);
  return points;
}

// Memory taken since the last call of start(), in MB: the peak of this process, or the current use
// on the GPU, where surfaces keep their buffers.
class PeakMemory {
 public:
  explicit PeakMemory(bool on_gpu) : on_gpu_(on_gpu) {}
  void start() {
    std::ofstream("/proc/self/clear_refs") << "5";
    before_ = on_gpu_ ? -free_on_gpu() : read("VmRSS:");
  }
  double above() const { return (on_gpu_ ? -free_on_gpu() : read("VmHWM:")) - before_; }

 private:
  static double free_on_gpu() { return free_memory(DeviceKind::cuda) / (1024 * 1024); }
  static double read(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
      if (word == key) {
        double kb = 0;
        status >> kb;
        return kb / 1024;
      }
    return 0;
  }
  bool on_gpu_;
  double before_ = 0;
};

class Bench {
 public:
  Bench(int threads, int repeats)
      : threads_(threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency())),
        repeats_(repeats) {
    print(stdout, "{:<28} {:<6} {:>7} {:>10} {:>7} {:>10} {:>10} {:>9} {:>8}\n", "surface",
          "device", "cell", "particles", "threads", "vertices", "triangles", "seconds", "peak MB");
  }

  void fill(double particles) { points_ = block_sheet_and_drops(particles); }

  void measure_panta(const std::string& device) {
    for (const SurfaceMethod method : {SurfaceMethod::colour, SurfaceMethod::anisotropic}) {
      measure_panta(device, method, 1, false);
      measure_panta(device, method, 1, true);
      measure_panta(device, method, 0.5f, false);
    }
  }

  void measure_panta(const std::string& device, SurfaceMethod method, float cell, bool finished) {
    SurfaceOptions options;
    options.method = method;
    options.cell = cell * radius / spacing;
    options.threads = threads_;
    options.device = device;
    const std::string name = surface_method_names[static_cast<std::size_t>(method)] +
                             (finished ? ", finished" : ", raw");
    PeakMemory memory(device == "cuda");
    memory.start();
    Reconstruction reconstruction(options);
    if (device == "cuda") reconstruction.make({points_, {}, spacing});
    measure(name, device, cell, memory, [&] {
      SurfaceMesh mesh = reconstruction.make({points_, {}, spacing});
      FinishOptions finish;
      finish.cell = cell * radius;
      finish.threads = threads_;
      if (finished) finish_mesh(mesh, finish);
      return MeshSize{mesh.position.size(), mesh.triangles.size()};
    });
  }

  void openvdb(float cell) {
    if (!limit_vdb_threads(threads_)) {
      print(stdout, "(no rows of OpenVDB: install it and configure again)\n");
      return;
    }
    // Large enough to leave no gaps in a lattice; smooth ones have the same range as Panta's.
    constexpr float sphere = 1.75f * radius;
    const auto row = [&](const std::string& name, const std::function<MeshSize()>& make) {
      PeakMemory memory(false);
      memory.start();
      measure(name, "cpu", cell, memory, make);
    };
    row("OpenVDB spheres, mesh", [&] { return vdb_spheres(points_, sphere, cell * radius); });
    row("OpenVDB smooth spheres, mesh",
        [&] { return vdb_smooth_spheres(points_, sphere, 4 * radius, cell * radius); });
  }

  std::vector<SurfaceRow> rows;

 private:
  void measure(const std::string& name, const std::string& device, float cell,
               const PeakMemory& memory, const std::function<MeshSize()>& make) {
    std::vector<double> times;
    SurfaceRow row{name, cell, points_.size(), 0, 0, threads_, 0, 0, device};
    for (int k = 0; k < repeats_; ++k) {
      const auto start = std::chrono::steady_clock::now();
      const MeshSize size = make();
      times.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      row.vertices = size.vertices;
      row.triangles = size.triangles;
    }
    row.peak_mb = memory.above();
    std::nth_element(times.begin(), times.begin() + repeats_ / 2, times.end());
    row.seconds = times[static_cast<std::size_t>(repeats_ / 2)];
    print(stdout, "{:<28} {:<6} {:>5.2f} r {:>10} {:>7} {:>10} {:>10} {:>9.4f} {:>8.0f}\n",
          row.name, row.device, row.cell, row.particles, row.threads, row.vertices, row.triangles,
          row.seconds, row.peak_mb);
    std::fflush(stdout);
    rows.push_back(row);
  }

  std::vector<Vec3> points_;
  int threads_, repeats_;
};

}  // namespace

std::vector<SurfaceRow> bench_surface(const SurfaceBench& options) {
  Bench bench(options.threads, options.repeats);
  bench.fill(options.particles);
  bench.measure_panta("cpu");
  if (options.cuda) bench.measure_panta("cuda");
  bench.openvdb(1);
  if (options.cuda && options.on_cuda_alone > 0) {
    bench.fill(options.on_cuda_alone);
    bench.measure_panta("cuda");
  }
  return std::move(bench.rows);
}

std::string as_json(const SurfaceRow& row) {
  return fmt::format(
      "{{\"name\": \"surface\", \"method\": \"{}\", \"device\": \"{}\", \"threads\": {}, "
      "\"particles\": {}, \"cell\": {}, \"vertices\": {}, \"triangles\": {}, \"seconds\": {:.4f}, "
      "\"peak_mb\": {:.0f}}}",
      row.name, row.device, row.threads, row.particles, row.cell, row.vertices, row.triangles,
      row.seconds, row.peak_mb);
}

}  // namespace panta::app
