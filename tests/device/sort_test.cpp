// The stable sort by key and the table of key starts, against the standard library.
#include "panta/core/table_sort.h"

#include <algorithm>
#include <numeric>

#include "support.h"

namespace panta::test {
namespace {

template <class Key>
std::vector<Key> random_keys(std::size_t n, std::uint64_t below) {
  Random random(5);
  std::vector<Key> keys(n);
  for (Key& key : keys) key = static_cast<Key>(below == 0 ? random.bits() : random.bits() % below);
  return keys;
}

// Sorts on every executor; all must give the order of std::stable_sort by the lowest bits.
template <class Key>
void expect_sorts(const std::vector<Key>& keys, int bits) {
  const Key mask = bits >= int(8 * sizeof(Key)) ? ~Key{0} : (Key{1} << bits) - 1;
  std::vector<std::uint32_t> expected_order(keys.size());
  std::iota(expected_order.begin(), expected_order.end(), 0u);
  std::stable_sort(expected_order.begin(), expected_order.end(),
                   [&](auto a, auto b) { return (keys[a] & mask) < (keys[b] & mask); });
  std::vector<Key> expected;
  for (const std::uint32_t k : expected_order) expected.push_back(keys[k]);

  Buffer<D, Key> unsorted(keys), sorted;
  Buffer<D, std::uint32_t> order;
  for (const D& exec : executors()) {
    SortScratch<D, Key> scratch;
    sort_by_key(exec, unsorted, sorted, order, static_cast<Index>(keys.size()), bits, scratch);
    exec.synchronize();
    EXPECT_EQ(sorted.download(), expected) << keys.size() << " keys, " << bits << " bits";
    EXPECT_EQ(order.download(), expected_order) << keys.size() << " keys, " << bits << " bits";
  }
}

template <class Key>
class SortByKey : public testing::Test {
 public:
  static constexpr int all_bits = 8 * sizeof(Key);
};
using Keys = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(SortByKey, Keys);

TYPED_TEST(SortByKey, RandomKeys) {
  for (const std::size_t n : {3u, 100u, 5000u, 100000u})
    expect_sorts(random_keys<TypeParam>(n, 0), this->all_bits);
}

TYPED_TEST(SortByKey, ManyEqualKeysKeepTheirOrder) {
  expect_sorts(random_keys<TypeParam>(50000, 10), 4);
  expect_sorts(std::vector<TypeParam>(3000, 77), 7);
  expect_sorts(std::vector<TypeParam>(3000, 0), 0);
}

TYPED_TEST(SortByKey, SortedAndReversedKeys) {
  std::vector<TypeParam> keys(20000);
  std::iota(keys.begin(), keys.end(), TypeParam{0});
  expect_sorts(keys, 15);
  std::reverse(keys.begin(), keys.end());
  expect_sorts(keys, 15);
}

TYPED_TEST(SortByKey, EmptyAndSingleItem) {
  expect_sorts(std::vector<TypeParam>{}, this->all_bits);
  expect_sorts(std::vector<TypeParam>{42}, this->all_bits);
  expect_sorts(std::vector<TypeParam>{2, 1}, this->all_bits);
  expect_sorts(std::vector<TypeParam>{1, 2}, this->all_bits);
  expect_sorts(std::vector<TypeParam>{2, 2}, 2);
}

TYPED_TEST(SortByKey, OnlyTheLowestBitsCount) {
  for (const int bits : {1, 5, 10, 11, 12, 21, 22, 23, 31})
    expect_sorts(random_keys<TypeParam>(2000, 0), bits);
}

TYPED_TEST(SortByKey, FewerItemsThanTheBufferSize) {
  const std::vector<TypeParam> keys = random_keys<TypeParam>(1000, 0);
  Buffer<D, TypeParam> unsorted(keys), sorted;
  Buffer<D, std::uint32_t> order;
  SortScratch<D, TypeParam> scratch;
  for (const std::size_t n : {1000u, 10u, 500u}) {
    sort_by_key(executor(), unsorted, sorted, order, static_cast<Index>(n), this->all_bits,
                scratch);
    executor().synchronize();
    std::vector<TypeParam> expected(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(n));
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(sorted.download(), expected);
  }
}

TYPED_TEST(SortByKey, RepeatedSortsAllocateNothing) {
  Buffer<D, TypeParam> unsorted(random_keys<TypeParam>(10000, 0)), sorted;
  Buffer<D, std::uint32_t> order;
  SortScratch<D, TypeParam> scratch;
  const auto sort = [&] {
    sort_by_key(executor(), unsorted, sorted, order, 10000, this->all_bits, scratch);
    executor().synchronize();
  };
  sort();
  const auto before = allocation_count();
  sort();
  EXPECT_EQ(allocation_count(), before);
}

void expect_key_starts(std::vector<std::uint32_t> keys, std::uint32_t key_count) {
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> expected(key_count + 1);
  for (std::uint32_t k = 0; k <= key_count; ++k)
    expected[k] = static_cast<std::uint32_t>(
        std::count_if(keys.begin(), keys.end(), [&](std::uint32_t key) { return key < k; }));
  Buffer<D, std::uint32_t> sorted(keys);
  for (const D& exec : executors()) {
    Buffer<D, std::uint32_t> starts(expected.size());
    find_key_starts(exec, sorted.data(), static_cast<Index>(keys.size()), starts.data(), key_count);
    exec.synchronize();
    EXPECT_EQ(starts.download(), expected) << keys.size() << " of " << key_count;
  }
}

TEST(KeyStarts, MatchAPlainCount) {
  expect_key_starts({}, 1);
  expect_key_starts({}, 100);
  expect_key_starts({0}, 1);
  expect_key_starts({0, 0, 0}, 5);
  expect_key_starts({4, 4}, 5);
  expect_key_starts(random_keys<std::uint32_t>(3000, 50), 50);
  expect_key_starts(random_keys<std::uint32_t>(300, 3000), 3000);
}

// All variants give the order of std::stable_sort and the same table.
void expect_table(const std::vector<std::uint32_t>& keys, std::uint32_t key_count) {
  std::vector<std::uint32_t> expected_order(keys.size()), expected_starts(key_count + 1);
  std::iota(expected_order.begin(), expected_order.end(), 0u);
  std::stable_sort(expected_order.begin(), expected_order.end(),
                   [&](auto a, auto b) { return keys[a] < keys[b]; });
  for (std::uint32_t k = 0; k <= key_count; ++k)
    expected_starts[k] = static_cast<std::uint32_t>(
        std::count_if(keys.begin(), keys.end(), [&](std::uint32_t key) { return key < k; }));
  const Buffer<D, std::uint32_t> unsorted(keys);
  for (const bool many_last : {false, true})
    for (const D& exec : executors()) {
      Buffer<D, std::uint32_t> order, starts;
      TableSortScratch<D> scratch;
      sort_into_table(exec, unsorted, static_cast<Index>(keys.size()), key_count, many_last, order,
                      starts, scratch);
      exec.synchronize();
      EXPECT_EQ(order.download(), expected_order) << keys.size() << " of " << key_count;
      EXPECT_EQ(starts.download(), expected_starts) << keys.size() << " of " << key_count;
    }
}

TEST(SortIntoTable, IsStableAndCounts) {
  expect_table({}, 5);
  expect_table({3}, 4);
  expect_table(std::vector<std::uint32_t>(2000, 7), 9);
  expect_table(random_keys<std::uint32_t>(50000, 300), 300);
  expect_table(random_keys<std::uint32_t>(20000, 3000), 2999);  // some have the last key
}

}  // namespace
}  // namespace panta::test
