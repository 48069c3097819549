# Texts as C++ functions, for scripts that run when the program is built. They write to ${OUT}.new. Long
# texts are split: a compiler need not accept a literal of more than 65,536 bytes.

set(part_length 8000)

# embed(NAME FILE...): defines the function NAME, which returns the texts of these files one after the
# other.
function(embed name)
  set(text "")
  foreach(file IN LISTS ARGN)
    file(READ ${file} part)
    string(APPEND text "${part}")
  endforeach()
  string(LENGTH "${text}" length)
  set(parts "")
  set(at 0)
  while(at LESS length)
    # CMake counts bytes, and a raw literal may end within a character.
    string(SUBSTRING "${text}" ${at} ${part_length} part)
    string(APPEND parts "    R\"~~~(${part})~~~\",\n")
    math(EXPR at "${at} + ${part_length}")
  endwhile()
  file(APPEND ${OUT}.new "
std::string ${name}() {
  constexpr std::string_view parts[] = {
${parts}  };
  std::string text;
  for (auto part : parts)
    text += part;
  return text;
}
")
endfunction()
