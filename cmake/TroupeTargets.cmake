# What every target of ours has in common.

# Half of the time to compile a file goes into headers and templates that the next file needs, too. For
# daily work on one file, smaller batches compile sooner.
set(TROUPE_UNITY_BATCH 50 CACHE STRING "How many source files of a target are compiled as one")

# The language level goes with the headers; the warnings stay at home.
add_library(troupe_options INTERFACE)
target_compile_features(troupe_options INTERFACE cxx_std_20)
# Warnings are those of g++, with which Troupe is built; Clang builds with sanitizers only.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(troupe_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                                  -Wnon-virtual-dtor -Werror
                                                  # False alarms in CAF's deserializer.
                                                  -Wno-maybe-uninitialized
                                                  # False alarms on strings in g++ 12's library,
                                                  # of which AddressSanitizer finds the true ones.
                                                  -Wno-restrict -Wno-array-bounds
                                                  -Wno-stringop-overflow -Wno-stringop-overread)
endif()
# The compiler's garbage collector frees nothing that would not soon be read again: without it,
# 6 to 13 % less to build, and a fifth more memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(troupe_options INTERFACE --param=ggc-min-heapsize=2097152)
endif()
target_compile_definitions(troupe_options INTERFACE CAF_ENABLE_TYPE_ID_CHECKS
                                                    $<$<BOOL:${TROUPE_CHECKS}>:TROUPE_CHECKS>)
if(TROUPE_SANITIZE)
  # CAF's headers bind null references where an actor is spawned without arguments; what would be
  # read through one, AddressSanitizer finds; as it does most of what the other checks left out
  # would find, which take long to build. The fuzzers and the readers under them have these.
  set(_fuzzed $<BOOL:$<TARGET_PROPERTY:TROUPE_FUZZED>>)
  # A function can only be called as one of another type after a cast, and the loader of plugins,
  # among the readers above, has the only cast. The plugins themselves are checked, too.
  set(_is_loaded $<BOOL:$<TARGET_PROPERTY:TROUPE_LOADED>>)
  # Uses of a stack frame after its return are looked for in the functions of actors and of
  # connections, whose handlers outlive the functions that make them. It takes 15 % of the time to
  # build.
  set(_has_handlers $<BOOL:$<TARGET_PROPERTY:TROUPE_HAS_HANDLERS>>)
  target_compile_options(troupe_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize=null
    $<$<NOT:${_fuzzed}>:-fno-sanitize=alignment,object-size,vptr>
    $<$<NOT:$<OR:${_fuzzed},${_is_loaded}>>:-fno-sanitize=function>
    $<${_fuzzed}:-fsanitize=fuzzer-no-link>
    -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/ubsan_ignorelist.txt
    $<$<NOT:${_has_handlers}>:-fsanitize-address-use-after-return=never>
    -fno-sanitize-recover=all -fno-omit-frame-pointer
    # A faster selection of instructions: 15 % less to build, and no slower.
    "SHELL:-mllvm -fast-isel"
    # Passes over them that take longer than tests gain: a tenth less to build.
    "SHELL:-mllvm -disable-lsr" "SHELL:-mllvm -disable-machine-cse"
    "SHELL:-mllvm -disable-machine-licm" "SHELL:-mllvm -disable-early-taildup"
    "SHELL:-mllvm -enable-misched=0"
    # Reports name lines.
    -gno-column-info)
  # Hundreds of short processes start sooner where the loader has nothing to relocate.
  target_link_options(troupe_options INTERFACE
    -fsanitize=address,undefined -fuse-ld=lld
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()

if(TROUPE_NATIVE)
  # One instruction that multiplies and adds would round once instead of twice: the results would not
  # be those of other builds.
  target_compile_options(troupe_options INTERFACE -march=native -ffp-contract=off)
endif()
# g++ keeps the profile of a file beside its object. `dev build --native` trains the program itself; for other
# builds, apps/train has a program that trains some libraries.
if(NOT TROUPE_PROFILE MATCHES "^(generate|use|)$")
  message(FATAL_ERROR "TROUPE_PROFILE is '${TROUPE_PROFILE}'; expected generate or use, or nothing")
elseif(TROUPE_NATIVE AND TROUPE_PROFILE STREQUAL "generate")
  target_compile_options(troupe_options INTERFACE -fprofile-generate -fprofile-update=atomic)
  target_link_options(troupe_options INTERFACE -fprofile-generate)
elseif(TROUPE_NATIVE AND TROUPE_PROFILE STREQUAL "use")
  # Functions that no training run has called are optimised as in other builds, not for size.
  target_compile_options(troupe_options INTERFACE -fprofile-use -fprofile-correction
                                                  -fprofile-partial-training -Wno-missing-profile)
endif()

# troupe_trained(TARGET): a library in which runs in virtual time spend their time. Without TROUPE_NATIVE, a
# profile counts how often its code runs, and nothing else, so that two builds of the same sources have the same
# bytes: with the values, too, g++ would choose among targets of a call that are equally frequent by a hash of
# their file's path. troupe_memory is no such library: which blocks it has at hand depends on the
# lengths of paths.
function(troupe_trained target)
  if(TROUPE_NATIVE)
    return()
  elseif(TROUPE_PROFILE STREQUAL "generate")
    target_compile_options(${target} PRIVATE -fprofile-generate -fno-profile-values)
  elseif(TROUPE_PROFILE STREQUAL "use")
    # Functions of headers are counted where the linker takes them from, and missed in other files.
    target_compile_options(${target} PRIVATE -fprofile-use -fno-profile-values -fprofile-partial-training
                                             -Wno-missing-profile)
  endif()
endfunction()

# troupe_computes_little(TARGET): it is optimised less, with sanitizers not at all, which takes 40 % of
# the time to build it.
function(troupe_computes_little target)
  if(TROUPE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# troupe_library(NAME SOURCES... DEPENDS TARGETS...): the library of one folder under src.
function(troupe_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
                                           UNITY_BUILD ON
                                           UNITY_BUILD_BATCH_SIZE ${TROUPE_UNITY_BATCH})
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/troupe>)
  # Some types are greater with it: whoever uses the library has to be built alike.
  target_compile_definitions(${name} PUBLIC $<$<BOOL:${TROUPE_CHECKS}>:TROUPE_CHECKS>)
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS}
                                PRIVATE $<BUILD_INTERFACE:troupe_options> ${arg_PRIVATE_DEPENDS})
