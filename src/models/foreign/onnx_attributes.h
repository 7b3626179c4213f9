// The attributes of an ONNX node, for the readers of exported files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/foreign/foreign_tree.h"
#include "models/importers/protobuf_reader.h"

namespace podium {

class OnnxNodeAttributes {
 public:
  explicit OnnxNodeAttributes(const ProtobufReader& node) {
    for (const std::string_view bytes : node.all_bytes(5)) {
      ProtobufReader attribute(bytes);
      const std::string_view name = attribute.bytes(1);
      attributes_.emplace(name, std::move(attribute));
    }
  }

  bool has(std::string_view name) const { return attributes_.contains(name); }
  const ProtobufReader& at(std::string_view name) const {
    const auto found = attributes_.find(name);
    if (found == attributes_.end()) fail_foreign("its trees lack " + std::string(name));
    return found->second;
  }
  std::vector<std::int64_t> wholes(std::string_view name) const { return at(name).wholes(8); }
  // The bytes of a TensorProto.
  std::string_view tensor(std::string_view name) const {
    return ProtobufReader(at(name).bytes(5)).bytes(9);
  }

 private:
  std::map<std::string_view, ProtobufReader> attributes_;
};

template <class T>
void require_size(const std::vector<T>& values, std::size_t size) {
  if (values.size() != size) fail_foreign("arrays of its trees have different sizes");
}

}  // namespace podium
