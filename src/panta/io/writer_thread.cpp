#include "panta/io/writer_thread.h"

#include <algorithm>
#include <utility>

namespace panta {

WriterThread::WriterThread(std::size_t capacity)
    : capacity_(std::max<std::size_t>(capacity, 1)), thread_([this] { work(); }) {}

WriterThread::~WriterThread() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void WriterThread::push(Job job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return unfinished_ < capacity_; });
  rethrow_error();
  queue_.push_back(std::move(job));
  ++unfinished_;
  lock.unlock();
  changed_.notify_all();
}

void WriterThread::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return unfinished_ == 0; });
  rethrow_error();
}

void WriterThread::work() {
  Job job;
  while (next(job)) {
    run(job);
    job = nullptr;  // releases the job's data before the next push
    {
      const std::lock_guard lock(mutex_);
      --unfinished_;
    }
    changed_.notify_all();
  }
}

bool WriterThread::next(Job& job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closing_ || !queue_.empty(); });
  if (queue_.empty()) return false;
  job = std::move(queue_.front());
  queue_.pop_front();
  return true;
}

void WriterThread::run(const Job& job) {
  {
    const std::lock_guard lock(mutex_);
    if (error_) return;
  }
  try {
    job();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
  }
}

void WriterThread::rethrow_error() const {
  if (error_) std::rethrow_exception(error_);
}

}  // namespace panta
