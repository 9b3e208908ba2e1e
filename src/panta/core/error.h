// Errors that say what failed, where, and how to correct it. Every failure that the user can cause
// is an Error; its kind decides the exit code of the command.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#ifndef __CUDACC__  // nvcc cannot compile fmt; device sources pass finished strings to Error
#include <fmt/core.h>
#endif

namespace panta {

enum class ErrorKind {
  usage = 2,       // wrong option or scene
  simulation = 3,  // the simulation itself failed: NaN, explosion
  io = 4,          // reading or writing files
  device = 5,      // missing or failing GPU, out of memory
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

#ifndef __CUDACC__
  template <class... Args>
  Error(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args)
      : Error(kind, fmt::format(format, std::forward<Args>(args)...)) {}
#endif

  ErrorKind kind() const { return kind_; }
  int exit_code() const { return static_cast<int>(kind_); }

  // The same error with a prefix: "context: message".
  Error with_context(const std::string& context) const {
    return Error(kind_, context + ": " + what());
  }

 private:
  ErrorKind kind_;
};

}  // namespace panta
