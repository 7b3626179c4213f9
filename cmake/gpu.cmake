# Kernels for NVIDIA's GPUs, embedded in podium_device. Nothing of CUDA is linked: nvcc compiles src/gpu/kernels.cu into a
# file of machine code for several architectures, and the driver is loaded at run time. `make gpu-tools` (tools/gpu_tools)
# installs a pinned nvcc from PyPI into build/cuda; any nvcc 12 or later that CMake finds serves. Without one the build has
# no GPU support, and says so.
option(PODIUM_GPU "compile kernels for GPUs (needs nvcc)" ON)
set(PODIUM_GPU_ARCHITECTURES "80;86;89;90" CACHE STRING "compute capabilities to compile for; PTX for the last one")

set(podium_gpu_code "")
if(PODIUM_GPU AND NOT PODIUM_SANITIZE)
  file(GLOB podium_pinned_cuda ${PROJECT_SOURCE_DIR}/build/cuda/lib/python3*/site-packages/nvidia/cu13/bin)
  find_program(PODIUM_NVCC nvcc HINTS ${podium_pinned_cuda} $ENV{PODIUM_CUDA}/bin /usr/local/cuda/bin)
  if(PODIUM_NVCC)
    set(podium_gpu_code ${PROJECT_BINARY_DIR}/gpu/kernels.fatbin)
    set(podium_gpu_flags "")
    set(podium_gpu_targets "")
    foreach(architecture ${PODIUM_GPU_ARCHITECTURES})
      list(APPEND podium_gpu_flags -gencode arch=compute_${architecture},code=sm_${architecture})
      string(APPEND podium_gpu_targets "sm_${architecture} ")
      set(podium_gpu_newest ${architecture})
    endforeach()
    list(APPEND podium_gpu_flags -gencode arch=compute_${podium_gpu_newest},code=compute_${podium_gpu_newest})
    string(APPEND podium_gpu_targets "and PTX for newer ones")
    list(GET PODIUM_GPU_ARCHITECTURES 0 podium_gpu_oldest)
    cmake_path(GET PODIUM_NVCC PARENT_PATH podium_nvcc_folder)
    cmake_path(GET podium_nvcc_folder PARENT_PATH podium_cuda_folder)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/gpu)
    # -fmad=false: a multiplication and an addition are rounded separately, as on the host.
    add_custom_command(
      OUTPUT ${podium_gpu_code}
      COMMAND ${PODIUM_NVCC} -fatbin -std=c++20 -O3 -fmad=false --expt-relaxed-constexpr -ccbin ${CMAKE_CXX_COMPILER}
              -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include -I${podium_cuda_folder}/include
              ${podium_gpu_flags} -MD -MF ${podium_gpu_code}.d -o ${podium_gpu_code}
              ${PROJECT_SOURCE_DIR}/src/gpu/kernels.cu
      DEPENDS ${PROJECT_SOURCE_DIR}/src/gpu/kernels.cu DEPFILE ${podium_gpu_code}.d
      COMMENT "Compiling kernels for GPUs" VERBATIM)
    message(STATUS "GPU support: ${podium_gpu_targets} (${PODIUM_NVCC})")
  else()
    message(STATUS "no GPU support in this build: nvcc was not found (make gpu-tools installs it)")
  endif()
endif()

add_library(podium_gpu_code STATIC ${PROJECT_SOURCE_DIR}/src/gpu/gpu_code.cc)
target_include_directories(podium_gpu_code PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(podium_gpu_code PRIVATE podium_flags)
# Its object contains the file of kernels, which a compiler cache does not see: it would give an old one.
set_target_properties(podium_gpu_code PROPERTIES CXX_COMPILER_LAUNCHER "")
if(podium_gpu_code)
  target_compile_definitions(podium_gpu_code PRIVATE PODIUM_GPU_CODE="${podium_gpu_code}" PODIUM_GPU_OLDEST=${podium_gpu_oldest}
                                                     PODIUM_GPU_TARGETS="${podium_gpu_targets}")
  # By itself: files that are compiled together lose OBJECT_DEPENDS.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/gpu/gpu_code.cc
                              PROPERTIES OBJECT_DEPENDS ${podium_gpu_code} SKIP_UNITY_BUILD_INCLUSION ON)
endif()
