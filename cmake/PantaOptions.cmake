# Dependencies, and the compiler flags of Panta's own targets as the interface library panta_options.
# They do not apply to programs that link the installed library.
include(CheckCXXCompilerFlag)
find_package(fmt REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)

find_program(PANTA_CCACHE ccache)
mark_as_advanced(PANTA_CCACHE)
if(PANTA_CCACHE)
  foreach(language CXX CUDA)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER
          ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${PANTA_CCACHE})
    endif()
  endforeach()
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)  # needed by ccache for them
endif()

# Headers of the standard library that most sources include; compiled once for each target.
set(PANTA_COMMON_HEADERS <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory>
    <optional> <span> <string> <string_view> <utility> <vector> <fmt/format.h>)
# For code that runs rarely or waits for files: halves the compile time.
set(PANTA_QUICK_TO_COMPILE "$<$<CONFIG:Release>:-O1>")

add_library(panta_options INTERFACE)
target_compile_features(panta_options INTERFACE cxx_std_20)
# Contraction is off and fused multiply-adds are written out, so that every CPU computes the same bits.
# clang 14 with its vectoriser of straight-line code misses crossings of walls (wall_crossing.h, first()).
# The disabled warnings of the GNU compiler are false positives from inlined library code.
target_compile_options(panta_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wno-psabi>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow>
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fno-slp-vectorize>
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off -fno-math-errno -fno-trapping-math>)
if(PANTA_WERROR)
  target_compile_options(panta_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(PANTA_ARCH)
  string(MAKE_C_IDENTIFIER "PANTA_ARCH_${PANTA_ARCH}_OK" arch_ok)
  check_cxx_compiler_flag("-march=${PANTA_ARCH}" ${arch_ok})
  if(NOT ${arch_ok})
    message(FATAL_ERROR "the compiler does not know -march=${PANTA_ARCH}; set PANTA_ARCH")
  endif()
  target_compile_options(panta_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=${PANTA_ARCH}>)
endif()
if(PANTA_SANITIZE)
  target_compile_options(panta_options INTERFACE -fsanitize=${PANTA_SANITIZE} -fno-sanitize-recover=all
                                                 -fno-omit-frame-pointer)
  if(PANTA_SANITIZE MATCHES undefined)
    # Saves a tenth of the compile time; the address sanitizer finds the same errors.
    target_compile_options(panta_options INTERFACE -fno-sanitize=null,object-size,vptr)
  endif()
  target_link_options(panta_options INTERFACE -fsanitize=${PANTA_SANITIZE})
endif()
