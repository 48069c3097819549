# install_docs(PATTERN...): installs Markdown files of the project below the documentation folder, in
# the layout of the source tree. Their links to configs, examples and headers lead to where these are
# installed; links to what is not installed become plain text.

function(install_docs)
  file(RELATIVE_PATH data ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_DATADIR}/troupe)
  file(RELATIVE_PATH headers ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR}/troupe)
  foreach(pattern IN LISTS ARGN)
    file(GLOB files RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${pattern})
    foreach(file IN LISTS files)
      get_filename_component(folder ${file} DIRECTORY)
      set(up "")
      if(folder)
        set(up "../")
      endif()
      file(READ ${PROJECT_SOURCE_DIR}/${file} text)
      string(REGEX REPLACE "\\]\\(${up}(configs|examples)([^)]*)\\)" "](${up}${data}/\\1\\2)" text
             "${text}")
      string(REGEX REPLACE "\\]\\(${up}src/([^)]*)\\)" "](${up}${headers}/\\1)" text "${text}")
      string(REGEX REPLACE "\\[([^]\n]*)\\]\\(${up}(tests|bench)[^)]*\\)" "\\1" text "${text}")
      file(WRITE ${PROJECT_BINARY_DIR}/installed/${file} "${text}")
      install(FILES ${PROJECT_BINARY_DIR}/installed/${file}
              DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
    endforeach()
  endforeach()
endfunction()
