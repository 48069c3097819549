/// LeakSanitizer calls this function by its name. In CAF 0.17.6, if a peer has just gone, a
/// middleman ends while its broker and the actor that looks for the peer's spawn server hold each
/// other. libpqxx 6.4.5 loses the result of a statement during which the connection has broken.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:caf::io::basp_broker\n"
         "leak:libpqxx\n";
}
