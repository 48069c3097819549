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

# Every link of the installed documentation leads to what is installed.
file(GLOB_RECURSE pages ${prefix}/share/doc/*.md)
list(LENGTH pages count)
if(count LESS 10)
  message(FATAL_ERROR "only ${count} pages of documentation were installed")
endif()
foreach(page IN LISTS pages)
  file(READ ${page} text)
  get_filename_component(folder ${page} DIRECTORY)
  string(REPLACE "](" "@LINK@" text "${text}")
  string(REGEX REPLACE "[][;]" "" text "${text}") # which lists would be parted at
  string(REGEX MATCHALL "@LINK@[^)#]+" links "${text}")
  foreach(link IN LISTS links)
    string(REPLACE "@LINK@" "" target "${link}")
    # The parameters of a lambda in a block of code have spaces.
    if(NOT target MATCHES "^https?:| " AND NOT EXISTS ${folder}/${target})
      message(FATAL_ERROR "${page}: its link to ${target} is dead")
    endif()
  endforeach()
endforeach()

# Without a file, a cluster has the settings that were installed.
execute_process(COMMAND ${prefix}/bin/troupe cluster up --nodes 2 --dir ${WORK_DIR}/cluster
                        --set cluster.machines=0
                WORKING_DIRECTORY ${WORK_DIR} RESULT_VARIABLE code ERROR_VARIABLE error)
if(NOT code EQUAL 2 OR NOT error MATCHES "cluster.machines")
  message(FATAL_ERROR "cluster up without a file ended with ${code}: ${error}")
endif()

file(READ ${prefix}/lib/systemd/system/troupe-node.service unit)
if(NOT unit MATCHES "ExecStart=${prefix}/bin/troupe node")
  message(FATAL_ERROR "the unit of systemd does not start ${prefix}/bin/troupe:\n${unit}")
endif()

run_step("running the installed program" ${prefix}/bin/troupe version)
foreach(file IN ITEMS libexec/troupe/troupe-supervise share/troupe/configs/quickstart.toml include/troupe/model/base/time.hpp
        share/man/man1/troupe.1 share/man/man1/troupe-trace-fit.1
        share/bash-completion/completions/troupe share/zsh/site-functions/_troupe
        share/fish/vendor_completions.d/troupe.fish)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()
