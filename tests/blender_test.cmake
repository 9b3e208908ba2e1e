# Runs a short simulation, makes surfaces, and imports them into Blender.
set(folder ${BUILD}/blender_test)
file(REMOVE_RECURSE ${folder})
file(WRITE ${folder}/scene.json [[{
  "method": "sph", "spacing": 0.05, "duration": 0.1, "fps": 24,
  "domain": {"min": [0, 0, 0], "max": [0.5, 0.5, 0.5]},
  "materials": {"water": {}, "oil": {"density": 900, "color": [0.9, 0.7, 0.2]}},
  "fluids": [
    {"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [0.25, 0.2, 0.5]}}},
    {"material": "oil", "shape": {"box": {"min": [0.25, 0, 0], "max": [0.5, 0.2, 0.5]}}}],
  "bodies": [{"name": "ball", "shape": {"sphere": {"center": [0.25, 0.4, 0.25], "radius": 0.05}},
              "motion": {"rotate": {"axis": [0, 1, 0], "degrees": "360*t"}}}]
}]])

function(must_work)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${folder} RESULT_VARIABLE status
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV} failed: ${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

must_work(${PANTA} run scene.json --out run --device cpu --threads 1 --quiet)
set(volumes "")
if(OPENVDB)
  set(volumes --volume level_set,density,velocity)
endif()
must_work(${PANTA} surface run --threads 1 ${volumes})
must_work(${BLENDER} -b --factory-startup -P ${SOURCE}/integrations/blender/test_import.py -- run)
if(NOT output MATCHES "panta import: all is well")
  message(FATAL_ERROR "the import failed: ${output}")
endif()
