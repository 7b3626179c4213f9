#include "podium/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/error.h"

namespace podium::device_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Device, NamesParseBack) {
  for (const Device device : {Device{}, Device{Device::Kind::cuda}, Device{Device::Kind::cuda, 13},
                              Device{Device::Kind::emulated}})
    EXPECT_EQ(parse_device(to_text(device)), device);
  EXPECT_EQ(parse_device("cuda"), Device{Device::Kind::cuda});
}

TEST(Device, UnknownDevicesAreRefused) {
  for (const char* name :
       {"", "gpu", "cuda:", "cuda:-1", "cuda:x", "cuda:1x", "cuda:99999999999", "CPU"})
    EXPECT_THAT([name] { parse_device(name); },
                ThrowsMessage<Error>(HasSubstr("there is no device")))
        << name;
}

}  // namespace
}  // namespace podium::device_test
