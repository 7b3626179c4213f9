// Exports models to other systems' formats, and imports theirs.
#include "bindings.h"
#include "podium/export.h"

namespace podium::python {
namespace {

ExportOptions to_options(std::string name, std::string target, bool nonnegative,
                         bool missing_as_zero) {
  ExportOptions options;
  options.name = std::move(name);
  options.target = std::move(target);
  if (nonnegative) options.scores = ExportOptions::Scores::nonnegative;
  if (missing_as_zero) options.missing = ExportOptions::Missing::zero;
  return options;
}

nb::dict describe(const ExportCheck& check) {
  nb::dict out;
  out["documents"] = check.documents;
  out["largest_score"] = check.largest_score;
  out["largest_difference"] = check.largest_difference;
  out["tolerance"] = check.tolerance;
  out["decisions"] = check.decisions;
  out["changed_decisions"] = check.changed_decisions;
  out["pairs"] = check.pairs;
  out["changed_pairs"] = check.changed_pairs;
  out["rounded_pairs"] = check.rounded_pairs;
  out["holds"] = check.holds();
  return out;
}

nb::list formats() {
  nb::list out;
  for (const ExportFormat& format : export_formats()) {
    nb::dict row;
    row["name"] = std::string(format.name);
    row["summary"] = std::string(format.summary);
    out.append(row);
  }
  return out;
}

}  // namespace

void bind_export(nb::module_& module) {
  nb::class_<ExportedModel>(module, "ExportedModel")
      .def_ro("format", &ExportedModel::format)
      .def_ro("shift", &ExportedModel::shift)
      .def_prop_ro("notes", [](const ExportedModel& exported) { return in_python(exported.notes); })
      .def_prop_ro("content", [](const ExportedModel& exported) {
        return nb::bytes(exported.content.data(), exported.content.size());
      });
  module.def("export_formats", &formats);
  module.def("import_formats", &import_formats);
  module.def(
      "export_model",
      [](const SavedModel& model, const std::string& format, std::string name, std::string target,
         bool nonnegative, bool missing_as_zero) {
        return export_model(
            model, format,
            to_options(std::move(name), std::move(target), nonnegative, missing_as_zero));
      },
      nb::arg("model"), nb::arg("format"), nb::arg("name"), nb::arg("target"),
      nb::arg("nonnegative"), nb::arg("missing_as_zero"));
  module.def(
      "format_of_target", [](const std::string& target) { return format_of_target(target); },
      nb::arg("target"));
  module.def(
      "verify_export",
      [](const SavedModel& model, const ExportedModel& exported, const Dataset& data, int threads) {
        ExportCheck check;
        {
          const nb::gil_scoped_release free;
          Frame frame(threads);
          check = verify_export(model, exported, data, frame.context());
        }
        return describe(check);
      },
      nb::arg("model"), nb::arg("exported"), nb::arg("data"), nb::arg("threads"));
  module.def(
      "import_model",
      [](const nb::bytes& content, const std::string& file, const std::string& format,
         std::int64_t first_feature, std::string target) {
        ImportedModel imported = import_model({content.c_str(), content.size()}, file, format,
                                              {first_feature, std::move(target)});
        return std::pair(std::move(imported.model), in_python(imported.notes));
      },
      nb::arg("content"), nb::arg("file"), nb::arg("format"), nb::arg("first_feature"),
      nb::arg("target"));
}

}  // namespace podium::python
