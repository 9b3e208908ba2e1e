// Reference program: the time of an SPH step in a direct, minimal implementation.
//
// Sort, neighbour lists, density and force of Mueller et al. 2003 on a jittered lattice, in plain
// arrays and OpenMP loops: no walls, no integration, no phases. `panta bench sph` is compared with
// it (bench/compare-floor). Lengths are in particle spacings, masses in particle masses.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace {

constexpr float support = 2.0f, support2 = support * support;
constexpr float jitter = 0.2f;  // largest shift along an axis
constexpr float stiffness = 100.0f, viscosity = 0.1f, rest_density = 1.0f;
constexpr int lanes = 16;     // distances at a time
constexpr int capacity = 64;  // of a row of neighbours; the last `lanes` are reserve
constexpr int steps_per_stretch = 20;

struct alignas(64) Row : std::array<int, capacity> {};
using Particles = std::array<std::vector<float>, 6>;  // x, y, z, vx, vy, vz

struct Fluid {
  int size, side;  // side: cells along each axis, an empty layer around them included
  Particles initial, sorted;
  std::vector<int> cell, start, count;  // start of each cell in `sorted`; count of neighbours
  std::vector<Row> rows;
  std::vector<float> push, volume, ax, ay, az;  // push: p V^2

  // Cells are as large as the support.
  static int axis(float x) { return static_cast<int>((x + jitter) / support) + 1; }
  int cell_of(const Particles& p, int i) const {
    return axis(p[0][i]) + side * (axis(p[1][i]) + side * axis(p[2][i]));
  }

  explicit Fluid(int edge) : size(edge * edge * edge), side(axis(edge - 1 + jitter) + 2) {
    rows.resize(size);
    start.resize(side * side * side + 1);
    for (auto* a : {&cell, &count}) a->resize(size);
    // Padded: the last distances of a run are computed past its end.
    for (auto* particles : {&initial, &sorted})
      for (auto& a : *particles) a.resize(size + lanes);
    for (auto* a : {&push, &volume, &ax, &ay, &az}) a->resize(size);
    std::mt19937 random;
    std::uniform_real_distribution<float> shift(-jitter, jitter);
    for (int i = 0; i < size; ++i) {
      const int lattice[6] = {i % edge, i / edge % edge, i / edge / edge, 0, 0, 0};
      for (int a = 0; a < 6; ++a) initial[a][i] = lattice[a] + shift(random);
    }
  }
};

// Counting sort by cell, on one thread: its time is small.
void sort(Fluid& f) {
  std::fill(f.start.begin(), f.start.end(), 0);
  for (int i = 0; i < f.size; ++i) ++f.start[f.cell[i] = f.cell_of(f.initial, i)];
  std::inclusive_scan(f.start.begin(), f.start.end(), f.start.begin());
  for (int i = f.size - 1; i >= 0; --i) {  // converts the cells' ends to their starts
    const int k = --f.start[f.cell[i]];
    for (int a = 0; a < 6; ++a) f.sorted[a][k] = f.initial[a][i];
  }
}

