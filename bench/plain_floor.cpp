// The plain floor: what an SPH step costs when written down directly, with nothing around it.
//
// Sort, neighbour lists, density and force of Mueller et al. 2003 on a jittered lattice, in plain
// arrays and OpenMP loops: no walls, no integration, no phases, no library. `panta bench sph` is
// measured against it (bench/compare-floor). Lengths are in particle spacings, masses in particle
// masses.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <vector>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace {

constexpr float support = 2.0f, support2 = support * support;
constexpr float jitter = 0.2f;  // largest shift along an axis
constexpr float stiffness = 100.0f, viscosity = 0.1f, rest_density = 1.0f;
constexpr int lanes = 16;     // distances at a time
constexpr int capacity = 80;  // of a row of neighbours; the last `lanes` are slack
constexpr int steps_per_stretch = 20;

struct alignas(64) Row {
  int neighbour[capacity];
};

struct Particles {
  std::vector<float> x, y, z, vx, vy, vz;
  // `lanes` of padding: the last distances of a run are computed past its end.
  explicit Particles(int n) {
    for (auto* a : {&x, &y, &z, &vx, &vy, &vz}) a->resize(static_cast<std::size_t>(n + lanes));
  }
};

// A cube of cells of size `support`, with an empty layer all around it.
struct Grid {
  int side;
  std::vector<int> start;  // of each cell in the sorted particles

  int axis(float x) const { return static_cast<int>((x + jitter) / support) + 1; }
  int cell(float x, float y, float z) const { return axis(x) + side * (axis(y) + side * axis(z)); }
};

struct Fluid {
  int size;
  Particles initial, sorted;
  Grid grid;
  std::vector<int> cell, count;  // count: neighbours
  std::vector<Row> rows;
  std::vector<float> push, volume, ax, ay, az;  // push: p V^2

  explicit Fluid(int edge)
      : size(edge * edge * edge),
        initial(size),
        sorted(size),
        grid{0, {}},
        cell(size),
        count(size) {
    rows.resize(static_cast<std::size_t>(size));
    for (auto* a : {&push, &volume, &ax, &ay, &az}) a->resize(static_cast<std::size_t>(size));
    grid.side = grid.axis(static_cast<float>(edge - 1) + jitter) + 2;
    grid.start.resize(static_cast<std::size_t>(grid.side * grid.side * grid.side + 1));
    std::mt19937 random;
    std::uniform_real_distribution<float> shift(-jitter, jitter);
    for (int i = 0; i < size; ++i) {
      initial.x[i] = static_cast<float>(i % edge) + shift(random);
      initial.y[i] = static_cast<float>(i / edge % edge) + shift(random);
      initial.z[i] = static_cast<float>(i / edge / edge) + shift(random);
      initial.vx[i] = shift(random);
      initial.vy[i] = shift(random);
      initial.vz[i] = shift(random);
    }
  }
};

// Counting sort by cell, on one thread: it is small beside the rest.
void sort(Fluid& f) {
  const Particles& from = f.initial;
  Particles& to = f.sorted;
  std::vector<int>& start = f.grid.start;
  std::fill(start.begin(), start.end(), 0);
  for (int i = 0; i < f.size; ++i) {
    f.cell[i] = f.grid.cell(from.x[i], from.y[i], from.z[i]);
    ++start[f.cell[i]];
  }
  std::inclusive_scan(start.begin(), start.end(), start.begin());
  for (int i = f.size - 1; i >= 0; --i) {  // turns the cells' ends into their starts
    const int k = --start[f.cell[i]];
    to.x[k] = from.x[i];
    to.y[k] = from.y[i];
    to.z[k] = from.z[i];
    to.vx[k] = from.vx[i];
    to.vy[k] = from.vy[i];
    to.vz[k] = from.vz[i];
  }
}

