// Shared by the parts of the extension. Each bind_* function adds one part to the module.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/gpu.h"

namespace nb = nanobind;

namespace podium::python {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using NumpyVector = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class Array>
auto as_span(const Array& array) {
  return std::span(array.data(), array.size());
}

// A Python array as a buffer that keeps it alive, without copying.
template <class T, class Array>
Buffer<T> borrow(const Array& array) {
  return Buffer<T>({static_cast<const T*>(static_cast<const void*>(array.data())), array.size()},
                   std::make_shared<const Array>(array));
}

// A vector as a NumPy array that owns it, without copying.
template <class T>
NumpyVector<T> give(std::vector<T> values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owned->data();
  const std::size_t size = owned->size();
  nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  owned.release();  // NOLINT(bugprone-unused-return-value): the capsule has it
  return NumpyVector<T>(data, {size}, owner);
}

// Options in the library's texts (podium/option_text.h) as Python arguments: `min_docs`, `k=0`,
// `bound="ramp"`.
std::string as_argument(std::string_view name, std::string_view value);
std::string in_python(std::string_view text);
std::vector<std::string> in_python(std::vector<std::string> texts);

// choose_device(); a GPU then stays open, because the next call will need it, too.
inline Device device_of(std::string_view name, Communicator& comm) {
  const Device device = choose_device(name, comm);
  keep_open(device);
  return device;
}

// What a call of the library needs in addition to its arguments; notes are kept for the caller.
class Frame final : public Observer {
 public:
  explicit Frame(int threads, std::uint64_t seed = 1, std::string_view device = "cpu")
      : pool_(threads),
        comm_(make_local_communicator()),
        context_{.seed = seed, .pool = pool_, .comm = *comm_, .observer = *this} {
    context_.device = device_of(device, *comm_);
  }

  Context& context() noexcept { return context_; }
  const std::vector<std::string>& notes() const noexcept { return notes_; }
  void note(std::string_view text) override { notes_.push_back(in_python(text)); }

 private:
  ThreadPool pool_;
  std::unique_ptr<Communicator> comm_;
  Context context_;
  std::vector<std::string> notes_;
};

void bind_errors(nb::module_& module);
void bind_catalog(nb::module_& module);
void bind_dataset(nb::module_& module);
void bind_arrow(nb::module_& module);
void bind_model(nb::module_& module);
void bind_evaluation(nb::module_& module);
void bind_training(nb::module_& module);
void bind_export(nb::module_& module);
void bind_explain(nb::module_& module);
void bind_compare(nb::module_& module);
void bind_auto(nb::module_& module);
void bind_runs(nb::module_& module);
void bind_labels(nb::module_& module);
void bind_loss_check(nb::module_& module);
void bind_clicks(nb::module_& module);
void bind_devices(nb::module_& module);

}  // namespace podium::python
