# Installs a build into a temporary prefix, builds examples/embed against it and runs both the example and
# the installed command. Given: BUILD, SOURCE, GENERATOR, COMPILER, CUDA.
set(WORK ${BUILD}/install_test)
set(PREFIX ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})

# Runs a command, fails the test unless it succeeds, and stores its output in `output`.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE printed ERROR_VARIABLE printed)
  list(JOIN ARGV " " command)
  message("$ ${command}\n${printed}")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${status}")
  endif()
  set(output "${printed}" PARENT_SCOPE)
endfunction()

function(expect_file path)
  if(NOT EXISTS ${PREFIX}/${path})
    message(FATAL_ERROR "not installed: ${path}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX})
expect_file(include/panta/engine/simulation.h)
# Kernels and solvers are not part of the interface.
file(GLOB_RECURSE headers RELATIVE ${PREFIX}/include/panta ${PREFIX}/include/panta/*.h)
list(LENGTH headers count)
if(count GREATER 50 OR "${headers}" MATCHES
   "methods/[a-z]|bodies/|neighbors/|walls/|render/gl/|solver/solver.h|recorder.h|_impl.h|_cuda.h")
  message(FATAL_ERROR "${count} headers are installed, some of which no program needs: ${headers}")
endif()
# Each of the headers that docs/library.md names compiles on its own and is installed.
file(STRINGS ${SOURCE}/docs/library.md named REGEX "^\\| `panta/")
list(TRANSFORM named REPLACE "^\\| `(panta/[^`]+)`.*" "\\1")
list(LENGTH named count)
if(count LESS 10)
  message(FATAL_ERROR "docs/library.md names ${count} headers")
endif()
set(text "")
foreach(header IN LISTS named)
  expect_file(include/${header})
  string(APPEND text "#include \"${header}\"\n")
endforeach()
file(WRITE ${WORK}/all_headers.cpp "${text}int main() {}\n")
run(${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I ${PREFIX}/include ${WORK}/all_headers.cpp)
# They include little: what the whole interface preprocesses to is mostly the standard headers that it needs.
function(count_lines text result)
  file(WRITE ${WORK}/lines.cpp "${text}")
  execute_process(COMMAND ${COMPILER} -std=c++20 -E -P -I ${PREFIX}/include ${WORK}/lines.cpp
                  OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "\n" lines "${printed}")
  list(LENGTH lines count)
  set(${result} ${count} PARENT_SCOPE)
endfunction()

function(expect_light headers standard own_lines)
  set(standard_text "")
  foreach(header IN LISTS standard)
    string(APPEND standard_text "#include <${header}>\n")
  endforeach()
  count_lines("${standard_text}" least)
  count_lines("${standard_text}${headers}" lines)
  math(EXPR own "${lines} - ${least}")
  message("${own} preprocessed lines beside ${standard}")
  if(own GREATER own_lines)
    message(FATAL_ERROR "more than ${own_lines} lines: what do these headers include?\n${headers}")
  endif()
endfunction()

expect_light("#include \"panta/core/error.h\"\n#include \"panta/core/log.h\"\n" "cstdio;stdexcept;string" 200)
expect_light("#include \"panta/run/run.h\"\n" "functional;string" 300)
expect_light("${text}" "array;cmath;cstring;deque;functional;limits;map;memory;optional;span;stdexcept;string;variant;vector"
             2500)
expect_file(share/panta/scenes/basics/dam_break.json)

run(${CMAKE_COMMAND} -S ${SOURCE}/examples/embed -B ${WORK}/embed -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${PREFIX} -D CMAKE_BUILD_TYPE=Release
    -D CMAKE_EXPORT_COMPILE_COMMANDS=ON)
run(${CMAKE_COMMAND} --build ${WORK}/embed)

# Panta's own compiler flags must not be passed on.
file(READ ${WORK}/embed/compile_commands.json compile_commands)
if(compile_commands MATCHES "-march|-W|-ffp-contract|-fno-math-errno")
  message(FATAL_ERROR "the installed package forces flags on its user:\n${compile_commands}")
endif()

run(${WORK}/embed/embed)
string(REGEX MATCHALL "t = [^\n]*" frames "${output}")
list(LENGTH frames count)
if(NOT count EQUAL 10)
  message(FATAL_ERROR "expected 10 frames, got ${count}")
endif()
# The water falls: its centre starts at 0.225 m and is well below that at the end.
list(GET frames -1 last)
if(NOT last MATCHES "t = 0.50 s: centre of mass \\((0\\.[0-9]+), (0\\.[0-9]+), (0\\.[0-9]+)\\)")
  message(FATAL_ERROR "unexpected last frame: ${last}")
endif()
if(NOT CMAKE_MATCH_1 GREATER 0.2 OR NOT CMAKE_MATCH_2 LESS 0.18 OR NOT CMAKE_MATCH_2 GREATER 0.03)
  message(FATAL_ERROR "the water did not collapse as it should: ${last}")
endif()
if(NOT output MATCHES "[1-9][0-9]* particles, in (host|GPU) memory")
  message(FATAL_ERROR "no position pointers")
endif()

run(${PREFIX}/bin/panta info)
run(${PREFIX}/bin/panta check ${PREFIX}/share/panta/scenes/basics/dam_break.json)
