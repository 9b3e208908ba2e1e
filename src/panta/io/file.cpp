#include "panta/io/file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "panta/core/error.h"

namespace panta {

namespace fs = std::filesystem;

OutputFile::OutputFile(const std::string& path, Mode mode) : path_(path), written_path_(path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  const bool special = fs::exists(status) && !fs::is_regular_file(status);
  if (mode == Mode::replace && !special) written_path_ += ".tmp";
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
  bool done = std::fclose(file) == 0;
  if (done && temporary) {
    action = "rename the finished file to";
    done = std::rename(written_path_.c_str(), path_.c_str()) == 0;
  }
  if (done) return;
  const int reason = errno;
  if (temporary) std::remove(written_path_.c_str());
  errno = reason;
  fail(action);
}

void OutputFile::fail(const char* action) const {
  throw Error(ErrorKind::io, "cannot {} '{}': {}", action, path_, std::strerror(errno));
}

void write_text_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.close();
}

std::string read_binary_file(const std::string& path) {
  const auto fail = [&](int reason) {
    throw Error(ErrorKind::io, "cannot read '{}': {}", path, std::strerror(reason));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) fail(errno);
  std::string content;
  std::error_code unknown_size;
  const auto size = fs::file_size(path, unknown_size);
  if (!unknown_size) content.reserve(size);
  char block[1 << 16];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file.get()))
    content.append(block, got);
  if (std::ferror(file.get())) fail(errno);
  return content;
}

void make_folder(const std::string& path) {
  std::error_code reason;
  fs::create_directories(path, reason);
  if (!reason && !fs::is_directory(path, reason) && !reason)
    reason = std::make_error_code(std::errc::not_a_directory);
  if (reason) throw Error(ErrorKind::io, "cannot make the folder '{}': {}", path, reason.message());
}

}  // namespace panta
