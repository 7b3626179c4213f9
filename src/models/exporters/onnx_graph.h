// An ONNX model being written: nodes, constants, one input "features" (float, documents × features)
// and one output "score" (float, documents × 1). Field numbers are those of onnx.proto.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/exporters/exporter.h"
#include "models/exporters/protobuf_writer.h"

namespace podium {

enum class OnnxType : std::int64_t { real32 = 1, whole64 = 7, real64 = 11 };

class OnnxAttributes {
 public:
  OnnxAttributes& whole(std::string_view name, std::int64_t value);
  OnnxAttributes& text(std::string_view name, std::string_view value);
  OnnxAttributes& wholes(std::string_view name, std::span<const std::int64_t> values);
  OnnxAttributes& reals(std::string_view name, std::span<const float> values);
  OnnxAttributes& texts(std::string_view name, std::span<const std::string_view> values);
  OnnxAttributes& tensor(std::string_view name, std::span<const float> values);
  OnnxAttributes& tensor(std::string_view name, std::span<const std::uint8_t> values);

  const std::vector<ProtobufWriter>& all() const noexcept { return all_; }

 private:
  OnnxAttributes& tensor(std::string_view name, std::int64_t type, std::size_t size,
                         std::string_view bytes);

  std::vector<ProtobufWriter> all_;
};

class OnnxGraph {
 public:
  static constexpr std::string_view kInput = "features";
  static constexpr std::string_view kOutput = "score";

  // Each returns the name of the node or constant it adds, for use as an input.
  std::string node(std::string_view operation, const std::vector<std::string>& inputs,
                   const OnnxAttributes& attributes = {}, std::string_view domain = "");
  std::string constant(std::vector<std::int64_t> shape, std::span<const float> values);
  std::string constant(std::vector<std::int64_t> shape, std::span<const double> values);
  std::string constant(std::vector<std::int64_t> shape, std::span<const std::int64_t> values);
  std::string cast(const std::string& input, OnnxType type);
  // x, or 0 if it is NaN.
  std::string without_missing(const std::string& input);

  // The file; `score` is the output.
  std::string finish(const std::string& score, const ExportTask& task);

 private:
  std::string fresh_name();
  std::string tensor(const std::vector<std::int64_t>& shape, OnnxType type, std::string_view bytes);

  ProtobufWriter nodes_, constants_;  // repeated fields of a GraphProto
  std::size_t names_ = 0;
};

}  // namespace podium