endfunction()

# Of each size, the frames of functions that have returned are kept for 256 kB of such calls and not
# for 1 MB: threads touch 3 MB and not 11 MB of fresh memory, which takes 7 % of the time of clusters of
# short-lived processes. Then, as before, another call uses the frame, and it is forbidden again.
set(_asan_options malloc_context_size=6:max_uar_stack_size_log=18)

# troupe_test_main(): the main function of all doctest programs, built once.
function(troupe_test_main)
  if(NOT TARGET troupe_test_main)
    add_library(troupe_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/main.cpp
      $<$<BOOL:${TROUPE_SANITIZE}>:${PROJECT_SOURCE_DIR}/apps/troupe/leak_suppressions.cpp>)
    target_link_libraries(troupe_test_main PRIVATE troupe_options doctest::doctest spdlog::spdlog)
  endif()
endfunction()

# troupe_leave_out_other_suites(LIST): of the files of tests in LIST, those that have no case of the suites
# "optimised" and "seeds".
function(troupe_leave_out_other_suites list)
  set(kept)
  foreach(file IN LISTS ${list})
    file(STRINGS ${file} marks REGEX "long_case|many_seeds" LIMIT_COUNT 1)
    if(marks OR NOT file MATCHES "_test\\.cpp$")
      list(APPEND kept ${file})
    endif()
  endforeach()
  set(${list} ${kept} PARENT_SCOPE)
endfunction()

