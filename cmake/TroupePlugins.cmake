# How plugins are built against the installed package.

# troupe_plugin(NAME LIBRARY SOURCES...): a shared library NAME.so in the build folder that links
# the parts of LIBRARY that it uses, and shows nothing but the symbols of the handshake.
function(troupe_plugin name library)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" CXX_EXTENSIONS OFF
                                           CXX_VISIBILITY_PRESET hidden
                                           VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(${name} PRIVATE ${library})
  target_link_options(${name} PRIVATE LINKER:--exclude-libs,ALL)
endfunction()

# troupe_add_policy(NAME SOURCES...): a plugin with a placement policy.
function(troupe_add_policy name)
  troupe_plugin(${name} troupe::policies ${ARGN})
endfunction()

# troupe_add_scheduler(NAME SOURCES...): a plugin with a scheduler actor.
function(troupe_add_scheduler name)
  troupe_plugin(${name} troupe::actors ${ARGN})
endfunction()
