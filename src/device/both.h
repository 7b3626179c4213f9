// PODIUM_BOTH, for kernels.
#pragma once

#include "core/both.h"
