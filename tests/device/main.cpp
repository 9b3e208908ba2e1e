// Runs the device tests; without the device it reports a skip and passes.
#include <gtest/gtest.h>

#include <cstdio>

#include "support.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::string problem = panta::device_problem<panta::test::D>();
  if (!problem.empty() && !GTEST_FLAG_GET(list_tests)) {
    std::printf("[  SKIPPED ] all tests: %s\n", problem.c_str());
    return 0;
  }
  return RUN_ALL_TESTS();
}
