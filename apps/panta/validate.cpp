// panta validate: runs the validation studies on every available device, prints a table and writes
// plots.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "commands.h"
#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/core/suggest.h"
#include "panta/engine/devices.h"
#include "panta/validation/study.h"
#include "print.h"
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
    print(stdout, "{:<18} {:<5} {:<44} {:>11.4g} {:>9.3g}  {}\n", result.name, device, c.quantity,
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

// Runs the studies on the devices, several at a time; prints and reports each when it is done.
class StudyQueue {
 public:
  StudyQueue(const Arguments& args, const std::vector<Study>& chosen)
      : folder_(args.text("--out", "results/validate")),
        report_(args.text("--report", "")),
        threads_(args.integer("--threads", 0, 0, most_threads)),
        size_(args.has("--small") ? StudySize::small : StudySize::full) {
    for (const Study& study : chosen)
      for (const std::string& device : chosen_devices(args)) tasks_.push_back({study, device});
    done_.resize(tasks_.size());
    make_folder(folder_);
  }

  void run(int jobs) {
    std::vector<std::thread> workers;
    for (int k = 1; k < jobs; ++k) workers.emplace_back([this] { work(); });
    work();
    for (std::thread& worker : workers) worker.join();
    if (error_) std::rethrow_exception(error_);
  }

  bool all_passed() const {
    return std::all_of(done_.begin(), done_.end(),
                       [](const auto& task) { return task && task->result.passed(); });
  }
  const std::string& folder() const { return folder_; }

 private:
  struct Task {
    Study study;
    std::string device;
  };

  void work() {
    for (std::size_t k = next_++; k < tasks_.size(); k = next_++) {
      try {
        DeviceOptions options;
        options.device = tasks_[k].device;
        options.threads = threads_;
        finish(k, tasks_[k].study.run(options, size_));
      } catch (...) {
        next_ = tasks_.size();
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
      }
    }
  }

  void finish(std::size_t k, const StudyResult& result) {
    const std::lock_guard lock(mutex_);
    const std::string& device = tasks_[k].device;
    print_result(result, device);
    done_[k] = StudyOnDevice{result, device, write_plots(result, device, folder_)};
    if (report_.empty()) return;
    std::vector<StudyOnDevice> all;
    for (const auto& task : done_)
      if (task) all.push_back(*task);
    write_report(all, report_);  // after every study, so that an interrupted run leaves a report
  }

  std::string folder_, report_;
  int threads_;
  StudySize size_;
  std::vector<Task> tasks_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;  // protects what follows
  std::vector<std::optional<StudyOnDevice>> done_;
  std::exception_ptr error_;
};

int validate(const Arguments& args) {
  StudyQueue queue(args, chosen_studies(args.operands()));
  print(stdout, "{:<18} {:<5} {:<44} {:>11} {:>9}\n", "study", "on", "quantity", "value", "limit");
  queue.run(args.integer("--jobs", 1, 1, most_threads));
  print(stdout, "plots in {}\n", queue.folder());
  return queue.all_passed() ? exit_done : static_cast<int>(ErrorKind::simulation);
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
            {"--threads", "N", "CPU threads of a study, 0 for all cores"},
            {"--jobs", "N", "studies that run at the same time (1)"},
            {"--small", "", "at the small size of the tests"},
            {"--report", "FILE", "write the results as a Markdown page"}}},
          validate};
}

}  // namespace panta::app