// Appends to the row those of [begin, end) that are nearer to i than the support; returns the new
// count, which may exceed what a row holds, but nothing is written beyond it.
int append_run(const Particles& p, int i, int begin, int end, int* row, int count) {
#ifdef __AVX512F__
  const __m512 x = _mm512_set1_ps(p.x[i]), y = _mm512_set1_ps(p.y[i]), z = _mm512_set1_ps(p.z[i]);
  const __m512i ramp = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (int j = begin; j < end; j += lanes) {
    const __m512 dx = _mm512_sub_ps(_mm512_loadu_ps(&p.x[j]), x);
    const __m512 dy = _mm512_sub_ps(_mm512_loadu_ps(&p.y[j]), y);
    const __m512 dz = _mm512_sub_ps(_mm512_loadu_ps(&p.z[j]), z);
    const __m512 r2 = _mm512_fmadd_ps(dz, dz, _mm512_fmadd_ps(dy, dy, _mm512_mul_ps(dx, dx)));
    const __m512i index = _mm512_add_epi32(_mm512_set1_epi32(j), ramp);
    __mmask16 near = _mm512_cmp_ps_mask(r2, _mm512_set1_ps(support2), _CMP_LT_OQ);
    near = _mm512_mask_cmplt_epi32_mask(near, index, _mm512_set1_epi32(end));
    near = _mm512_mask_cmpneq_epi32_mask(near, index, _mm512_set1_epi32(i));
    // In a register first: a compress straight to memory is slow on some processors.
    _mm512_storeu_si512(row + std::min(count, capacity - lanes),
                        _mm512_maskz_compress_epi32(near, index));
    count += __builtin_popcount(near);
  }
#else
  for (int j = begin; j < end; j += lanes) {
    float r2[lanes];
#pragma omp simd
    for (int k = 0; k < lanes; ++k) {
      const float dx = p.x[j + k] - p.x[i], dy = p.y[j + k] - p.y[i], dz = p.z[j + k] - p.z[i];
      r2[k] = dx * dx + dy * dy + dz * dz;
    }
    for (int k = 0; k < std::min(lanes, end - j); ++k) {
      row[std::min(count, capacity - 1)] = j + k;
      count += (r2[k] < support2) & (j + k != i);
    }
  }
#endif
  return count;
}

// Neighbours of each particle, itself left out: nine contiguous runs of three cells along x.
void build_lists(Fluid& f) {
  const Particles& p = f.sorted;
  const int side = f.grid.side;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < f.size; ++i) {
    const int* middle = &f.grid.start[f.grid.cell(p.x[i], p.y[i], p.z[i])];
    int count = 0;
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy) {
        const int* run = middle + side * (dy + side * dz);
        count = append_run(p, i, run[-1], run[2], f.rows[i].neighbour, count);
      }
    f.count[i] = count;
  }
}

// rho = m sum W_poly6, p = k (rho - rho0)
void compute_density(Fluid& f) {
  const float factor = 315 / (64 * std::numbers::pi_v<float> * std::pow(support, 9.0f));
  const float *x = f.sorted.x.data(), *y = f.sorted.y.data(), *z = f.sorted.z.data();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < f.size; ++i) {
    const int* row = f.rows[i].neighbour;
    const float xi = x[i], yi = y[i], zi = z[i];
    float sum = support2 * support2 * support2;  // its own
#pragma omp simd reduction(+ : sum)
    for (int k = 0; k < f.count[i]; ++k) {
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
  const float *x = f.sorted.x.data(), *y = f.sorted.y.data(), *z = f.sorted.z.data();
  const float *vx = f.sorted.vx.data(), *vy = f.sorted.vy.data(), *vz = f.sorted.vz.data();
  const float *push = f.push.data(), *volume = f.volume.data();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < f.size; ++i) {
    const int* row = f.rows[i].neighbour;
    const float xi = x[i], yi = y[i], zi = z[i], vxi = vx[i], vyi = vy[i], vzi = vz[i];
    const float push_i = push[i], drag_i = viscosity * volume[i];
    float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
    for (int k = 0; k < f.count[i]; ++k) {
      const int j = row[k];
      const float dx = xi - x[j], dy = yi - y[j], dz = zi - z[j];
      const float r = std::sqrt(dx * dx + dy * dy + dz * dz + 1e-20f), s = support - r;
      const float along = (push_i + push[j]) * s * s / r, drag = drag_i * volume[j] * s;
      ax += along * dx + drag * (vx[j] - vxi);
      ay += along * dy + drag * (vy[j] - vyi);
      az += along * dz + drag * (vz[j] - vzi);
    }
    f.ax[i] = factor * ax;
    f.ay[i] = factor * ay;
    f.az[i] = factor * az;
  }
}

