// Validation studies: a simulation against something that is not ours: a closed form, an
// experiment, a conserved quantity. `panta validate` runs them at full size and prints a table;
// tests run the same studies, some of them smaller.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "panta/engine/simulation.h"
#include "panta/io/svg_plot.h"

namespace panta {

struct Check {
  std::string quantity;
  double value = 0;  // what is held against the limit
  double limit = 0;
  std::string unit;
  bool passed() const { return value <= limit; }  // NaN fails
};

struct StudyResult {
  std::string name, title;
  std::vector<Check> checks;
  std::vector<Plot> plots;
  bool passed() const {
    for (const Check& c : checks)
      if (!c.passed()) return false;
    return !checks.empty();
  }
};

enum class StudySize { small, full };

struct Study {
  std::string name;  // method/what
  std::function<StudyResult(const DeviceOptions&, StudySize)> run;
};

// All studies, in the order of the table.
const std::vector<Study>& studies();

// A value read off a curve, linear between its points.
double interpolate(const std::vector<double>& x, const std::vector<double>& y, double at);

// The slope of the straight line through the points, by least squares.
double fitted_slope(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace panta
