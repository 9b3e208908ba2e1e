// panta validate: runs the validation studies on every available device, prints a table and writes
// plots.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "commands.h"
#include "panta/core/error.h"
#include "panta/core/file.h"
#include "panta/core/suggest.h"
#include "panta/engine/devices.h"
#include "panta/validation/study.h"
#include "validation_report.h"

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

// The files that it writes.
std::vector<std::string> write_plots(const StudyResult& result, const std::string& device,
                                     const std::string& folder) {
  std::string stem = result.name;
  std::replace(stem.begin(), stem.end(), '/', '_');
  std::vector<std::string> files;
  for (std::size_t k = 0; k < result.plots.size(); ++k) {
    files.push_back(
        fmt::format("{}/{}_{}{}.svg", folder, stem, device, k ? fmt::format("_{}", k + 1) : ""));
    write_svg(files.back(), result.plots[k]);
  }
  return files;
}

void write_report(const std::vector<StudyOnDevice>& results, const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  write_text_file(file, validation_page(results, folder.empty() ? "." : folder));
}

int validate(const Arguments& args) {
  const std::vector<Study> chosen = chosen_studies(args.operands());
  const std::string folder = args.text("--out", "results/validate");
  make_folder(folder);
  DeviceOptions options;
  options.threads = args.integer("--threads", 0, 0);
  std::vector<StudyOnDevice> all;
  bool all_passed = true;
  fmt::print("{:<18} {:<5} {:<44} {:>11} {:>9}\n", "study", "on", "quantity", "value", "limit");
  for (const Study& study : chosen)
    for (const std::string& device : chosen_devices(args)) {
      options.device = device;
      const StudyResult result =
          study.run(options, args.has("--small") ? StudySize::small : StudySize::full);
      print_result(result, device);
      all.push_back({result, device, write_plots(result, device, folder)});
      if (args.has("--report")) write_report(all, args.text("--report"));  // kept if interrupted
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
           {{"--out", "DIR", "folder for plots (results/validate)"},
            {"--device", "NAME", "cpu or cuda; all present otherwise"},
            {"--threads", "N", "CPU threads, 0 for all cores"},
            {"--small", "", "at the small size of the tests"},
            {"--report", "FILE", "write the results as a Markdown page"}}},
          validate};
}

}  // namespace panta::app
