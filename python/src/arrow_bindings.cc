// Arrow tables from Python: the capsule of __arrow_c_stream__.
#include "arrow_table.h"
#include "bindings.h"

namespace podium::python {
namespace {

using NumpyMatrix = nb::ndarray<nb::numpy, const float, nb::ndim<2>, nb::c_contig>;

ArrowTable import_capsule(nb::handle capsule) {
  auto* const stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (!stream) throw nb::python_error();
  if (!stream->release) throw nb::value_error("X: this Arrow stream has been read already");
  const auto released = [](ArrowArrayStream* s) { s->release(s); };
  const std::unique_ptr<ArrowArrayStream, decltype(released)> owner(stream, released);
  return ArrowTable(*stream);
}

// A NumPy matrix that keeps the underlying memory alive.
NumpyMatrix to_numpy(const ArrowTable::Features& features, std::size_t rows) {
  auto kept = std::make_unique<Buffer<float>>(features.values);
  const float* const data = kept->view().data();
  nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<Buffer<float>*>(p); });
  kept.release();  // NOLINT(bugprone-unused-return-value): the capsule has it
  return NumpyMatrix(data, {rows, features.names.size()}, owner);
}

}  // namespace

void bind_arrow(nb::module_& module) {
  nb::class_<ArrowTable>(module, "ArrowTable", "A table of any Arrow producer.")
      .def_static("from_capsule", &import_capsule, nb::arg("capsule"))
      .def_prop_ro("rows", &ArrowTable::rows)
      .def_prop_ro("names", &ArrowTable::names)
      .def("is_text", &ArrowTable::is_text, nb::arg("name"))
      .def("is_number", &ArrowTable::is_number, nb::arg("name"))
      .def(
          "features",
          [](const ArrowTable& table, const std::vector<std::string>& columns, int threads) {
            ArrowTable::Features features;
            {
              const nb::gil_scoped_release free;
              ThreadPool pool(threads);
              features = table.features(columns, pool);
            }
            return std::pair(to_numpy(features, table.rows()), features.names);
          },
          nb::arg("columns"), nb::arg("threads"))
      .def(
          "numbers",
          [](const ArrowTable& table, const std::string& name) {
            return give(table.numbers(name));
          },
          nb::arg("name"))
      .def("feature_names", &ArrowTable::feature_names, nb::arg("name"))
      .def("is_dictionary", &ArrowTable::is_dictionary, nb::arg("name"))
      .def(
          "categories",
          [](const ArrowTable& table, const std::string& name) {
            ArrowTable::Categories found = table.categories(name);
            return std::pair(give(std::move(found.rows)), std::move(found.values));
          },
          nb::arg("name"))
      .def("texts", &ArrowTable::texts, nb::arg("name"));
}

}  // namespace podium::python
