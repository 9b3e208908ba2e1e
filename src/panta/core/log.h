// A logger handed down as an argument: no global state.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace panta {

enum class LogLevel { error, warning, info, detail };

class Log {
 public:
  explicit Log(LogLevel level = LogLevel::info, std::FILE* stream = stderr)
      : level_(level), stream_(stream) {}

  template <class... A>
  void error(fmt::format_string<A...> f, A&&... a) const {
    write(LogLevel::error, "error: ", fmt::format(f, std::forward<A>(a)...));
  }
  template <class... A>
  void warning(fmt::format_string<A...> f, A&&... a) const {
    write(LogLevel::warning, "warning: ", fmt::format(f, std::forward<A>(a)...));
  }
  template <class... A>
  void info(fmt::format_string<A...> f, A&&... a) const {
    write(LogLevel::info, "", fmt::format(f, std::forward<A>(a)...));
  }
  template <class... A>
  void detail(fmt::format_string<A...> f, A&&... a) const {
    write(LogLevel::detail, "", fmt::format(f, std::forward<A>(a)...));
  }
  LogLevel level() const { return level_; }

 private:
  void write(LogLevel level, const char* prefix, const std::string& text) const {
    if (level <= level_) fmt::print(stream_, "{}{}\n", prefix, text);
  }
  LogLevel level_;
  std::FILE* stream_;
};

}  // namespace panta
