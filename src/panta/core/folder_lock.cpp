#include "panta/core/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "panta/core/error_format.h"

namespace panta {

namespace {

// Whether the name still refers to the open file: the previous owner may have removed it between
// open and flock.
bool is_current(int folder, int file) {
  struct stat named {
  }, opened{};
  return fstatat(folder, FolderLock::file_name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         fstat(file, &opened) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino;
}

}  // namespace

FolderLock::FolderLock(const std::string& dir) {
  const auto fail = [&](const char* action) {
    const int reason = errno;
    release();
    throw Error(ErrorKind::io, "cannot {} '{}': {}", action, dir, std::strerror(reason));
  };
  folder_ = open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0) fail("open the folder");
  do {
    if (file_ >= 0) close(file_);
    file_ = openat(folder_, file_name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file_ < 0) fail("write into the folder");
    if (flock(file_, LOCK_EX | LOCK_NB) == 0) continue;
    if (errno != EWOULDBLOCK) break;  // no locks on this file system
    close(std::exchange(file_, -1));  // it belongs to the other process
    release();
    throw Error(ErrorKind::io,
                "another process is writing into the folder '{}': wait for its end or choose "
                "another --out",
                dir);
  } while (!is_current(folder_, file_));
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : folder_(std::exchange(other.folder_, -1)), file_(std::exchange(other.file_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(file_, other.file_);
  return *this;
}

FolderLock::~FolderLock() { release(); }

void FolderLock::release() {
  if (file_ >= 0) {
    if (is_current(folder_, file_)) unlinkat(folder_, file_name, 0);
    close(std::exchange(file_, -1));
  }
  if (folder_ >= 0) close(std::exchange(folder_, -1));
}

}  // namespace panta
