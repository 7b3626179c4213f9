#include "core/archive.h"

#include <cmath>

#include <gtest/gtest.h>

namespace podium::archive_test {
namespace {

enum class Colour : std::uint8_t { red, blue };

struct Inner {
  double x = 0;
  std::string name;
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.x, self.name);
  }
  bool operator==(const Inner&) const = default;
};

struct Outer {
  std::int64_t round = 0;
  std::vector<double> weights;
  std::vector<Inner> parts;
  std::optional<Inner> best;
  std::vector<std::pair<std::string, double>> values;
  Colour colour = Colour::red;
  bool done = false;
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.round, self.weights, self.parts, self.best, self.values, self.colour, self.done);
  }
  bool operator==(const Outer&) const = default;
};

Outer example() {
  return {
      7,   {1.5, -0.0, 1e-300}, {{2, "two"}, {3, ""}}, Inner{4, "four"}, {{"a", 1}}, Colour::blue,
      true};
}

TEST(Archive, RoundTripsEverything) {
  ArchiveWriter writer;
  writer(example());
  const auto bytes = writer.take();
  ArchiveReader reader(bytes);
  Outer back;
  back.parts.resize(5);  // what was there before is replaced
  reader(back);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(back, example());
  EXPECT_TRUE(std::signbit(back.weights[1]));
}

TEST(Archive, BytesThatEndTooEarlyAreRefused) {
  ArchiveWriter writer;
  writer(example());
  const auto bytes = writer.take();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ArchiveReader reader{std::span(bytes).first(length)};
    Outer back;
    EXPECT_THROW(reader(back), Error) << length;
  }
}

TEST(Archive, ALengthBeyondTheEndIsRefusedBeforeAllocating) {
  ArchiveWriter writer;
  writer(std::uint64_t{1} << 60);
  const auto bytes = writer.take();
  ArchiveReader reader(bytes);
  std::vector<double> values;
  EXPECT_THROW(reader(values), Error);
}

TEST(Archive, AByteThatIsNeitherTrueNorFalseIsRefused) {
  const std::byte bytes[] = {std::byte{2}};
  ArchiveReader reader(bytes);
  bool value = false;
  EXPECT_THROW(reader(value), Error);
}

}  // namespace
}  // namespace podium::archive_test
