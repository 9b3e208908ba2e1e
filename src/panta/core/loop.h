// repeat_while(exec, loop, most, body): enqueues body(exec) repeatedly while loop->running is not
// zero, at most `most` times. `loop` is in device memory. Kernels before the loop set `running` and
// kernels of the body clear it; `iterations` counts the completed iterations and remains for later
// kernels. If the limit ends the loop, `running` is still set. Loops may be nested.
//
// The body must use the executor that it is given. On a GPU there are two ways to run the loop:
//
// - While a Recording captures the stream, the loop becomes a conditional node of the CUDA graph,
//   and a replay repeats the body without the host. The body is called once, on a separate stream.
//   It may launch kernels, clear and copy device memory and contain loops; it may not allocate,
//   synchronise or use another stream. loops_can_be_recorded<Cuda>() returns whether toolkit and
//   driver support conditional nodes; if they do not, run the work without a Recording.
// - Otherwise the host reads *loop before every iteration, which costs one synchronisation each.
#pragma once

#include <cstdint>

#include "panta/core/launch.h"

namespace panta {

struct LoopState {
  std::uint32_t running = 0;
  std::uint32_t iterations = 0;

  PANTA_HD bool continues(std::uint32_t most) const { return running != 0 && iterations < most; }
};

template <class D>
bool loops_can_be_recorded();

template <>
inline bool loops_can_be_recorded<Cpu>() {
  return true;
}

template <class Body>
void repeat_while(const Cpu& exec, LoopState* loop, std::uint32_t most, const Body& body) {
  for (loop->iterations = 0; loop->continues(most); ++loop->iterations) body(exec);
}

#ifdef __CUDACC__
#if CUDART_VERSION >= 12040
#define PANTA_CONDITIONAL_NODES 1
#else
#define PANTA_CONDITIONAL_NODES 0
#endif

template <>
inline bool loops_can_be_recorded<Cuda>() {
  int driver = 0;
  return PANTA_CONDITIONAL_NODES && cudaDriverGetVersion(&driver) == cudaSuccess && driver >= 12040;
}

namespace detail {
struct BeginLoop {
  LoopState* loop;
  PANTA_HD void operator()(Index) const { loop->iterations = 0; }
};

struct CountIteration {
  LoopState* loop;
  PANTA_HD void operator()(Index) const { ++loop->iterations; }
};

template <class Body>
void repeat_from_host(const Cuda& exec, LoopState* loop, std::uint32_t most, const Body& body) {
  const auto continues = [&] {
    LoopState now;
    check_cuda(cudaMemcpyAsync(&now, loop, sizeof now, cudaMemcpyDeviceToHost, exec.stream),
               "reading the state of a loop");
    exec.synchronize();
    return now.continues(most);
  };
  launch(exec, 1, BeginLoop{loop});
  while (continues()) {
    body(exec);
    launch(exec, 1, CountIteration{loop});
  }
}

#if PANTA_CONDITIONAL_NODES
// Runs `Change` and sets in the conditional node whether another iteration follows.
template <class Change>
struct SetCondition {
  Change change;
  std::uint32_t most;
  cudaGraphConditionalHandle condition;
  PANTA_HD void operator()(Index i) const {
    change(i);
#ifdef __CUDA_ARCH__
    cudaGraphSetConditional(condition, change.loop->continues(most) ? 1 : 0);
#endif
  }
};

// The graph that captures a stream, and the nodes that the next node depends on.
struct CaptureState {
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* last = nullptr;
  std::size_t last_count = 0;

