// Parsing of command lines.
#include "options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "panta/core/error_format.h"
#include "panta/core/suggest.h"

namespace panta::app {
namespace {

const Option help_option = {"--help", "", "show this text"};

std::vector<Option> all_options(const CommandLine& line) {
  std::vector<Option> options = line.options;
  options.push_back(help_option);
  return options;
}

const Option& find_option(const std::vector<Option>& options, const std::string& name) {
  const std::string& wanted = name == "-h" ? help_option.name : name;
  std::vector<std::string> names;
  for (const Option& option : options) {
    if (option.name == wanted) return option;
    names.push_back(option.name);
  }
  throw Error(ErrorKind::usage, "unknown option '{}'{}", name, suggestion(name, names));
}

void check_operands(const CommandLine& line, const std::vector<std::string>& operands) {
  const int count = static_cast<int>(operands.size());
  if (count < line.min_operands)
    throw Error(ErrorKind::usage, "{} is missing (see 'panta {} --help')", line.operands,
                line.name);
  if (count > line.max_operands)
    throw Error(ErrorKind::usage, "unexpected '{}' (see 'panta {} --help')",
                operands[static_cast<std::size_t>(line.max_operands)], line.name);
}

template <class T>
T parse_number(const std::string& option, const std::string& text, T min, const char* kind) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= min))
    throw Error(ErrorKind::usage, "{} must be {} >= {}, got '{}'", option, kind, min, text);
  return value;
}

}  // namespace

std::string Arguments::text(const std::string& option, const std::string& fallback) const {
  return has(option) ? values_.at(option).back() : fallback;
}

std::vector<std::string> Arguments::all(const std::string& option) const {
  return has(option) ? values_.at(option) : std::vector<std::string>{};
}

double Arguments::number(const std::string& option, double fallback, double min) const {
  return has(option) ? parse_number(option, text(option), min, "a number") : fallback;
}

int Arguments::integer(const std::string& option, int fallback, int min, int max) const {
  if (!has(option)) return fallback;
  const int value = parse_number(option, text(option), min, "a whole number");
  if (value > max)
    throw Error(ErrorKind::usage, "{} must be at most {}, got {}", option, max, value);
  return value;
}

Arguments parse_arguments(const CommandLine& line, const std::vector<std::string>& args) {
  const std::vector<Option> options = all_options(line);
  Arguments result;
  bool options_ended = false;
  for (std::size_t k = 0; k < args.size(); ++k) {
    const std::string& arg = args[k];
    if (options_ended || arg.size() < 2 || arg[0] != '-') {
      result.operands_.push_back(arg);
      continue;
    }
    if (arg == "--") {
      options_ended = true;
      continue;
    }
    const std::size_t equals = arg.find('=');
    const bool attached = equals != std::string::npos;
    const Option option = find_option(options, arg.substr(0, equals));
    if (result.has(option.name) && !option.repeats)
      throw Error(ErrorKind::usage, "{} is given twice", option.name);
    std::string value;
    if (option.value.empty()) {
      if (attached) throw Error(ErrorKind::usage, "{} takes no value", option.name);
    } else if (attached) {
      value = arg.substr(equals + 1);
    } else {
      if (k + 1 == args.size() || args[k + 1].starts_with("--"))
        throw Error(ErrorKind::usage, "{} needs a value: {}", option.name, option.value);
      value = args[++k];
    }
    if (!option.value.empty() && value.empty())
      throw Error(ErrorKind::usage, "{} needs a value, got an empty text: {}", option.name,
                  option.value);
    result.values_[option.name].push_back(value);
  }
  if (!result.has(help_option.name)) check_operands(line, result.operands_);
  return result;
}

std::string help_text(const CommandLine& line) {
  std::string text = fmt::format("usage: panta {}{}{} [options]\n\n{}\n\noptions:\n", line.name,
                                 line.operands.empty() ? "" : " ", line.operands, line.summary);
  std::size_t width = 0;
  const auto heading = [](const Option& option) {
    return option.name + (option.value.empty() ? "" : " " + option.value);
  };
  for (const Option& option : all_options(line)) width = std::max(width, heading(option).size());
  for (const Option& option : all_options(line))
    text += fmt::format("  {:<{}}  {}\n", heading(option), width, option.help);
  return text;
}

}  // namespace panta::app
