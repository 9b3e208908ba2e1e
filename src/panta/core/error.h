// Errors that say what failed, where, and how to correct it. Every failure that the user can cause
// is an Error; its kind decides the exit code of the command.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

namespace panta {

template <class... Args>
struct ErrorFormat;  // core/error_format.h

enum class ErrorKind {
  usage = 2,       // wrong option or scene
  simulation = 3,  // the simulation itself failed: NaN, explosion
  io = 4,          // reading or writing files
  device = 5,      // missing or failing GPU, out of memory
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  // With a format string; needs core/error_format.h. Device sources pass finished strings: nvcc
  // cannot compile fmt.
  template <class First, class... Rest>
  Error(ErrorKind kind, std::type_identity_t<ErrorFormat<First, Rest...>> format, First&& first,
        Rest&&... rest);

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
