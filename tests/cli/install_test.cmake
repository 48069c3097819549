# Installs BUILD_DIR into a prefix of its own, then builds and runs a program that uses the
# package from there. Needs CONSUMER_DIR and WORK_DIR, which is emptied first.

function(run_step what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed with ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
set(prefix ${WORK_DIR}/prefix)
run_step("installing" ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
run_step("configuring the consumer" ${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${WORK_DIR}/build
         -G Ninja -DCMAKE_PREFIX_PATH=${prefix})
run_step("building the consumer" ${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run_step("running the consumer" ${WORK_DIR}/build/consumer)
if(NOT output STREQUAL "250ms known\n")
  message(FATAL_ERROR "the consumer printed '${output}'")
endif()

run_step("running the installed program" ${prefix}/bin/troupe version)
foreach(file IN ITEMS share/troupe/configs/quickstart.toml include/troupe/model/time.hpp)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()
