// Loops that end on the device: run directly, recorded, nested.
#include "panta/core/loop.h"

#include "panta/core/recording.h"
#include "support.h"

namespace panta::test {
namespace {

// Runs `left` times.
struct Countdown {
  LoopState loop;
  std::int32_t left = 0;
  std::uint32_t runs = 0;  // of the body, over all loops
};

struct StartCountdown {
  Countdown* c;
  PANTA_HD void operator()(Index) const { c->loop.running = c->left > 0; }
};

struct CountDown {
  Countdown* c;
  PANTA_HD void operator()(Index) const {
    ++c->runs;
    if (--c->left <= 0) c->loop.running = 0;
  }
};

void enqueue_countdown(const D& exec, Countdown* c, std::uint32_t most) {
  launch(exec, 1, StartCountdown{c});
  repeat_while(exec, &c->loop, most, [&](const D& inner) { launch(inner, 1, CountDown{c}); });
}

Countdown count_down(const D& exec, std::int32_t from, std::uint32_t most) {
  DeviceValue<D, Countdown> c(Countdown{{}, from, 0});
  enqueue_countdown(exec, c.data(), most);
  exec.synchronize();
  return c.get();
}

TEST(Loop, EndsWhenTheFlagIsCleared) {
  for (const D& exec : executors())
    for (const std::int32_t n : {1, 2, 100}) {
      const Countdown c = count_down(exec, n, 1000);
      EXPECT_EQ(c.runs, std::uint32_t(n));
      EXPECT_EQ(c.loop.iterations, std::uint32_t(n));
      EXPECT_EQ(c.loop.running, 0u);
    }
}

TEST(Loop, IsNotEnteredIfTheFlagIsZero) {
  const Countdown c = count_down(executor(), 0, 1000);
  EXPECT_EQ(c.runs, 0u);
  EXPECT_EQ(c.loop.iterations, 0u);
}

TEST(Loop, RespectsTheLimit) {
  for (const std::uint32_t most : {0u, 1u, 7u}) {
    const Countdown c = count_down(executor(), 20, most);
    EXPECT_EQ(c.runs, most);
    EXPECT_EQ(c.loop.iterations, most);
    EXPECT_EQ(c.loop.running, 1u);
  }
}

// The outer loop counts down; in each of its iterations the inner loop runs as often as the
// remaining count.
struct StartInner {
  const Countdown* outer;
  Countdown* inner;
  PANTA_HD void operator()(Index) const { inner->left = outer->left; }
};

void enqueue_nested(const D& exec, Countdown* outer, Countdown* inner, std::uint32_t most_inner) {
  launch(exec, 1, StartCountdown{outer});
  repeat_while(exec, &outer->loop, 1000, [&](const D& body) {
    launch(body, 1, StartInner{outer, inner});
    enqueue_countdown(body, inner, most_inner);
    launch(body, 1, CountDown{outer});
  });
}

TEST(Loop, LoopsCanBeNested) {
  for (const D& exec : executors()) {
    DeviceValue<D, Countdown> outer(Countdown{{}, 4, 0}), inner;
    enqueue_nested(exec, outer.data(), inner.data(), 1000);
    exec.synchronize();
    EXPECT_EQ(outer.get().runs, 4u);
    EXPECT_EQ(inner.get().runs, 4u + 3 + 2 + 1);
  }
}

class RecordedLoop : public testing::Test {
 protected:
  void SetUp() override {
    if (!loops_can_be_recorded<D>()) GTEST_SKIP() << "CUDA 12.4 or newer is needed";
  }
  template <class Work>
  void run(const Work& work) {
    recording.run(executor(), 1, work, [] {});
    executor().synchronize();
  }
  Recording<D> recording;
};

struct CopyRuns {
  const Countdown* c;
  std::uint32_t* out;
  PANTA_HD void operator()(Index) const { *out = c->runs; }
};

TEST_F(RecordedLoop, EveryReplayUsesItsOwnIterationCount) {
  DeviceValue<D, Countdown> c;
  DeviceValue<D, std::uint32_t> after;
  for (const std::int32_t n : {3, 1, 0, 250, 7, 2000}) {
    c.set(Countdown{{}, n, 0});
    run([&] {
      enqueue_countdown(executor(), c.data(), 1000);
      launch(executor(), 1, CopyRuns{c.data(), after.data()});
    });
    const auto expected = std::uint32_t(std::min(n, 1000));
    EXPECT_EQ(c.get().runs, expected);
    EXPECT_EQ(c.get().loop.iterations, expected);
    EXPECT_EQ(after.get(), expected) << "a kernel after the loop did not wait for it";
  }
}

TEST_F(RecordedLoop, LoopsFollowEachOther) {
  DeviceValue<D, Countdown> first, second;
  for (const std::int32_t n : {5, 2, 9}) {
    first.set(Countdown{{}, n, 0});
    second.set(Countdown{{}, 2 * n, 0});
    run([&] {
      enqueue_countdown(executor(), first.data(), 1000);
      enqueue_countdown(executor(), second.data(), 1000);
    });
    EXPECT_EQ(first.get().runs, std::uint32_t(n));
    EXPECT_EQ(second.get().runs, std::uint32_t(2 * n));
  }
}

TEST_F(RecordedLoop, LoopsCanBeNested) {
  DeviceValue<D, Countdown> outer, inner;
  for (const std::int32_t n : {4, 1, 10, 0, 6}) {
    outer.set(Countdown{{}, n, 0});
    inner.set(Countdown{});
    run([&] { enqueue_nested(executor(), outer.data(), inner.data(), 5); });
    std::uint32_t expected = 0;
    for (std::int32_t k = 1; k <= n; ++k) expected += std::uint32_t(std::min(k, 5));
    EXPECT_EQ(outer.get().runs, std::uint32_t(n));
    EXPECT_EQ(inner.get().runs, expected);
  }
}

TEST_F(RecordedLoop, ExecutorIsUsableAfterAnErrorInTheBody) {
  DeviceValue<D, Countdown> c(Countdown{{1, 0}, 3, 0});
  const auto failing = [&] {
    repeat_while(executor(), &c.data()->loop, 1000, [&](const D& inner) {
      launch(inner, 1, CountDown{c.data()});
      throw Error(ErrorKind::simulation, "in the body");
    });
  };
  try {
    run(failing);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::simulation);
  }
  EXPECT_EQ(count_down(executor(), 4, 1000).runs, 4u);
}

}  // namespace
}  // namespace panta::test
