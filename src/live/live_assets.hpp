#pragma once

#include <string>

/// The files of the live page, as of the build (see `EmbedLivePage.cmake`).
namespace troupe::live_assets {

std::string script();  ///< the page's script, with those parts of the report's that it shares
std::string style();   ///< live.css
std::string page();    ///< live.html, with @DATA@ where the plots are described
std::string openapi(); ///< docs/openapi.json

} // namespace troupe::live_assets