# troupe_test(NAME [UNIT] [CASES N] [ALSO_OPTIMISED FILES] [ONCE] [LONG] [CAF] SOURCES...
#             DEPENDS TARGETS...):
# one doctest program, run by ctest as NAME. UNIT: it is left out without TROUPE_UNIT_TESTS, which the
# build with sanitizers has. Cases of the suite "optimised" are left out with sanitizers.
# CASES: its cases start up to N clusters of processes at a time and wait for them; ctest runs each
# case by itself, beside others. ALSO_OPTIMISED: without TROUPE_UNIT_TESTS, its other files of tests are left
# out.
# ONCE: without TROUPE_UNIT_TESTS, it runs only what the build with sanitizers leaves out, or does with fewer
# seeds: the cases of the suites "optimised" and "seeds".
# LONG: it computes for a minute or more. It begins early, and AddressSanitizer does not look for uses
# of a stack frame of an actor after its return: all other tests do, the swarm too.
# CAF: its sources see much of CAF, which takes twice as long to build with
# UndefinedBehaviorSanitizer: they are built without, and the libraries under test with it.
function(troupe_test name)
  cmake_parse_arguments(arg "UNIT;ONCE;LONG;CAF" "CASES" "SOURCES;DEPENDS;ALSO_OPTIMISED" ${ARGN})
  if(arg_UNIT AND NOT TROUPE_UNIT_TESTS)
    return()
  endif()
  if(arg_ALSO_OPTIMISED AND NOT TROUPE_UNIT_TESTS)
    list(FILTER arg_SOURCES EXCLUDE REGEX "_test\\.cpp$")
    list(APPEND arg_SOURCES ${arg_ALSO_OPTIMISED})
  endif()
  if(arg_ONCE AND NOT TROUPE_UNIT_TESTS)
    troupe_leave_out_other_suites(arg_SOURCES)
  endif()
  troupe_test_main()
  add_executable(${name} ${arg_SOURCES} $<TARGET_OBJECTS:troupe_test_main>)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF
                                           UNITY_BUILD ON
                                           UNITY_BUILD_BATCH_SIZE ${TROUPE_UNITY_BATCH})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE
    TROUPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TROUPE_BINARY_DIR="${PROJECT_BINARY_DIR}"
    $<$<BOOL:${TROUPE_SANITIZE}>:TROUPE_SANITIZE>
    # An exception in an assertion ends its case, which fails then, too. A tenth less to build.
    DOCTEST_CONFIG_SUPER_FAST_ASSERTS)
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} troupe_options doctest::doctest
                                        spdlog::spdlog)
  # What a test does takes no time worth the optimiser's; the libraries under test have it all.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release,RelWithDebInfo,Debug>:-O0>)
  if(TROUPE_SANITIZE)
    target_compile_options(${name} PRIVATE -g0)
  endif()
  if(arg_CAF AND TROUPE_SANITIZE)
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  endif()
  # `dev` runs what is labelled "computes" at a low priority beside clusters of processes, which have
  # time-outs. A case that does not run is a failure.
  if(arg_CASES)
    doctest_discover_tests(${name} TEST_PREFIX "${name}/"
                           PROPERTIES PROCESSORS ${arg_CASES}
                                      ENVIRONMENT ASAN_OPTIONS=${_asan_options}
                                      FAIL_REGULAR_EXPRESSION "test cases: +0")
  else()
    set(cases)
    if(TROUPE_SANITIZE)
      set(cases --test-suite-exclude=optimised)
    elseif(arg_ONCE AND NOT TROUPE_UNIT_TESTS)
      set(cases --test-suite=optimised,seeds)
    endif()
    add_test(NAME ${name} COMMAND ${name} ${cases})
    set_tests_properties(${name} PROPERTIES LABELS computes
                                            ENVIRONMENT ASAN_OPTIONS=${_asan_options}
                                            FAIL_REGULAR_EXPRESSION "test cases: +0")
    if(arg_LONG)
      set_tests_properties(${name} PROPERTIES COST 1000
        ENVIRONMENT ASAN_OPTIONS=${_asan_options}:detect_stack_use_after_return=0)
    endif()
  endif()
endfunction()
