# Fails if PROGRAM defines a function by which the whole process talks to sockets or uses TLS. With
# SANITIZE, weak ones do not count: those are the sanitizers' own.
execute_process(COMMAND ${NM} -D --defined-only ${PROGRAM}
                OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
if(failed OR symbols STREQUAL "")
  message(FATAL_ERROR "the symbols of ${PROGRAM} cannot be read")
endif()
set(kind "[^\n]*")
if(SANITIZE)
  set(kind "[^\n]* T")
endif()
string(REGEX MATCHALL "${kind} (connect|accept|accept4|bind|listen|socket|read|write|recv|recvmsg|send|sendmsg|close|SSL_[^\n]*|BIO_[^\n]*|ERR_[^\n]*)\n"
       redefined "${symbols}")
if(redefined)
  message(FATAL_ERROR "${PROGRAM} redefines functions of the system: ${redefined}")
endif()
