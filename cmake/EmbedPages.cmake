# cmake -DPAGES=<folder> -DOUTPUT=<file> -P EmbedPages.cmake: writes each page
# <code>.md of the folder as a row PAGE(code, R"…(text)…") of an include file.
file(GLOB pages ${PAGES}/E[0-9]*.md)
list(SORT pages)
set(rows "")
foreach(page ${pages})
  get_filename_component(code ${page} NAME_WE)
  file(READ ${page} text)
  string(APPEND rows "PAGE(\"${code}\", R\"spinc_page(${text})spinc_page\")\n")
endforeach()
file(WRITE ${OUTPUT} "${rows}")
