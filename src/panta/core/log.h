// A logger that is passed as an argument: no global state.
#pragma once

#include <cstdio>
#include <string>

namespace panta {

enum class LogLevel { error, warning, info, detail };

class Log {
 public:
  explicit Log(LogLevel level = LogLevel::info, std::FILE* stream = stderr)
      : level_(level), stream_(stream) {}

  void error(const std::string& text) const { write(LogLevel::error, "error: ", text); }
  void warning(const std::string& text) const { write(LogLevel::warning, "warning: ", text); }
  void info(const std::string& text) const { write(LogLevel::info, "", text); }
  void detail(const std::string& text) const { write(LogLevel::detail, "", text); }
  LogLevel level() const { return level_; }

 private:
  // On one line; control characters are escaped.
  void write(LogLevel level, const char* prefix, const std::string& text) const;

  LogLevel level_;
  std::FILE* stream_;
};

}  // namespace panta
