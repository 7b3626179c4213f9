# Pages embedded in libraries. The report's page, web/ built by Vite into one HTML file, is
# podium_report_page; the page of `podium serve --model`, web/try/, is podium_try_page.
#
# npm runs in the build folder: dependencies are installed when configuring, and again only when the
# lock file changes; the page is built when its sources change. Without npm, or if it fails (no
# network), the build continues with an empty page, and commands that need the report report an error. A source
# distribution has the built page, web/page.html, and needs no npm.
include(CMakeDependentOption)
cmake_dependent_option(PODIUM_WEB "build the report's page (needs npm)" ON
                       "NOT PODIUM_SANITIZE;NOT PODIUM_FUZZ" OFF)

set(podium_web_source ${PROJECT_SOURCE_DIR}/web)
set(podium_web_build ${PROJECT_BINARY_DIR}/web)

# podium_npm_install(FOLDER RESULT): installs FOLDER/node_modules according to web/package-lock.json;
# RESULT is true on success.
function(podium_npm_install folder result)
  set(${result} FALSE PARENT_SCOPE)
  file(SHA256 ${podium_web_source}/package-lock.json lock)
  set(stamp ${folder}/installed.txt)
  if(EXISTS ${stamp})
    file(READ ${stamp} installed)
    if(installed STREQUAL lock)
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
  endif()
  file(COPY ${podium_web_source}/package.json ${podium_web_source}/package-lock.json
            ${podium_web_source}/.npmrc DESTINATION ${folder})
  message(STATUS "report: installing web/package-lock.json with npm")
  execute_process(COMMAND ${PODIUM_NPM} ci --ignore-scripts --prefer-offline --no-audit --no-fund
                          --fetch-retries=1 --loglevel=error
                  WORKING_DIRECTORY ${folder} RESULT_VARIABLE code OUTPUT_QUIET
                  ERROR_VARIABLE problem TIMEOUT 600)
  if(NOT code EQUAL 0)
    message(WARNING "no report in this build: npm ci failed (${code}). ${problem}")
    return()
  endif()
  file(WRITE ${stamp} ${lock})
  set(${result} TRUE PARENT_SCOPE)
endfunction()

function(podium_web_tools result)
  set(${result} FALSE PARENT_SCOPE)
  find_program(PODIUM_NPM npm)
  find_program(PODIUM_NODE NAMES node nodejs)
  if(NOT PODIUM_NPM OR NOT PODIUM_NODE)
    message(WARNING "no report in this build: npm and node were not found")
    return()
  endif()
  execute_process(COMMAND ${PODIUM_NODE} --version OUTPUT_VARIABLE version
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE "v" "" version "${version}")
  if(version VERSION_LESS 18)
    message(WARNING "no report in this build: node ${version} is older than 18")
    return()
  endif()
  podium_npm_install(${podium_web_build} installed)
  set(${result} ${installed} PARENT_SCOPE)
endfunction()

set(PODIUM_HAS_REPORT FALSE)
if(EXISTS ${podium_web_source}/page.html)
  message(STATUS "report: web/page.html, built for the source distribution")
elseif(PODIUM_WEB)
  podium_web_tools(PODIUM_HAS_REPORT)
endif()

set(podium_page ${podium_web_build}/dist/index.html)
if(PODIUM_HAS_REPORT)
  file(GLOB_RECURSE podium_web_files CONFIGURE_DEPENDS ${podium_web_source}/src/*)
  list(APPEND podium_web_files ${podium_web_source}/index.html ${podium_web_source}/vite.config.ts
       ${podium_web_source}/inline.ts ${podium_web_source}/tsconfig.json)
  add_custom_command(
    OUTPUT ${podium_page}
    COMMAND ${CMAKE_COMMAND} -E rm -rf src
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${podium_web_source}/src src
    COMMAND ${CMAKE_COMMAND} -E copy ${podium_web_source}/index.html
            ${podium_web_source}/vite.config.ts ${podium_web_source}/inline.ts
            ${podium_web_source}/tsconfig.json .
    COMMAND ${PODIUM_NODE} node_modules/vite/bin/vite.js build --logLevel warn
    DEPENDS ${podium_web_files} ${podium_web_source}/package-lock.json
    WORKING_DIRECTORY ${podium_web_build}
    COMMENT "Building the report's page" VERBATIM)
elseif(EXISTS ${podium_web_source}/page.html)
  set(podium_page ${podium_web_source}/page.html)
else()
  if(NOT PODIUM_WEB)
    message(STATUS "no report in this build: PODIUM_WEB is off")
  endif()
  set(podium_page ${podium_web_build}/empty.html)
  file(WRITE ${podium_page}.new "")
  file(COPY_FILE ${podium_page}.new ${podium_page} ONLY_IF_DIFFERENT)
endif()

# podium_embed(SOURCES FILE HEADER FUNCTION): appends to SOURCES the C++ that returns the file's bytes.
function(podium_embed sources file header function)
  set(source ${podium_web_build}/${function}.cc)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DFILE=${file} -DOUT=${source} -DHEADER=${header} -DFUNCTION=${function}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake VERBATIM)
  set(${sources} ${${sources}} ${source} PARENT_SCOPE)
endfunction()

podium_embed(podium_page_sources ${podium_page} experiments/report/report_page.h report_page)
add_library(podium_report_page STATIC ${podium_page_sources})
# The page of `podium serve --model` is written by hand and needs no npm.
podium_embed(podium_try_sources ${podium_web_source}/try/index.html server/try_page.h try_page)
podium_embed(podium_try_sources ${podium_web_source}/try/try.css server/try_page.h try_style)
podium_embed(podium_try_sources ${podium_web_source}/try/try.js server/try_page.h try_script)
add_library(podium_try_page STATIC ${podium_try_sources})
foreach(library podium_report_page podium_try_page)
  target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${library} PRIVATE podium_flags)
endforeach()
