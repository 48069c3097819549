# `cmake --install`: the program, its configs, manual pages and completions, and a CMake package with the
# libraries and headers.
include(CMakePackageConfigHelpers)

set(_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Troupe)

foreach(_folder IN ITEMS model process security policies settings workload report page experiments actors
                         runtime)
  if(TARGET troupe_${_folder})
    set_target_properties(troupe_${_folder} PROPERTIES EXPORT_NAME ${_folder})
    install(TARGETS troupe_${_folder} EXPORT TroupeTargets
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()
install(EXPORT TroupeTargets NAMESPACE troupe:: DESTINATION ${_package_dir})

install(TARGETS troupe RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET troupe-supervise)
  install(TARGETS troupe-supervise RUNTIME DESTINATION libexec/troupe)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/troupe
        FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs ${PROJECT_SOURCE_DIR}/examples
        DESTINATION ${CMAKE_INSTALL_DATADIR}/troupe)

# The program writes its own manual pages and completions, at the time of the installation.
set(_manual_dir ${PROJECT_BINARY_DIR}/installed/manual)
install(CODE "
  function(troupe_writes)
    execute_process(COMMAND \"$<TARGET_FILE:troupe>\" \${ARGN} RESULT_VARIABLE code ERROR_VARIABLE error)
    if(NOT code EQUAL 0)
      message(FATAL_ERROR \"troupe \${ARGN} failed with \${code}: \${error}\")
    endif()
  endfunction()
  file(REMOVE_RECURSE \"${_manual_dir}\")
  file(MAKE_DIRECTORY \"${_manual_dir}\")
  troupe_writes(man --out \"${_manual_dir}/man1\")
  troupe_writes(completion bash OUTPUT_FILE \"${_manual_dir}/troupe\")
  troupe_writes(completion zsh OUTPUT_FILE \"${_manual_dir}/_troupe\")
  troupe_writes(completion fish OUTPUT_FILE \"${_manual_dir}/troupe.fish\")")
install(DIRECTORY ${_manual_dir}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${_manual_dir}/troupe
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${_manual_dir}/_troupe DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${_manual_dir}/troupe.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# `cmake --install --prefix` chooses where the program is.
install(CODE "
  set(CMAKE_INSTALL_FULL_BINDIR \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
  configure_file(\"${PROJECT_SOURCE_DIR}/configs/systemd/troupe-node.service.in\"
                 \"${PROJECT_BINARY_DIR}/troupe-node.service\" @ONLY)")
install(FILES ${PROJECT_BINARY_DIR}/troupe-node.service DESTINATION lib/systemd/system)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
include(InstalledDocs)
install_docs(README.md CONTRIBUTING.md CHANGELOG.md docs/*.md)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/pictures DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(FILES ${PROJECT_SOURCE_DIR}/docs/openapi.json ${PROJECT_SOURCE_DIR}/docs/grafana.json
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/TroupeConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/TroupeConfig.cmake
                              INSTALL_DESTINATION ${_package_dir}
                              NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TroupeConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TroupeConfig.cmake
              ${PROJECT_BINARY_DIR}/TroupeConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindCAF.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindLibdeflate.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindIsal.cmake
              ${PROJECT_SOURCE_DIR}/cmake/TroupePlugins.cmake
        DESTINATION ${_package_dir})
