# Compiler flags common to every target, as the interface library panta_options.
include(CheckCXXCompilerFlag)
find_package(fmt REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(PNG REQUIRED)

add_library(panta_options INTERFACE)
target_compile_features(panta_options INTERFACE cxx_std_20)
# Contraction is off and fused multiply-adds are written out, so that every CPU computes the same bits.
target_compile_options(panta_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wno-psabi
  -ffp-contract=off -fno-math-errno -fno-trapping-math>)
if(PANTA_WERROR)
  target_compile_options(panta_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(PANTA_ARCH)
  check_cxx_compiler_flag("-march=${PANTA_ARCH}" PANTA_ARCH_OK)
  if(NOT PANTA_ARCH_OK)
    message(FATAL_ERROR "the compiler does not know -march=${PANTA_ARCH}; set PANTA_ARCH")
  endif()
  target_compile_options(panta_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=${PANTA_ARCH}>)
endif()
if(PANTA_SANITIZE)
  target_compile_options(panta_options INTERFACE -fsanitize=${PANTA_SANITIZE}
                                                 -fno-omit-frame-pointer)
  target_link_options(panta_options INTERFACE -fsanitize=${PANTA_SANITIZE})
endif()
