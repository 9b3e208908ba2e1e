#include "panta/core/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>

#include "panta/core/error_format.h"

namespace panta {

namespace fs = std::filesystem;

namespace {

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

// Whether fsync succeeded. Pipes and devices have no disk to wait for and count as synced.
bool synced(int descriptor) {
  return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

}  // namespace

OutputFile::OutputFile(const std::string& path, Mode mode)
    : path_(path), mode_(mode), written_path_(path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  const bool special = fs::exists(status) && !fs::is_regular_file(status);
  if (mode != Mode::append && !special) written_path_ += ".tmp";
  file_ = std::fopen(written_path_.c_str(), mode == Mode::append ? "ab" : "wb");
  if (!file_) fail("open");
}

OutputFile::~OutputFile() {
  if (!file_) return;
  std::fclose(file_);
  if (written_path_ != path_) std::remove(written_path_.c_str());
}

void OutputFile::write(const void* data, std::size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail("write");
}

void OutputFile::flush() {
  if (std::fflush(file_) != 0) fail("write");
}

void OutputFile::close() {
  flush();
  std::FILE* file = file_;
  file_ = nullptr;
  const bool temporary = written_path_ != path_;
  const char* action = "write";
  bool done = mode_ != Mode::replace_durably || synced(fileno(file));
  done = std::fclose(file) == 0 && done;
  if (done && temporary) {
    action = "rename the finished file to";
    done = std::rename(written_path_.c_str(), path_.c_str()) == 0;
  }
  if (done) {
    if (mode_ == Mode::replace_durably && temporary) sync_to_disk(folder_of(path_));
    return;
  }
  const int reason = errno;
  if (temporary) std::remove(written_path_.c_str());
  errno = reason;
  fail(action);
}

std::uint64_t OutputFile::size() {
  flush();
  struct stat status {};
  if (fstat(fileno(file_), &status) != 0) fail("measure");
  return static_cast<std::uint64_t>(status.st_size);
}

void OutputFile::fail(const char* action) const {
  throw Error(ErrorKind::io, "cannot {} '{}': {}", action, path_, std::strerror(errno));
}

void sync_to_disk(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool done = descriptor >= 0 && synced(descriptor);
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  if (!done) throw Error(ErrorKind::io, "cannot write '{}': {}", path, std::strerror(reason));
}

void cut_file(const std::string& path, std::uint64_t bytes) {
  std::error_code reason;
  const std::uint64_t size = fs::file_size(path, reason);
  if (!reason && size < bytes)
    throw Error(ErrorKind::io, "'{}' was changed: it has {} bytes instead of at least {}", path,
                size, bytes);
  if (!reason && size > bytes) fs::resize_file(path, bytes, reason);
  if (reason) throw Error(ErrorKind::io, "cannot cut '{}': {}", path, reason.message());
}

bool file_exists(const std::string& path) {
  std::error_code unreadable;
  return fs::exists(path, unreadable);
}

void remove_file(const std::string& path) {
  std::error_code reason;
  fs::remove(path, reason);
  if (reason) throw Error(ErrorKind::io, "cannot remove '{}': {}", path, reason.message());
}

void write_text_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.close();
}

std::string read_binary_file(const std::string& path) {
  return read_binary_file(path, std::numeric_limits<std::size_t>::max());
}

std::string read_binary_file(const std::string& path, std::size_t most) {
  const auto fail = [&](int reason) {
    throw Error(ErrorKind::io, "cannot read '{}': {}", path, std::strerror(reason));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) fail(errno);
  std::string content;
  std::error_code unknown_size;
  const auto size = fs::file_size(path, unknown_size);
  if (!unknown_size && size <= most) content.reserve(size);
  char block[1 << 16];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file.get())) {
    if (got > most - content.size())
      throw Error(ErrorKind::io, "'{}' is longer than {} bytes", path, most);
    content.append(block, got);
  }
  if (std::ferror(file.get())) fail(errno);
  return content;
}

void expect_regular_file(const std::string& path) {
  std::error_code missing;
  const fs::file_status status = fs::status(path, missing);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw Error(ErrorKind::io, "cannot read '{}': it is a {}, not a file", path,
                fs::is_directory(status) ? "folder" : "device or pipe");
}

void make_folder(const std::string& path) {
  std::error_code reason;
  fs::create_directories(path, reason);
  if (!reason && !fs::is_directory(path, reason) && !reason)
    reason = std::make_error_code(std::errc::not_a_directory);
  if (reason) throw Error(ErrorKind::io, "cannot make the folder '{}': {}", path, reason.message());
}

}  // namespace panta