// Appends the particles of [begin, end) within the support of i to the row; returns the new count,
// which may exceed the capacity of a row, but nothing is written beyond it.
int append_run(const Particles& p, int i, int begin, int end, int* row, int count) {
  const float *x = p[0].data(), *y = p[1].data(), *z = p[2].data();
  for (int j = begin; j < end; j += lanes) {
#ifdef __AVX512F__
    const __m512 dx = _mm512_sub_ps(_mm512_loadu_ps(x + j), _mm512_set1_ps(x[i]));
    const __m512 dy = _mm512_sub_ps(_mm512_loadu_ps(y + j), _mm512_set1_ps(y[i]));
    const __m512 dz = _mm512_sub_ps(_mm512_loadu_ps(z + j), _mm512_set1_ps(z[i]));
    const __m512 r2 = _mm512_fmadd_ps(dz, dz, _mm512_fmadd_ps(dy, dy, _mm512_mul_ps(dx, dx)));
    const __m512i ramp = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i index = _mm512_add_epi32(_mm512_set1_epi32(j), ramp);
    __mmask16 near = _mm512_cmp_ps_mask(r2, _mm512_set1_ps(support2), _CMP_LT_OQ);
    near = _mm512_mask_cmplt_epi32_mask(near, index, _mm512_set1_epi32(end));
    near = _mm512_mask_cmpneq_epi32_mask(near, index, _mm512_set1_epi32(i));
    // In a register first: a compress directly to memory is slow on some processors.
    const __m512i found = _mm512_maskz_compress_epi32(near, index);
    _mm512_storeu_si512(row + std::min(count, capacity - lanes), found);
    count += __builtin_popcount(near);
#else
    float r2[lanes];
#pragma omp simd
    for (int k = 0; k < lanes; ++k) {
      const float dx = x[j + k] - x[i], dy = y[j + k] - y[i], dz = z[j + k] - z[i];
      r2[k] = dx * dx + dy * dy + dz * dz;
    }
    for (int k = 0; k < std::min(lanes, end - j); ++k) {
      row[std::min(count, capacity - 1)] = j + k;
      count += (r2[k] < support2) & (j + k != i);
    }
#endif
  }
  return count;
}

// Neighbours of each particle, without itself: nine contiguous runs of three cells along x. Rows
// are filled up with the particle itself, so that sums over them need no remainder loop.
void build_lists(Fluid& f) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < f.size; ++i) {
    const int* middle = &f.start[f.cell_of(f.sorted, i)];
    int *row = f.rows[i].data(), count = 0;
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy) {
        const int* run = middle + f.side * (dy + f.side * dz);
        count = append_run(f.sorted, i, run[-1], run[2], row, count);
      }
    std::fill_n(row + std::min(count, capacity - lanes), lanes, i);
    f.count[i] = count;
  }
}

int padded(int count) { return (count + lanes - 1) / lanes * lanes; }

// rho = m sum W_poly6, p = k (rho - rho0)
void compute_density(Fluid& f) {
  const float factor = 315 / (64 * std::numbers::pi_v<float> * std::pow(support, 9.0f));
  const float *x = f.sorted[0].data(), *y = f.sorted[1].data(), *z = f.sorted[2].data();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < f.size; ++i) {
    const int *row = f.rows[i].data(), count = padded(f.count[i]);
    const float xi = x[i], yi = y[i], zi = z[i];
    // Its own contribution, counted once: without the entries that fill up the row.
    float sum = support2 * support2 * support2 * (1 - (count - f.count[i]));
#pragma omp simd reduction(+ : sum)
    for (int k = 0; k < count; ++k) {
      const int j = row[k];
      const float dx = xi - x[j], dy = yi - y[j], dz = zi - z[j];
      const float s = support2 - (dx * dx + dy * dy + dz * dz);
      sum += s * s * s;
    }
    const float density = factor * sum;
    f.volume[i] = 1 / density;
    f.push[i] = stiffness * (density - rest_density) * f.volume[i] * f.volume[i];
  }
}

// m a = -sum (p_i V_i^2 + p_j V_j^2) grad W_spiky + mu V_i sum V_j (v_j - v_i) Lap W_viscosity
void compute_force(Fluid& f) {
  const float factor = 45 / (std::numbers::pi_v<float> * std::pow(support, 6.0f));
  const float *x = f.sorted[0].data(), *y = f.sorted[1].data(), *z = f.sorted[2].data();
  const float *vx = f.sorted[3].data(), *vy = f.sorted[4].data(), *vz = f.sorted[5].data();
  const float *push = f.push.data(), *volume = f.volume.data();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < f.size; ++i) {
    const int *row = f.rows[i].data(), count = padded(f.count[i]);
    const float xi = x[i], yi = y[i], zi = z[i], vxi = vx[i], vyi = vy[i], vzi = vz[i];
    const float push_i = push[i], drag_i = viscosity * volume[i];
    float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
    for (int k = 0; k < count; ++k) {
      const int j = row[k];
      const float dx = xi - x[j], dy = yi - y[j], dz = zi - z[j];
      const float r = std::sqrt(dx * dx + dy * dy + dz * dz + 1e-20f), s = support - r;
      const float along = (push_i + push[j]) * s * s / r, drag = drag_i * volume[j] * s;
      ax += along * dx + drag * (vx[j] - vxi);
      ay += along * dy + drag * (vy[j] - vyi);
      az += along * dz + drag * (vz[j] - vzi);
    }
    f.ax[i] = factor * ax, f.ay[i] = factor * ay, f.az[i] = factor * az;
  }
}

