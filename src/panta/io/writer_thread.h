// Asynchronous writing: jobs run one after the other, in the order of submission, on a separate
// thread. At most `capacity` of them are unfinished at any time; push() waits if there are more, so
// that a slow disk slows a run down and does not fill the memory.
//
// The first exception of a job is kept: later jobs are dropped, and push() and finish() rethrow it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace panta {

class WriterThread {
 public:
  using Job = std::function<void()>;

  explicit WriterThread(std::size_t capacity = 3);
  ~WriterThread();  // waits for the jobs in the queue; their errors are lost
  WriterThread(const WriterThread&) = delete;
  WriterThread& operator=(const WriterThread&) = delete;

  void push(Job job);
  void finish();  // waits until every job is done; more may be pushed later

 private:
  void work();
  bool next(Job& job);
  void run(const Job& job);
  void rethrow_error() const;

  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> queue_;
  std::size_t unfinished_ = 0;  // queued or running
  bool closing_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // must be the last member: it uses all the others
};

}  // namespace panta