  explicit CaptureState(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
#if CUDART_VERSION >= 13000
    check_cuda(
        cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &last, nullptr, &last_count),
        "asking for the state of a capture");
#else
    check_cuda(
        cudaStreamGetCaptureInfo_v3(stream, &status, nullptr, &graph, &last, nullptr, &last_count),
        "asking for the state of a capture");
#endif
    if (status != cudaStreamCaptureStatusActive)
      throw Error(ErrorKind::device, "CUDA: the capture of a step has become invalid");
  }
};

// Adds a WHILE node after the work captured so far; work captured later comes after the node.
// Returns the node's empty body, which the node owns.
inline cudaGraph_t add_while_node(cudaStream_t stream, cudaGraphConditionalHandle condition) {
  const CaptureState capture(stream);
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = condition;
  parameters.conditional.type = cudaGraphCondTypeWhile;
  parameters.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
  check_cuda(cudaGraphAddNode(&node, capture.graph, capture.last, nullptr, capture.last_count,
                              &parameters),
             "adding a loop to a graph");
  check_cuda(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                                 cudaStreamSetCaptureDependencies),
             "continuing a capture after a loop");
#else
  check_cuda(cudaGraphAddNode_v2(&node, capture.graph, capture.last, nullptr, capture.last_count,
                                 &parameters),
             "adding a loop to a graph");
  check_cuda(cudaStreamUpdateCaptureDependencies_v2(stream, &node, nullptr, 1,
                                                    cudaStreamSetCaptureDependencies),
             "continuing a capture after a loop");
#endif
  return parameters.conditional.phGraph_out[0];
}

// A stream that captures into the body of a loop while the outer stream is being captured.
class BodyStream {
 public:
  explicit BodyStream(cudaGraph_t body) {
    const Relaxed relaxed;
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
    const cudaError_t status = cudaStreamBeginCaptureToGraph(stream_, body, nullptr, nullptr, 0,
                                                             cudaStreamCaptureModeThreadLocal);
    if (status != cudaSuccess) cudaStreamDestroy(stream_);
    check_cuda(status, "starting to capture a loop");
  }
  BodyStream(const BodyStream&) = delete;
  BodyStream& operator=(const BodyStream&) = delete;
  ~BodyStream() {
    if (capturing_) end_capture();
    const Relaxed relaxed;
    cudaStreamDestroy(stream_);
  }

  Cuda exec() const { return {stream_}; }
  void finish() { check_cuda(end_capture(), "ending the capture of a loop"); }

 private:
  // While a thread captures, CUDA refuses calls that might wait for the capture; creating and
  // destroying an idle stream does not.
  struct Relaxed {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode); }
    Relaxed(const Relaxed&) = delete;
    Relaxed& operator=(const Relaxed&) = delete;
    ~Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode); }
  };

  cudaError_t end_capture() {
    capturing_ = false;
    cudaGraph_t body = nullptr;  // owned by its node
    return cudaStreamEndCapture(stream_, &body);
  }

  cudaStream_t stream_ = nullptr;
  bool capturing_ = true;
};

template <class Body>
void record_loop(const Cuda& exec, LoopState* loop, std::uint32_t most, const Body& body) {
  // The condition has no default value: a default would be set once per launch of the whole graph,
  // but an inner loop starts more than once.
  cudaGraphConditionalHandle condition = 0;
  check_cuda(cudaGraphConditionalHandleCreate(&condition, CaptureState(exec.stream).graph, 0, 0),
             "creating the condition of a loop");
  launch(exec, 1, SetCondition<BeginLoop>{{loop}, most, condition});
  BodyStream stream(add_while_node(exec.stream, condition));
  body(stream.exec());
  launch(stream.exec(), 1, SetCondition<CountIteration>{{loop}, most, condition});
  stream.finish();
}
#else
template <class Body>
void record_loop(const Cuda&, LoopState*, std::uint32_t, const Body&) {
  throw Error(ErrorKind::device, "recording a loop needs CUDA 12.4 or newer");
}
#endif
}  // namespace detail

template <class Body>
void repeat_while(const Cuda& exec, LoopState* loop, std::uint32_t most, const Body& body) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check_cuda(cudaStreamIsCapturing(exec.stream, &status), "asking whether a stream is captured");
  if (status == cudaStreamCaptureStatusNone) {
    detail::repeat_from_host(exec, loop, most, body);
  } else {
    detail::record_loop(exec, loop, most, body);
  }
}

#undef PANTA_CONDITIONAL_NODES
#endif

}  // namespace panta
