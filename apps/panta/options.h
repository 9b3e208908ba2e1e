// Command lines: each command declares its options once; parsing, checks and the help text use
// this.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

namespace panta::app {

// Of --threads and --jobs: more are a mistake, and would take memory and processes of others.
inline constexpr int most_threads = 1024;

struct Option {
  std::string name;   // with its dashes: "--out"
  std::string value;  // name of its value in the help, empty for a flag
  std::string help;
  bool repeats = false;
};

struct CommandLine {
  std::string name;
  std::string operands;  // as in the usage line: "SCENE", "[METHOD]"
  int min_operands = 0, max_operands = 0;
  std::string summary;
  std::vector<Option> options;
};

class Arguments {
 public:
  const std::vector<std::string>& operands() const { return operands_; }
  bool has(const std::string& option) const { return values_.count(option) > 0; }
  std::string text(const std::string& option, const std::string& fallback = "") const;
  std::vector<std::string> all(const std::string& option) const;

  // Throw Error(usage) unless the value is a number (a whole number) of at least `min`, and at most
  // `max`.
  double number(const std::string& option, double fallback, double min) const;
  int integer(const std::string& option, int fallback, int min,
              int max = std::numeric_limits<int>::max()) const;

 private:
  friend Arguments parse_arguments(const CommandLine&, const std::vector<std::string>&);
  std::vector<std::string> operands_;
  std::map<std::string, std::vector<std::string>> values_;
};

// Options may be given as "--name value" or "--name=value"; "--" ends them. Every command has
// "--help", which disables the check of operands. Throws Error(usage).
Arguments parse_arguments(const CommandLine& line, const std::vector<std::string>& args);

std::string help_text(const CommandLine& line);

}  // namespace panta::app
