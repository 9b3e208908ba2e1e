// panta validate: runs the validation studies on every available device, prints a table and writes
// plots.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "commands.h"
#include "panta/core/error.h"
#include "panta/core/file.h"
#include "panta/core/suggest.h"
#include "panta/engine/devices.h"
#include "panta/validation/study.h"

namespace panta::app {
namespace {

// A name selects a study ("sph/drop"), all studies of a method ("sph") or a study for every method
// ("bodies").
std::vector<Study> chosen_studies(const std::vector<std::string>& names) {
  if (names.empty()) return studies();
  std::vector<std::string> valid;
  for (const Study& s : studies()) {
    const auto slash = s.name.find('/');
    for (const std::string& name : {s.name, s.name.substr(0, slash), s.name.substr(slash + 1)})
      if (std::find(valid.begin(), valid.end(), name) == valid.end()) valid.push_back(name);
  }
  std::vector<Study> chosen;
  for (const std::string& name : names) {
    if (std::find(valid.begin(), valid.end(), name) == valid.end())
      throw Error(ErrorKind::usage, "unknown study '{}'{}", name, suggestion(name, valid));
    for (const Study& s : studies())
      if (s.name == name || s.name.starts_with(name + "/") || s.name.ends_with("/" + name))
        chosen.push_back(s);
  }
  return chosen;
}

std::vector<std::string> chosen_devices(const Arguments& args) {
  if (args.has("--device")) return {args.text("--device")};
  return cuda_available() ? std::vector<std::string>{"cpu", "cuda"}
                          : std::vector<std::string>{"cpu"};
}

void print_result(const StudyResult& result, const std::string& device) {
  for (const Check& c : result.checks)
    fmt::print("{:<18} {:<5} {:<44} {:>11.4g} {:>9.3g}  {}\n", result.name, device, c.quantity,
               c.value, c.limit, c.passed() ? "ok" : "FAILED");
  std::fflush(stdout);
}

void write_plots(const StudyResult& result, const std::string& device, const std::string& folder) {
  std::string stem = result.name;
  std::replace(stem.begin(), stem.end(), '/', '_');
  for (std::size_t k = 0; k < result.plots.size(); ++k)
    write_svg(
        fmt::format("{}/{}_{}{}.svg", folder, stem, device, k ? fmt::format("_{}", k + 1) : ""),
        result.plots[k]);
}

int validate(const Arguments& args) {
  const std::vector<Study> chosen = chosen_studies(args.operands());
  const std::string folder = args.text("--out", "results/validate");
  make_folder(folder);
  DeviceOptions options;
  options.threads = args.integer("--threads", 0, 0);
  bool all_passed = true;
  fmt::print("{:<18} {:<5} {:<44} {:>11} {:>9}\n", "study", "on", "quantity", "value", "limit");
  for (const Study& study : chosen)
    for (const std::string& device : chosen_devices(args)) {
      options.device = device;
      const StudyResult result =
          study.run(options, args.has("--small") ? StudySize::small : StudySize::full);
      print_result(result, device);
      write_plots(result, device, folder);
      all_passed = all_passed && result.passed();
    }
  fmt::print("plots in {}\n", folder);
  return all_passed ? exit_done : static_cast<int>(ErrorKind::simulation);
}

}  // namespace

Command validate_command() {
  return {{"validate",
           "[NAME...]",
           0,
           32,
           "run studies against experiments and closed forms (names: sph, sph/drop, ...)",
           {{"--out", "DIR", "where plots go (results/validate)"},
            {"--device", "NAME", "cpu or cuda; all present otherwise"},
            {"--threads", "N", "CPU threads, 0 for all cores"},
            {"--small", "", "at the size the tests use"}}},
          validate};
}

}  // namespace panta::app
