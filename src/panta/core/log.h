// A logger that is passed as an argument: no global state.
#pragma once

#include <cstdio>
#include <string>
#include <utility>

#ifndef __CUDACC__
#include <fmt/core.h>
#endif

namespace panta {

enum class LogLevel { error, warning, info, detail };

class Log {
 public:
  explicit Log(LogLevel level = LogLevel::info, std::FILE* stream = stderr)
      : level_(level), stream_(stream) {}

#ifndef __CUDACC__
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
#endif
  LogLevel level() const { return level_; }

 private:
  void write(LogLevel level, const char* prefix, const std::string& text) const {
    if (level <= level_) std::fprintf(stream_, "%s%s\n", prefix, text.c_str());
  }
  LogLevel level_;
  std::FILE* stream_;
};

}  // namespace panta
