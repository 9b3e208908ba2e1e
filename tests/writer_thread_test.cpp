// The writer thread: order, bound, errors.
#include "panta/io/writer_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace panta {
namespace {

TEST(WriterThread, RunsJobsInOrder) {
  std::vector<int> done;
  WriterThread writer;
  for (int k = 0; k < 1000; ++k) writer.push([&done, k] { done.push_back(k); });
  writer.finish();
  std::vector<int> expected(1000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(done, expected);
  writer.push([&done] { done.push_back(1000); });
  writer.finish();
  EXPECT_EQ(done.back(), 1000);
}

// Every job has a token: living tokens are jobs that wait or run.
TEST(WriterThread, NeverExceedsItsCapacity) {
  constexpr int capacity = 3;
  const auto token = std::make_shared<int>();
  WriterThread writer(capacity);
  for (int k = 0; k < 2000; ++k) {
    writer.push([held = token] {});
    EXPECT_LE(token.use_count(), 1 + capacity);
  }
  writer.finish();
  EXPECT_EQ(token.use_count(), 1);
}

TEST(WriterThread, PushWaitsWhileFull) {
  std::promise<void> gate;
  std::shared_future<void> open = gate.get_future().share();
  std::atomic<int> handed_over = 0, done = 0;
  WriterThread writer(2);
  for (int k = 0; k < 2; ++k) writer.push([&, open] { open.wait(), ++done; });
  std::thread producer([&] {
    writer.push([&] { ++done; });
    handed_over = done.load() + 1;
  });
  EXPECT_EQ(done, 0);
  gate.set_value();
  producer.join();
  EXPECT_GE(handed_over, 2) << "the third job was taken before the first was done";
  writer.finish();
  EXPECT_EQ(done, 3);
}

TEST(WriterThread, ErrorIsRethrownAndLaterJobsDropped) {
  std::atomic<int> after = 0;
  WriterThread writer(3);
  writer.push([] { throw std::runtime_error("disk full"); });
  const auto push_until_it_throws = [&] {
    for (int k = 0; k < 100; ++k) writer.push([&] { ++after; });
  };
  EXPECT_THROW(push_until_it_throws(), std::runtime_error);
  EXPECT_THROW(writer.finish(), std::runtime_error);
  EXPECT_THROW(writer.push([&] { ++after; }), std::runtime_error);
  EXPECT_EQ(after, 0);
}

TEST(WriterThread, FinishRethrowsTheFirstError) {
  WriterThread writer;
  writer.push([] { throw std::runtime_error("first"); });
  try {
    writer.finish();
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
}

TEST(WriterThread, DestructorFinishesTheQueueAndDoesNotThrow) {
  std::atomic<int> done = 0;
  {
    WriterThread writer(5);
    for (int k = 0; k < 5; ++k) writer.push([&] { ++done; });
  }
  EXPECT_EQ(done, 5);
  {
    WriterThread writer;
    writer.push([] { throw std::runtime_error("not reported"); });
  }
}

}  // namespace
}  // namespace panta
