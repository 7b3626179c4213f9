// The model loader: any bytes either load, and then save to what loads again, or give an Error.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "podium/error.h"
#include "podium/model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const podium::SavedModel model =
        podium::model_from_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    const std::string json = podium::to_json(model);
    if (podium::to_json(podium::model_from_json(json, "again.json")) != json) std::abort();
  } catch (const podium::Error&) {
    return 0;
  }
  return 0;
}