struct Stage {
  const char* name;
  void (*run)(Fluid&);
  std::vector<double> times;  // ms per step, one for each stretch
};

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
  return v[v.size() / 2];
}

// Runs the steps of one stretch and notes the mean time of each stage; returns their sum.
double timed_stretch(Fluid& f, std::vector<Stage>& stages) {
  std::vector<double> sums(stages.size());
  for (int step = 0; step < steps_per_stretch; ++step)
    for (std::size_t k = 0; k < stages.size(); ++k) {
      const auto start = std::chrono::steady_clock::now();
      stages[k].run(f);
      const std::chrono::duration<double, std::milli> time =
          std::chrono::steady_clock::now() - start;
      sums[k] += time.count() / steps_per_stretch;
    }
  for (std::size_t k = 0; k < stages.size(); ++k) stages[k].times.push_back(sums[k]);
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

int main(int argc, char** argv) {
  double particles = 1e5;
  int threads = omp_get_max_threads(), repeats = 5;
  const char* json = nullptr;
  bool understood = argc % 2 == 1;
  for (int k = 1; understood && k < argc; k += 2) {
    const std::string option = argv[k];
    if (option == "--particles")
      particles = std::atof(argv[k + 1]);
    else if (option == "--threads")
      threads = std::atoi(argv[k + 1]);
    else if (option == "--repeats")
      repeats = std::atoi(argv[k + 1]);
    else if (option == "--json")
      json = argv[k + 1];
    else
      understood = false;
  }
  if (!understood || !(particles >= 1 && particles <= 1e8) || threads < 1 || repeats < 1) {
    std::fputs(
        "usage: panta_bench_floor [--threads N] [--particles N] [--repeats N] "
        "[--json FILE]\n",
        stderr);
    return 2;
  }

  omp_set_num_threads(threads);
  Fluid fluid(static_cast<int>(std::lround(std::cbrt(particles))));
  std::vector<Stage> stages{{"sort", sort, {}},
                            {"lists", build_lists, {}},
                            {"density", compute_density, {}},
                            {"force", compute_force, {}}};
  sort(fluid);
  build_lists(fluid);
  if (*std::max_element(fluid.count.begin(), fluid.count.end()) > capacity - lanes) {
    std::fputs("a particle has more neighbours than a row holds\n", stderr);
    return 1;
  }
  timed_stretch(fluid, stages);  // warm-up
  for (Stage& stage : stages) stage.times.clear();
  std::vector<double> totals;
  for (int k = 0; k < repeats; ++k) totals.push_back(timed_stretch(fluid, stages));

  const double pairs = std::accumulate(fluid.count.begin(), fluid.count.end(), 0.0);
  std::string times;
  char text[512];
  for (const Stage& stage : stages) {
    std::snprintf(text, sizeof text, "%s\"%s\": %.4f", times.empty() ? "" : ", ", stage.name,
                  median(stage.times));
    times += text;
  }
  std::snprintf(text, sizeof text,
                "{\"name\": \"plain_floor\", \"device\": \"cpu\", \"threads\": %d, "
                "\"particles\": %d, \"neighbours\": %.1f, \"steps\": %d, \"ms_per_step\": %.4f, "
                "\"stages\": {%s}}",
                threads, fluid.size, pairs / fluid.size, steps_per_stretch, median(totals),
                times.c_str());
  std::puts(text);
  if (json) {
    std::FILE* file = std::fopen(json, "w");
    if (!file || std::fprintf(file, "[\n  %s\n]\n", text) < 0 || std::fclose(file) != 0) {
      std::fprintf(stderr, "cannot write '%s'\n", json);
      return 1;
    }
  }
}
