// Buffers: contents after growth, moves and uploads; the allocation count; allocations that do not
// fit.
#include "panta/core/buffer.h"

#include <limits>
#include <numeric>

#include "support.h"

namespace panta::test {
namespace {

std::vector<int> counting(int n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

TEST(Buffer, GrowingKeepsTheElements) {
  Buffer<D, int> buffer(counting(100));
  buffer.resize(100000);
  EXPECT_EQ(buffer.size(), 100000u);
  EXPECT_EQ(buffer.download(100), counting(100));
}

TEST(Buffer, ShrinkingKeepsTheStorage) {
  Buffer<D, int> buffer(counting(100));
  const int* before = buffer.data();
  buffer.resize(10);
  EXPECT_EQ(buffer.download(), counting(10));
  buffer.resize(100);
  EXPECT_EQ(buffer.data(), before);
  EXPECT_EQ(buffer.download(), counting(100));
}

TEST(Buffer, FreshMemoryIsZero) {
  EXPECT_EQ((Buffer<D, int>(1000).download()), std::vector<int>(1000, 0));
}

TEST(Buffer, MovesTransferTheStorage) {
  Buffer<D, int> from(counting(50));
  const int* data = from.data();
  Buffer<D, int> to(std::move(from));
  EXPECT_EQ(to.data(), data);
  Buffer<D, int> assigned(counting(3));
  assigned = std::move(to);
  EXPECT_EQ(assigned.data(), data);
  EXPECT_EQ(assigned.download(), counting(50));
}

TEST(Buffer, EmptyBuffersWork) {
  Buffer<D, int> buffer;
  buffer.upload({});
  buffer.resize(0);
  EXPECT_EQ(buffer.size(), 0u);
  EXPECT_TRUE(buffer.download().empty());
}

TEST(Buffer, AllocationsAreCountedAndReuseMakesNone) {
  const auto start = allocation_count();
  Buffer<D, int> buffer(1000);
  EXPECT_EQ(allocation_count(), start + 1);
  buffer.resize(10);
  buffer.resize(1000);
  buffer.resize_discarding(500);
  buffer.upload(counting(1000));
  EXPECT_EQ(allocation_count(), start + 1);
  buffer.resize_discarding(1001);
  EXPECT_EQ(allocation_count(), start + 2);
  EXPECT_EQ(buffer.size(), 1001u);
}

TEST(Buffer, DeviceValueHoldsOneValue) {
  DeviceValue<D, double> value(1.5);
  EXPECT_EQ(value.get(), 1.5);
  value.set(-2);
  EXPECT_EQ(value.get(), -2);
}

class BufferTooLarge : public testing::TestWithParam<std::size_t> {};

TEST_P(BufferTooLarge, IsADeviceErrorAndKeepsTheBuffer) {
  Buffer<D, double> buffer(std::vector<double>{1, 2, 3});
  try {
    buffer.resize(GetParam());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
    EXPECT_NE(std::string(error.what()).find("out of"), std::string::npos) << error.what();
  }
  EXPECT_EQ(buffer.download(), (std::vector<double>{1, 2, 3}));
}

// From 2^61 elements on the number of bytes itself overflows.
INSTANTIATE_TEST_SUITE_P(Sizes, BufferTooLarge,
                         testing::Values(std::size_t{1} << 45, std::size_t{1} << 60,
                                         std::size_t{1} << 61,
                                         std::numeric_limits<std::size_t>::max()));

}  // namespace
}  // namespace panta::test
