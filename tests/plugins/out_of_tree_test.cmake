# Installs BUILD_DIR into a prefix of its own; then builds, tests, checks and runs, as an outsider
# would, the plugins in EXAMPLES_DIR and those that `troupe new` has just written. WORK_DIR is emptied
# first.

function(run_step what folder)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${folder}
                  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed with ${code}:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
set(prefix ${WORK_DIR}/prefix)
set(troupe ${prefix}/bin/troupe)
run_step("installing" ${WORK_DIR} ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})

# try_plugin(FOLDER KIND NAME LIBRARY)
function(try_plugin folder kind name library)
  run_step("configuring ${name}" ${folder} ${CMAKE_COMMAND} -S . -B build -G Ninja
           -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_FLAGS=-Wall\ -Wextra\ -Werror
           -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1)
  run_step("building ${name}" ${folder} ${CMAKE_COMMAND} --build build)
  run_step("testing ${name}" ${folder} ${CMAKE_CTEST_COMMAND} --test-dir build --output-on-failure)
  run_step("checking ${name}" ${folder} ${troupe} check ${kind} ${name}
           --plugin build/${library}.so)
  run_step("running ${name}" ${folder} ${troupe} run run.toml --out results/first)
  run_step("running ${name} again" ${folder} ${troupe} run --verify results/first)
  run_step("listing ${name}" ${folder} ${troupe} policies --json --plugin build/${library}.so)
endfunction()

foreach(example IN ITEMS power-of-k round-robin)
  file(COPY ${EXAMPLES_DIR}/${example} DESTINATION ${WORK_DIR} PATTERN build EXCLUDE)
endforeach()
run_step("scaffolding" ${WORK_DIR} ${troupe} new policy my-first)
run_step("scaffolding" ${WORK_DIR} ${troupe} new scheduler my-own)

try_plugin(${WORK_DIR}/power-of-k policy power-of-k power_of_k)
try_plugin(${WORK_DIR}/my-first policy my-first my_first)
try_plugin(${WORK_DIR}/my-own scheduler my-own my_own)
try_plugin(${WORK_DIR}/round-robin scheduler round-robin round_robin)

# try_chaos(CONFIG SETTINGS): with the scheduler from `troupe new`, from the top of the source tree
function(try_chaos config)
  set(settings)
  foreach(setting IN LISTS ARGN)
    list(APPEND settings --set "${setting}")
  endforeach()
  run_step("chaos of my-own with ${config}" ${EXAMPLES_DIR}/../.. ${troupe} chaos configs/chaos/${config}.toml
           --seeds 1..50 --plugin ${WORK_DIR}/my-own/build/my_own.so --set scheduler.actor=my-own ${settings})
endfunction()

try_chaos(statesync) # with gangs
try_chaos(static cluster.windows=configs/chaos/windows.csv "tenants=[{name=\"x\"},{name=\"y\"}]")
