#include "models/importers/ubjson.h"

#include <bit>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {
namespace {

using UbjsonValue = nlohmann::json;

constexpr int kDeepestUbjson = 64;

class UbjsonReader {
 public:
  UbjsonReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  UbjsonValue read() {
    UbjsonValue value = this->value(take_marker(), 0);
    if (at_ != bytes_.size()) fail("there is something after the end of the model");
    return value;
  }

 private:
  // A container's head: of which type all its values are, and how many there are.
  struct Head {
    std::optional<char> type;
    std::optional<std::size_t> count;
  };

  [[noreturn]] void fail(std::string_view why) const {
    throw Error(ErrorCode::data, fmt::format("damaged UBJSON: {} (byte {})", why, at_), {file_});
  }

  std::size_t left() const noexcept { return bytes_.size() - at_; }

  char take() {
    if (left() == 0) fail("the file ends too early");
    return bytes_[at_++];
  }
  char take_marker() {  // N says nothing
    char marker = take();
    while (marker == 'N') marker = take();
    return marker;
  }
  bool skip_if(char marker) {
    while (left() > 0 && bytes_[at_] == 'N') ++at_;
    if (left() == 0 || bytes_[at_] != marker) return false;
    ++at_;
    return true;
  }

  template <class Unsigned>
  Unsigned take_bits() {
    if (left() < sizeof(Unsigned)) fail("the file ends inside a number");
    Unsigned bits = 0;
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
      bits = static_cast<Unsigned>(bits << 8 | static_cast<unsigned char>(bytes_[at_++]));
    return bits;
  }

  std::optional<std::int64_t> whole(char marker) {
    switch (marker) {
      case 'i':
        return static_cast<std::int8_t>(take_bits<std::uint8_t>());
      case 'U':
        return take_bits<std::uint8_t>();
      case 'I':
        return static_cast<std::int16_t>(take_bits<std::uint16_t>());
      case 'l':
        return static_cast<std::int32_t>(take_bits<std::uint32_t>());
      case 'L':
        return static_cast<std::int64_t>(take_bits<std::uint64_t>());
      default:
        return std::nullopt;
    }
  }

  std::size_t size() {
    const auto size = whole(take());
    if (!size || *size < 0) fail("a size is not a whole number");
    return static_cast<std::size_t>(*size);
  }
  std::string text() {
    const std::size_t size = this->size();
    if (size > left()) fail("a string is longer than the file");
    const std::string_view text = bytes_.substr(at_, size);
    at_ += size;
    return std::string(text);
  }

  static std::size_t least_bytes(char type) {  // of one value, after its marker
    switch (type) {
      case 'I':
        return 2;
      case 'l':
      case 'd':
        return 4;
      case 'L':
      case 'D':
        return 8;
      case 'S':
        return 2;
      default:
        return 1;
    }
  }

  Head head() {
    Head head;
    if (skip_if('$')) {
      head.type = take();
      if (std::string_view("iUIlLdDCS[{").find(*head.type) == std::string_view::npos)
        fail("a container has values of a type that takes no bytes or is unknown");
      if (left() == 0 || bytes_[at_] != '#') fail("a container has a type but no count");
    }
    if (skip_if('#')) {
      head.count = size();
      if (*head.count > left() / least_bytes(head.type.value_or('i')))
        fail("a container is larger than the file");
    }
    return head;
  }

  UbjsonValue value(char marker, int depth) {
    if (const auto number = whole(marker)) return *number;
    switch (marker) {
      case 'Z':
        return nullptr;
      case 'T':
        return true;
      case 'F':
        return false;
      case 'd':
        return static_cast<double>(std::bit_cast<float>(take_bits<std::uint32_t>()));
      case 'D':
        return std::bit_cast<double>(take_bits<std::uint64_t>());
      case 'C':
        return std::string(1, take());
      case 'S':
        return text();
      case '[':
        return array(depth + 1);
      case '{':
        return object(depth + 1);
      default:
        fail("there is an unknown marker");
    }
  }

  UbjsonValue array(int depth) {
    if (depth > kDeepestUbjson) fail("arrays and objects are nested too deep");
    const Head head = this->head();
    UbjsonValue out = UbjsonValue::array();
    auto& items = out.get_ref<UbjsonValue::array_t&>();
    if (head.count) {  // nothing is reserved: nested arrays could each claim the whole file
      for (std::size_t i = 0; i < *head.count; ++i)
        items.push_back(value(head.type ? *head.type : take_marker(), depth));
      return out;
    }
    while (!skip_if(']')) items.push_back(value(take_marker(), depth));
    return out;
  }

  UbjsonValue object(int depth) {
    if (depth > kDeepestUbjson) fail("arrays and objects are nested too deep");
    const Head head = this->head();
    UbjsonValue out = UbjsonValue::object();
    const auto member = [&] {
      std::string key = text();
      UbjsonValue read = value(head.type ? *head.type : take_marker(), depth);
      if (!out.emplace(std::move(key), std::move(read)).second) fail("a key appears twice");
    };
    if (head.count)
      for (std::size_t i = 0; i < *head.count; ++i) member();
    else
      while (!skip_if('}')) member();
    return out;
  }

  std::string_view bytes_;
  const std::string& file_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_ubjson(std::string_view bytes) noexcept {
  return bytes.size() > 1 && bytes[0] == '{' &&
         std::string_view("iUIlL$#N").find(bytes[1]) != std::string_view::npos;
}

nlohmann::json parse_ubjson(std::string_view bytes, const std::string& file) {
  return UbjsonReader(bytes, file).read();
}

}  // namespace podium
