# Finds a CUDA toolkit where there is one; never requires it unless PANTA_CUDA is ON. Sets PANTA_HAS_CUDA
# and the flags of everything that nvcc compiles.
set(PANTA_HAS_CUDA OFF)
set(problem "switched off")
set(PANTA_CUDA_OLDEST 12.0)  # the first toolkit that compiles C++20

# The architectures of the GPUs in this machine that nvcc can build for; 90 where there are none.
function(panta_detect_cuda_architectures nvcc result)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE present RESULT_VARIABLE status ERROR_QUIET)
  execute_process(COMMAND ${nvcc} --list-gpu-arch OUTPUT_VARIABLE supported ERROR_QUIET)
  set(architectures "")
  if(status EQUAL 0)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]+" present "${present}")
    foreach(capability IN LISTS present)
      string(REPLACE "." "" architecture ${capability})
      if(supported MATCHES "compute_${architecture}[^0-9]")
        list(APPEND architectures ${architecture})
      endif()
    endforeach()
    list(REMOVE_DUPLICATES architectures)
  endif()
  if(NOT architectures)
    set(architectures 90)
  endif()
  set(${result} ${architectures} PARENT_SCOPE)
endfunction()

# Sets PANTA_HAS_CUDA, or `problem` to what is missing.
macro(panta_enable_cuda)
  if(NOT CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE)  # forget a failure: the toolkit may have been installed since
    if(NOT DEFINED ENV{CUDACXX})
      find_program(PANTA_NVCC nvcc PATHS /usr/local/cuda/bin)
      mark_as_advanced(PANTA_NVCC)
      if(PANTA_NVCC)
        set(ENV{CUDACXX} ${PANTA_NVCC})
      endif()
    endif()
    check_language(CUDA)
  endif()
  if(NOT CMAKE_CUDA_COMPILER)
    set(problem "no nvcc that works with the C++ compiler was found; CMAKE_CUDA_COMPILER may name one")
  else()
    execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(version MATCHES "release ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_LESS PANTA_CUDA_OLDEST)
      set(problem "CUDA ${CMAKE_MATCH_1} is too old, ${PANTA_CUDA_OLDEST} or newer is needed")
    else()
      if(PANTA_CUDA_ARCHITECTURES)
        set(CMAKE_CUDA_ARCHITECTURES ${PANTA_CUDA_ARCHITECTURES})
      else()
        panta_detect_cuda_architectures(${CMAKE_CUDA_COMPILER} CMAKE_CUDA_ARCHITECTURES)
      endif()
      enable_language(CUDA)
      find_package(CUDAToolkit REQUIRED)
      set(PANTA_HAS_CUDA ON)
    endif()
  endif()
endmacro()

macro(panta_cuda_flags)
  add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:${ARGV}>")
endmacro()

if(PANTA_CUDA STREQUAL "AUTO" OR PANTA_CUDA)
  include(CheckLanguage)
  panta_enable_cuda()
  if(NOT PANTA_HAS_CUDA AND NOT PANTA_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "PANTA_CUDA is ${PANTA_CUDA} but ${problem}")
  endif()
endif()

if(PANTA_HAS_CUDA)
  message(STATUS "panta: with CUDA ${CMAKE_CUDA_COMPILER_VERSION}, architectures "
                 "${CMAKE_CUDA_ARCHITECTURES}")
  # CMake before 3.26 does not know that nvcc speaks C++20.
  if("cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_EXTENSIONS OFF)
  else()
    panta_cuda_flags(-std=c++20)
  endif()
  # fmt 9 leaves half of its functions out of constexpr under nvcc unless told, and then fails as C++20.
  # Quotients and roots may be wrong in the last two bits: whole frames take 10 to 20 % less time.
  panta_cuda_flags(-DFMT_USE_CONSTEXPR=1 --expt-relaxed-constexpr --prec-div=false --prec-sqrt=false
                   -diag-suppress=20012,20013,20014
                   -Xcompiler=-Wall,-Wextra,-Wno-unknown-pragmas,-Wno-unused-parameter,-Wno-maybe-uninitialized,-Wno-restrict)
  if(PANTA_WERROR)
    panta_cuda_flags(-Werror=all-warnings)
  endif()
else()
  message(STATUS "panta: without CUDA (${problem})")
endif()
