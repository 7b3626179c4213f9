#include "core/random.h"

#include <xxhash.h>

namespace podium {
namespace {

__extension__ using Wide = unsigned __int128;

// One 128-bit block of Philox4x32-10. [Salmon11] section 3.3
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::uint64_t key) {
  constexpr std::uint64_t kM0 = 0xD2511F53, kM1 = 0xCD9E8D57;
  constexpr std::uint32_t kW0 = 0x9E3779B9, kW1 = 0xBB67AE85;
  auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = kM0 * counter[0], p1 = kM1 * counter[2];
    counter = {
        static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ k0, static_cast<std::uint32_t>(p1),
        static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += kW0;
    k1 += kW1;
  }
  return counter;
}

std::uint64_t join(std::uint32_t low, std::uint32_t high) {
  return static_cast<std::uint64_t>(high) << 32 | low;
}

}  // namespace

void Random::refill() {
  const auto out =
      philox({static_cast<std::uint32_t>(block_), static_cast<std::uint32_t>(block_ >> 32),
              static_cast<std::uint32_t>(stream_), static_cast<std::uint32_t>(stream_ >> 32)},
             seed_);
  words_ = {join(out[0], out[1]), join(out[2], out[3])};
  ++block_;
}

std::uint64_t Random::below(std::uint64_t n) {
  // Multiply-shift; rejects the few low products that would favour small numbers.
  const std::uint64_t reject = -n % n;
  for (;;) {
    const Wide product = static_cast<Wide>(next()) * n;
    if (static_cast<std::uint64_t>(product) >= reject)
      return static_cast<std::uint64_t>(product >> 64);
  }
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return Random(a, b).next();
}

std::uint64_t hash_text(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace podium
