// Checked file access: every failure is an Error(io) that names the file and the system's reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace panta {

// A file being written. `replace` writes to a temporary name beside the target and renames it in
// close(), so that readers see the old file or the complete new one; without close() the temporary
// file is removed. `replace_durably` also waits for the disk before and after renaming, so that a
// power cut leaves no partial file either. `append` adds to the file in place. A target that is not
// a regular file (a pipe, a device) is always written in place.
class OutputFile {
 public:
  enum class Mode { replace, replace_durably, append };

  explicit OutputFile(const std::string& path, Mode mode = Mode::replace);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void flush();
  void close();
  std::uint64_t size();  // bytes in the file, including all written so far

 private:
  [[noreturn]] void fail(const char* action) const;

  std::string path_;
  Mode mode_;
  std::string written_path_;  // the temporary name, or path_ if written in place
  std::FILE* file_ = nullptr;
};

// Waits until the file, or the names in the folder, are on the disk.
void sync_to_disk(const std::string& path);

// Truncates the file to its first `bytes`; Error(io) if it is shorter.
void cut_file(const std::string& path, std::uint64_t bytes);

bool file_exists(const std::string& path);
void remove_file(const std::string& path);  // fine if it does not exist
void write_text_file(const std::string& path, std::string_view text);
std::string read_binary_file(const std::string& path);

// The same for at most `most` bytes: Error(io) for a longer file, also for a device without end.
std::string read_binary_file(const std::string& path, std::size_t most);

// Error(io) if the path exists and is not a regular file: reading a pipe or a device may never end.
void expect_regular_file(const std::string& path);

// Makes the folder and its parents; fine if it exists.
void make_folder(const std::string& path);

}  // namespace panta
