#include "podium/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/error.h"

namespace podium::device_test {
namespace {

using ::testing::ThrowsMessage;

TEST(Device, NamesParseBack) {
  EXPECT_EQ(parse_device(to_text(Device::cpu)), Device::cpu);
}

TEST(Device, UnknownDevicesAreRefused) {
  EXPECT_THAT([] { parse_device("cuda"); },
              ThrowsMessage<Error>("there is no device 'cuda' in this build: it only has cpu"));
}

}  // namespace
}  // namespace podium::device_test