constexpr std::pair<const char*, void (*)(Fluid&)> stages[] = {
    {"sort", sort}, {"lists", build_lists}, {"density", compute_density}, {"force", compute_force}};
using Times = std::array<double, std::size(stages) + 1>;  // ms per step: each stage, all together

Times timed_stretch(Fluid& f) {
  Times times{};
  for (int step = 0; step < steps_per_stretch; ++step)
    for (std::size_t k = 0; k < std::size(stages); ++k) {
      const auto start = std::chrono::steady_clock::now();
      stages[k].second(f);
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
      times[k] += 1e3 * time.count() / steps_per_stretch;
    }
  times.back() = std::accumulate(times.begin(), times.end() - 1, 0.0);
  return times;
}

double median(const std::vector<Times>& all, std::size_t k) {
  std::vector<double> v(all.size());
  std::ranges::transform(all, v.begin(), [k](const Times& times) { return times[k]; });
  std::ranges::sort(v);
  return v[v.size() / 2];
}

int fail(int status, const char* message) {
  fmt::print(stderr, "panta_bench_floor: {}\n", message);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> options{
      {"--threads", "1"}, {"--particles", "1e5"}, {"--repeats", "5"}, {"--json", ""}};
  for (int k = 1; k + 1 < argc; k += 2) options[argv[k]] = argv[k + 1];
  const auto number = [&](const char* name) { return std::atof(options[name].c_str()); };
  const int threads = number("--threads"), repeats = number("--repeats");
  const double particles = number("--particles");
  const bool known =
      argc % 2 == 1 && options.size() == 4;  // an unknown option would have added an entry
  if (!known || threads < 1 || repeats < 1 || !(particles >= 1 && particles <= 1e8))
    return fail(2, "usage: [--threads N] [--particles N] [--repeats N] [--json FILE]");

  omp_set_num_threads(threads);
  Fluid fluid(static_cast<int>(std::lround(std::cbrt(particles))));
  sort(fluid);
  build_lists(fluid);
  if (std::ranges::max(fluid.count) > capacity - lanes)
    return fail(1, "a particle has more neighbours than a row holds");
  timed_stretch(fluid);  // warm-up
  std::vector<Times> all;
  for (int k = 0; k < repeats; ++k) all.push_back(timed_stretch(fluid));

  const double pairs = std::accumulate(fluid.count.begin(), fluid.count.end(), 0.0);
  std::string times;
  for (std::size_t k = 0; k < std::size(stages); ++k)
    times += fmt::format("{}\"{}\": {:.4f}", k ? ", " : "", stages[k].first, median(all, k));
  const std::string row = fmt::format(
      "{{\"name\": \"plain_floor\", \"device\": \"cpu\", \"threads\": {}, \"particles\": {}, "
      "\"neighbours\": {:.1f}, \"steps\": {}, \"ms_per_step\": {:.4f}, \"stages\": {{{}}}}}",
      threads, fluid.size, pairs / fluid.size, steps_per_stretch, median(all, std::size(stages)),
      times);
  fmt::print("{}\n", row);
  if (const std::string& path = options["--json"]; !path.empty())
    if (!(std::ofstream(path) << "[\n  " << row << "\n]\n" << std::flush))
      return fail(1, "cannot write the JSON file");
}
