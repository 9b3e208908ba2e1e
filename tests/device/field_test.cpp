// Fields of four floats, records, and recorded work.
#include "panta/core/field.h"

#include "panta/core/launch.h"
#include "panta/core/record.h"
#include "panta/core/recording.h"
#include "support.h"

namespace panta::test {
namespace {

std::vector<Vec4> numbered(std::size_t n, float start = 0) {
  std::vector<Vec4> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const float a = start + 4.0f * static_cast<float>(i);
    values[i] = {a, a + 1, a + 2, a + 3};
  }
  return values;
}

void expect_same(const std::vector<Vec4>& found, const std::vector<Vec4>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].xyz(), expected[i].xyz()) << i;
    ASSERT_EQ(found[i].w, expected[i].w) << i;
  }
}

TEST(Field4, UploadAndDownloadGiveTheSameValues) {
  for (const std::size_t n : {0u, 1u, 15u, 16u, 17u, 1000u}) {
    Field4<D> field;
    field.resize(n);
    field.upload(0, numbered(n));
    expect_same(field.download(), numbered(n));
  }
}

TEST(Field4, UploadInTheMiddleKeepsTheRest) {
  Field4<D> field;
  field.resize(100);
  field.upload(0, numbered(100));
  field.upload(40, numbered(20, 5000));
  std::vector<Vec4> expected = numbered(100);
  const std::vector<Vec4> middle = numbered(20, 5000);
  std::copy(middle.begin(), middle.end(), expected.begin() + 40);
  expect_same(field.download(), expected);
}

TEST(Field4, GrowingKeepsValues) {
  Field4<D> field;
  field.resize(100);
  field.upload(0, numbered(100));
  field.resize(5000);
  std::vector<Vec4> grown = field.download();
  ASSERT_EQ(grown.size(), 5000u);
  grown.resize(100);
  expect_same(grown, numbered(100));
}

TEST(Field4, SwapExchangesContents) {
  Field4<D> a, b;
  a.resize(10);
  a.upload(0, numbered(10));
  a.swap(b);
  EXPECT_EQ(a.size(), 0u);
  expect_same(b.download(), numbered(10));
}

// Writes through every setter and reads through every getter of a view.
struct RewriteField {
  Field4View<D> from, to;
  PANTA_HD void operator()(Index i) const {
    const Vec4 all = from.vec4(i);
    if (i % 2 == 0) {
      to.set(i, {all.x, all.y, all.z, all.w});
    } else {
      to.set_xyz(i, from.xyz(i));
      to.set_w(i, from.w(i));
    }
  }
};
struct ReadComponents {
  Field4View<D> from, to;
  PANTA_HD void operator()(Index i) const {
    const std::size_t at = static_cast<std::size_t>(i) * Field4View<D>::stride;
    to.set(i, {from.component(0)[at], from.component(1)[at], from.component(2)[at],
               from.component(3)[at]});
  }
};

TEST(Field4, KernelsReadAndWriteThroughViews) {
  const std::size_t n = 2000;
  Field4<D> from, to, components;
  for (Field4<D>* field : {&from, &to, &components}) field->resize(n);
  from.upload(0, numbered(n));
  launch(executor(), Index(n), RewriteField{from.view(), to.view()});
  launch(executor(), Index(n), ReadComponents{from.view(), components.view()});
  executor().synchronize();
  expect_same(to.download(), numbered(n));
  expect_same(components.download(), numbered(n));
}

struct FlipRecord {
  RecordsView<D> records;
  PANTA_HD void operator()(Index i) const {
    const Record8 r = records.get(i);
    records.set(i, {r.second, r.first});
  }
};

TEST(Records, KernelsReadAndWriteThem) {
  std::vector<Record8> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float a = static_cast<float>(8 * i);
    values[i] = {{a, a + 1, a + 2, a + 3}, {a + 4, a + 5, a + 6, a + 7}};
  }
  Buffer<D, Record8> buffer(values);
  launch(executor(), Index(values.size()), FlipRecord{{buffer.data()}});
  executor().synchronize();
  const std::vector<Record8> flipped = buffer.download();
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(flipped[i].first.xyz(), values[i].second.xyz());
    ASSERT_EQ(flipped[i].first.w, values[i].second.w);
    ASSERT_EQ(flipped[i].second.xyz(), values[i].first.xyz());
    ASSERT_EQ(flipped[i].second.w, values[i].first.w);
  }
}

struct AddOne {
  std::uint32_t* value;
  PANTA_HD void operator()(Index) const { *value += 1; }
};

TEST(Recording, WorkRunsEveryTimeAndHostStateIsUpdated) {
  DeviceValue<D, std::uint32_t> value;
  Recording<D> recording;
  std::uint32_t host = 0;
  const auto run = [&](std::uint64_t key) {
    recording.run(
        executor(), key,
        [&] {
          launch(executor(), 1, AddOne{value.data()});
          ++host;
        },
        [&] { ++host; });
    executor().synchronize();
  };
  for (std::uint32_t k = 1; k <= 6; ++k) {
    run(k % 2);
    EXPECT_EQ(value.get(), k);
    EXPECT_EQ(host, k);
  }
  recording.forget();
  run(0);
  EXPECT_EQ(value.get(), 7u);
  EXPECT_EQ(host, 7u);
}

TEST(Recording, IsUsableAfterAnErrorInTheWork) {
  DeviceValue<D, std::uint32_t> value;
  Recording<D> recording;
  EXPECT_THROW(recording.run(
                   executor(), 0, [] { throw Error(ErrorKind::simulation, "broken"); }, [] {}),
               Error);
  recording.run(
      executor(), 0, [&] { launch(executor(), 1, AddOne{value.data()}); }, [] {});
  executor().synchronize();
  EXPECT_EQ(value.get(), 1u);
}

}  // namespace
}  // namespace panta::test
