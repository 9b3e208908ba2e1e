#include "panta/core/memory.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "panta/core/error_format.h"

namespace panta {

namespace {

std::atomic<std::uint64_t> allocations{0};

constexpr std::size_t alignment = 64;

std::size_t pages(int name) {
  return static_cast<std::size_t>(sysconf(name)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Linux may grant more memory than exists and kill the process later: refuse requests that cannot
// fit.
void check_fits(std::size_t bytes) {
  const std::size_t total = pages(_SC_PHYS_PAGES);
  if (bytes > total / 10 * 9) throw out_of_memory("memory", bytes, pages(_SC_AVPHYS_PAGES), total);
}

}  // namespace

std::uint64_t allocation_count() { return allocations.load(); }
void count_allocation() { ++allocations; }

Error out_of_memory(const char* what, std::size_t bytes, std::size_t free_bytes,
                    std::size_t total) {
  return Error(ErrorKind::device,
               "out of {}: {:.2f} GB asked for, {:.2f} GB of {:.2f} GB free; use a larger spacing",
               what, 1e-9 * double(bytes), 1e-9 * double(free_bytes), 1e-9 * double(total));
}

void* Memory<Cpu>::allocate(std::size_t bytes) {
  check_fits(bytes);
  // calloc's fresh pages are zero without being written; the raw pointer is stored before the data.
  char* raw = static_cast<char*>(std::calloc(bytes + 2 * alignment, 1));
  if (!raw) throw out_of_memory("memory", bytes, pages(_SC_AVPHYS_PAGES), pages(_SC_PHYS_PAGES));
  count_allocation();
  const auto address = reinterpret_cast<std::uintptr_t>(raw) + sizeof(void*);
  char* p = reinterpret_cast<char*>((address + alignment - 1) / alignment * alignment);
  reinterpret_cast<void**>(p)[-1] = raw;
  return p;
}

void Memory<Cpu>::release(void* p) { std::free(static_cast<void**>(p)[-1]); }

}  // namespace panta
