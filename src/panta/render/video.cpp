#include "panta/render/video.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "panta/core/error_format.h"

namespace panta {

namespace fs = std::filesystem;

namespace {

// Starts a program with `input` as its standard input; its standard output is discarded.
pid_t start(const std::string& program, std::vector<std::string> arguments, int input) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = -1;
  const int failure =
      posix_spawn(&process, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure) throw Error(ErrorKind::io, "cannot start '{}': {}", program, std::strerror(failure));
  return process;
}

}  // namespace

std::string find_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string candidate = rest.substr(0, colon) + "/" + name;
    std::error_code unreadable;
    if (fs::is_regular_file(candidate, unreadable) && access(candidate.c_str(), X_OK) == 0)
      return candidate;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return "";
}

VideoWriter::VideoWriter(const std::string& ffmpeg, const std::string& path, int width, int height,
                         double frames_per_second)
    : path_(path), unfinished_path_(path + ".tmp") {
  // A socket instead of a pipe: writing after ffmpeg has ended gives an error, not a signal.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(ErrorKind::io, "cannot connect to ffmpeg: {}", std::strerror(errno));
  input_ = ends[0];
  const std::vector<std::string> arguments = {"-y",
                                              "-loglevel",
                                              "error",
                                              "-f",
                                              "rawvideo",
                                              "-pix_fmt",
                                              "rgb24",
                                              "-s",
                                              fmt::format("{}x{}", width, height),
                                              "-r",
                                              fmt::format("{}", frames_per_second),
                                              "-i",
                                              "pipe:0",
                                              "-an",
                                              "-vf",
                                              "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                              "-pix_fmt",
                                              "yuv420p",
                                              "-crf",
                                              "18",
                                              "-movflags",
                                              "+faststart",
                                              "-f",
                                              "mp4",
                                              "file:" + unfinished_path_};
  try {
    process_ = start(ffmpeg, arguments, ends[1]);
  } catch (...) {
    close(ends[1]);
    close_input();
    throw;
  }
  close(ends[1]);
}

VideoWriter::~VideoWriter() {
  if (process_ < 0) return;
  close_input();
  wait_for_exit();
  std::remove(unfinished_path_.c_str());
}

void VideoWriter::add(const Image& image) {
  const std::uint8_t* data = image.rgb.data();
  std::size_t left = image.rgb.size();
  while (left > 0) {
    const ssize_t sent = send(input_, data, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0)
      throw Error(ErrorKind::io, "cannot write '{}': ffmpeg stopped: {}", path_,
                  std::strerror(errno));
    data += sent;
    left -= static_cast<std::size_t>(sent);
  }
}

void VideoWriter::finish() {
  close_input();
  const int status = wait_for_exit();
  const bool done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!done) std::remove(unfinished_path_.c_str());
  if (!done) throw Error(ErrorKind::io, "cannot write '{}': ffmpeg failed", path_);
  if (std::rename(unfinished_path_.c_str(), path_.c_str()) != 0)
    throw Error(ErrorKind::io, "cannot write '{}': {}", path_, std::strerror(errno));
}

void VideoWriter::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

int VideoWriter::wait_for_exit() {
  int status = -1;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

}  // namespace panta
