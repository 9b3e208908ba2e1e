# Adds an upward include to a small source tree: the check of layers must find it.
# Needs PYTHON, SOURCE (the repository) and BUILD (a folder to write to).
set(tree ${BUILD}/layers_test)
file(REMOVE_RECURSE ${tree})
file(COPY ${SOURCE}/docs/architecture.md DESTINATION ${tree}/docs)

function(check expected_failure text)
  execute_process(COMMAND ${PYTHON} ${SOURCE}/scripts/check-layers ${tree}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(expected_failure AND result EQUAL 0)
    message(FATAL_ERROR "the check passes, but should not: ${output}")
  elseif(NOT expected_failure AND NOT result EQUAL 0)
    message(FATAL_ERROR "the check fails, but should not: ${output}")
  endif()
  string(FIND "${output}" "${text}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "'${text}' is not in '${output}'")
  endif()
endfunction()

file(WRITE ${tree}/src/panta/scene/scene.h "#include \"panta/core/vec.h\"\n")
file(WRITE ${tree}/src/panta/core/vec.h "#include <cmath>\n")
check(FALSE "every include points downwards")

file(APPEND ${tree}/src/panta/core/vec.h "#include \"panta/scene/scene.h\"\n")
check(TRUE "core/vec.h:2: 'core' may not include 'scene/scene.h'")

file(WRITE ${tree}/src/panta/core/vec.h "")
file(WRITE ${tree}/src/panta/methods/a_b2001/solver.h "#include \"panta/methods/c_d2002/solver.h\"\n")
check(TRUE "'methods/a_b2001' may not include 'methods/c_d2002/solver.h'")

file(REMOVE_RECURSE ${tree}/src/panta/methods)
file(WRITE ${tree}/src/panta/extras/more.h "")
check(TRUE "extras/more.h: the folder 'extras' is not in the list of layers")
file(REMOVE_RECURSE ${tree})
