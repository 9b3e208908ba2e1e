// Recording<D>: work that is enqueued repeatedly. On the GPU the first run with a given key is
// captured into a CUDA graph and later runs replay it, which removes the gaps between small
// kernels; on the CPU the work simply runs. The work may not allocate, copy to the host or change
// its launch parameters while its key stays the same. A replay does not repeat changes that the
// work makes on the host (a swap of buffers, a counter): `after_replay` has to make them.
#pragma once

#include <cstdint>
#include <map>

#include "panta/core/exec.h"

namespace panta {

template <class D>
class Recording;

template <>
class Recording<Cpu> {
 public:
  template <class Work, class AfterReplay>
  void run(const Cpu&, std::uint64_t, const Work& work, const AfterReplay&) {
    work();
  }
  void forget() {}
};

#ifdef __CUDACC__
template <>
class Recording<Cuda> {
 public:
  Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() { forget(); }

  template <class Work, class AfterReplay>
  void run(const Cuda& exec, std::uint64_t key, const Work& work, const AfterReplay& after_replay) {
    auto it = graphs_.find(key);
    if (it == graphs_.end()) {
      it = graphs_.emplace(key, capture(exec, work)).first;
    } else {
      after_replay();
    }
    check_cuda(cudaGraphLaunch(it->second, exec.stream), "launching a graph");
  }

  void forget() {
    for (auto& [key, graph] : graphs_) cudaGraphExecDestroy(graph);
    graphs_.clear();
  }

 private:
  template <class Work>
  static cudaGraphExec_t capture(const Cuda& exec, const Work& work) {
    check_cuda(cudaStreamBeginCapture(exec.stream, cudaStreamCaptureModeThreadLocal),
               "starting a capture");
    cudaGraph_t graph = nullptr;
    try {
      work();
    } catch (...) {
      cudaStreamEndCapture(exec.stream, &graph);
      if (graph) cudaGraphDestroy(graph);
      throw;
    }
    check_cuda(cudaStreamEndCapture(exec.stream, &graph), "ending a capture");
    cudaGraphExec_t executable = nullptr;
    const cudaError_t status = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    check_cuda(status, "building a graph");
    return executable;
  }

  std::map<std::uint64_t, cudaGraphExec_t> graphs_;
};
#endif

}  // namespace panta
