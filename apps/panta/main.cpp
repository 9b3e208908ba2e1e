// The command panta: finds the command, runs it, and turns errors into messages and exit codes
// (0 done, 2 usage or scene, 3 simulation, 4 input/output, 5 device or memory, 130 interrupted).
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "commands.h"
#include "panta/core/error_format.h"
#include "panta/core/suggest.h"
#include "poses_command.h"
#include "print.h"
#include "render_command.h"
#include "surface_command.h"

namespace {

using namespace panta;
using namespace panta::app;

std::vector<Command> all_commands() {
  return {run_command(),      check_command(),   scenes_command(), info_command(), bench_command(),
          validate_command(), surface_command(), render_command(), poses_command()};
}

std::string overview() {
  std::string text =
      "usage: panta COMMAND [options]\n\nParticle physics: simulates scene files.\n\n";
  for (const Command& command : all_commands())
    text += fmt::format("  {:<9} {}\n", command.line.name, command.line.summary);
  return text +
         "\n'panta COMMAND --help' explains a command; 'panta --version' prints the version.\n"
         "Exit codes: 0 done, 2 usage or scene error, 3 simulation failed, 4 input/output,\n"
         "5 device or memory, 130 interrupted.\n";
}

Command find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : all_commands()) {
    if (command.line.name == name) return command;
    names.push_back(command.line.name);
  }
  throw Error(ErrorKind::usage, "unknown command '{}'{}", name, suggestion(name, names));
}

int dispatch(const std::vector<std::string>& args) {
  if (args.empty()) {
    print_lines(stderr, overview());
    return static_cast<int>(ErrorKind::usage);
  }
  if (args[0] == "--help" || args[0] == "-h") return print_lines(stdout, overview()), exit_done;
  if (args[0] == "--version") return print(stdout, "panta {}\n", PANTA_VERSION), exit_done;
  const Command command = find_command(args[0]);
  const Arguments arguments = parse_arguments(command.line, {args.begin() + 1, args.end()});
  if (arguments.has("--help")) return print_lines(stdout, help_text(command.line)), exit_done;
  return command.execute(arguments);
}

int report(const char* message, ErrorKind kind) {
  print(stderr, "panta: error: {}\n", message);
  return static_cast<int>(kind);
}

// Waiting OpenMP threads spin, by default for so long that a scene runs ten times slower on a
// machine with other load. The OpenMP library reads the limit when it is loaded, so it is set here
// and the program starts again; a user's own setting is kept.
void limit_spinning(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return;
  setenv("GOMP_SPINCOUNT", "10000", 1);
  execv("/proc/self/exe", argv);  // returns only on failure: then there is no limit
}

}  // namespace

int main(int argc, char** argv) {
  limit_spinning(argv);
  protect_streams();
  try {
    const int code = dispatch({argv + 1, argv + argc});
    if (code == exit_done) check_output();
    return code;
  } catch (const Error& error) {
    return report(error.what(), error.kind());
  } catch (const std::bad_alloc&) {
    return report("out of memory", ErrorKind::device);
  } catch (const std::exception& error) {
    return report(error.what(), ErrorKind::simulation);
  }
}
