// Runs the tests that every method must pass: the methods of the list, and a toy method that this
// program adds.
#include <gtest/gtest.h>

#include "methods/tracer_toy/method.h"
#include "panta/engine/methods.h"

int main(int argc, char** argv) {
  panta::MethodEntry toy;
  toy.info = panta::tracer_toy::method_info();
  toy.on_cpu = panta::tracer_toy::make_solver<panta::Cpu>;
#ifdef PANTA_HAS_CUDA
  toy.on_cuda = panta::tracer_toy::make_solver<panta::Cuda>;
#endif
  panta::add_method(toy);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
