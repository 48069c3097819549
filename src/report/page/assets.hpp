#pragma once

#include <string>

/// The files that every page contains, as of the build (see `EmbedFiles.cmake`).
namespace troupe::page_assets {

std::string script();       ///< the files in script, one after the other
std::string style();        ///< page.css
std::string plot_library(); ///< uPlot
std::string plot_style();   ///< uPlot's style
std::string plot_licence(); ///< uPlot's licence

} // namespace troupe::page_assets
