# Man pages and shell completion, generated from the output of the program. Without Python there are none.
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  message(STATUS "no man pages and no shell completion in this build: python3 was not found")
elseif(TARGET podium)
  set(podium_interface_folder ${PROJECT_BINARY_DIR}/interface/share)
  set(podium_zsh_completion ${PROJECT_BINARY_DIR}/interface/_podium)
  file(GLOB podium_interface_tools CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/interface/*.py)
  add_custom_command(
    OUTPUT ${podium_zsh_completion}
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${Python3_EXECUTABLE}
            ${PROJECT_SOURCE_DIR}/tools/write_interface.py $<TARGET_FILE:podium> ${podium_interface_folder}
    DEPENDS podium ${PROJECT_SOURCE_DIR}/tools/write_interface.py ${podium_interface_tools}
    COMMENT "Writing man pages and shell completion" VERBATIM)
  add_custom_target(podium_interface ALL DEPENDS ${podium_zsh_completion})
endif()
