// Exclusive use of a folder by one process.
#pragma once

#include <string>

namespace panta {

// Holds a lock (flock) on the file `write.lock` in a folder. The kernel releases it when the
// process ends in any way; the file is removed by the destructor, and one left by a killed process
// locks nothing. On file systems without locks nothing is locked.
class FolderLock {
 public:
  static constexpr const char* file_name = "write.lock";

  FolderLock() = default;  // locks nothing

  // Error(io) if another process has the lock, or if the folder cannot be written.
  explicit FolderLock(const std::string& dir);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;

  bool holds() const { return file_ >= 0; }

 private:
  void release();

  int folder_ = -1, file_ = -1;  // descriptors
};

}  // namespace panta
