#include "print.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

#include "panta/core/error.h"

namespace panta::app {

void protect_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) [[maybe_unused]]
      const int opened = open("/dev/null", O_RDONLY);  // the lowest free number
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
}

void check_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw Error(ErrorKind::io, "cannot write the standard output: it is full or closed");
}

void print_lines(std::FILE* stream, const std::string& text) {
  const std::string visible = visible_text(text, true);
  std::fwrite(visible.data(), 1, visible.size(), stream);
}

}  // namespace panta::app
