// The population of the shop preset. A query looks for a category; a product has a category, a
// brand (twelve for each category, some loved, some avoided), a colour, scores of how well title
// and description match, a price, a rating, reviews and a discount. Its quality is
//   u = 1.5 [right category] + 1.4 title + 0.6 description + brand + 0.5 (rating − 3.5)
//     − 0.8 |price / usual price − 1| + 0.4 [discount] + 0.5 n
// with n nearly normal, and its grade, 0 to 3, the number of thresholds below u. A description is
// missing for three products in ten, a rating for new ones (one in five), a colour for one in ten.
// An older ranker shows products by title; a user examines place p with probability 1/√p, clicks
// with probability 0.05 + 0.2 grade, and buys a clicked product with probability 0.05 + 0.15 grade.
//
// Brands and thresholds do not depend on the seed: two seeds are two samples of one shop. Only + −
// × ÷ √ and comparisons of doubles are used, so every machine draws the same.
#include "data/synthetic/shop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "core/random.h"
#include "data/synthetic/synthetic_model.h"

namespace podium {
namespace {

constexpr std::uint64_t kShopSeed = 0x73686F70;  // "shop": the part that is the same for all seeds
constexpr std::size_t kCategories = 10, kBrandsEach = 12, kColours = 6;
constexpr std::array<std::string_view, kCategories> kCategoryNames = {
    "backpack", "boots", "gloves", "jacket", "lamp", "mat", "shoes", "stove", "tent", "watch"};
constexpr std::array<double, kCategories> kUsualPrice = {90, 140, 30, 160, 40,
                                                         35, 85,  60, 240, 190};
constexpr std::array<std::string_view, kColours> kColourNames = {"black", "blue",   "green",
                                                                 "red",   "silver", "white"};
constexpr std::array<double, kShopGrades - 1> kShares = {0.55, 0.8, 0.94};  // below each grade
constexpr std::size_t kShopSample = 1 << 14;

struct Product {
  std::size_t category = 0, brand = 0, colour = 0;  // brand: among all
  bool has_colour = true, has_description = true, has_rating = true;
  double title = 0, description = 0, price = 0, rating = 0, reviews = 0, discount = 0;
  double quality = 0;
};

// From −1 to 1; in each category a third is loved, a third avoided.
double brand_quality(std::size_t brand) {
  const double level = static_cast<double>(Random(kShopSeed, brand).below(3)) - 1;
  return 0.9 * level;
}

Product draw_product(std::size_t wanted, Random& random) {
  Product product;
  product.category = random.uniform() < 0.75 ? wanted : random.below(kCategories);
  // Small numbers are more frequent.
  const double skewed = random.uniform() * random.uniform();
  product.brand = product.category * kBrandsEach +
                  static_cast<std::size_t>(skewed * static_cast<double>(kBrandsEach));
  product.colour = random.below(kColours);
  product.has_colour = random.uniform() >= 0.1;
  product.title = std::min(1.0, std::max(0.0, 0.5 + 0.25 * draw_normal(random)));
  product.description = std::min(1.0, std::max(0.0, 0.4 + 0.25 * draw_normal(random)));
  product.has_description = random.uniform() >= 0.3;
  const double relative = std::max(0.2, 1 + 0.4 * draw_normal(random));
  product.price = kUsualPrice[product.category] * relative;
  product.rating = std::min(5.0, std::max(1.0, 3.6 + 0.8 * draw_normal(random)));
  product.has_rating = random.uniform() >= 0.2;
  product.reviews = product.has_rating ? std::floor(200 * random.uniform() * random.uniform()) : 0;
  product.discount = random.uniform() < 0.2 ? std::floor(1 + 4 * random.uniform()) * 10 : 0;
  product.quality = (product.category == wanted ? 1.5 : 0) + 1.4 * product.title +
                    0.6 * product.description + brand_quality(product.brand) +
                    0.5 * (product.rating - 3.5) - 0.8 * std::fabs(relative - 1) +
                    (product.discount > 0 ? 0.4 : 0) + 0.5 * draw_normal(random);
  return product;
}

std::array<double, kShopGrades - 1> shop_thresholds() {
  std::vector<double> sample(kShopSample);
  Random random(kShopSeed, std::uint64_t{1} << 32);
  for (double& quality : sample) quality = draw_product(random.below(kCategories), random).quality;
  std::sort(sample.begin(), sample.end());
  std::array<double, kShopGrades - 1> thresholds{};
  for (std::size_t g = 0; g < thresholds.size(); ++g)
    thresholds[g] = sample[static_cast<std::size_t>(kShares[g] * static_cast<double>(kShopSample))];
  return thresholds;
}

struct Response {
  std::vector<float> clicked, bought;
};

Response draw_response(const std::vector<Product>& products, const std::vector<int>& grades,
                       Random& random) {
  std::vector<double> shown_by(products.size());
  for (std::size_t i = 0; i < products.size(); ++i)
    shown_by[i] = products[i].title + 0.3 * draw_normal(random);
  std::vector<std::size_t> order(products.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return shown_by[a] > shown_by[b]; });
  Response response{std::vector<float>(products.size()), std::vector<float>(products.size())};
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::size_t i = order[place];
    const bool examined = random.uniform() < 1 / std::sqrt(static_cast<double>(place + 1));
    const bool likes = random.uniform() < 0.05 + 0.2 * grades[i];
    const bool buys = random.uniform() < 0.05 + 0.15 * grades[i];
    response.clicked[i] = examined && likes;
    response.bought[i] = examined && likes && buys;
  }
  return response;
}

// Rounded to two decimals, as shops print them.
float rounded(double x) {
  return static_cast<float>(std::floor(100 * x + 0.5) / 100);
}

class Shop {
 public:
  Shop(std::size_t products, std::uint64_t seed)
      : products_(products), seed_(seed), thresholds_(shop_thresholds()) {}

  // Query q, counted from 0, draws from stream q.
  void write(std::uint64_t q, std::span<float> labels, std::span<float> features) const {
    constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
    Random random(seed_ ^ kShopSeed, q);
    const std::size_t wanted = random.below(kCategories);
    std::vector<Product> products(products_);
    std::vector<int> grades;
    for (Product& product : products) {
      product = draw_product(wanted, random);
      const auto above = std::upper_bound(thresholds_.begin(), thresholds_.end(), product.quality);
      grades.push_back(static_cast<int>(above - thresholds_.begin()));
    }
    const Response response = draw_response(products, grades, random);
    for (std::size_t i = 0; i < products_; ++i) {
      const Product& p = products[i];
      labels[i] = static_cast<float>(grades[i]);
      const std::array<float, kShopFeatures> row = {
          static_cast<float>(p.category),
          static_cast<float>(p.brand),
          p.has_colour ? static_cast<float>(p.colour) : kMissing,
          rounded(p.title),
          p.has_description ? rounded(p.description) : kMissing,
          rounded(p.price),
          p.has_rating ? rounded(p.rating) : kMissing,
          static_cast<float>(p.reviews),
          static_cast<float>(p.discount),
          response.clicked[i],
          response.bought[i]};
      std::copy(row.begin(), row.end(),
                features.begin() + static_cast<std::ptrdiff_t>(i * std::size_t{kShopFeatures}));
    }
  }

 private:
  std::size_t products_;
  std::uint64_t seed_;
  std::array<double, kShopGrades - 1> thresholds_;
};

// Codes are places in the order of values, so names are made in that order.
FeatureSchema shop_schema() {
  std::vector<std::string> brands;
  for (std::size_t category = 0; category < kCategories; ++category)
    for (std::size_t b = 0; b < kBrandsEach; ++b)
      brands.push_back(fmt::format("{}-maker-{:02}", kCategoryNames[category], b + 1));
  const std::vector<std::string> categories(kCategoryNames.begin(), kCategoryNames.end());
  const std::vector<std::string> colours(kColourNames.begin(), kColourNames.end());
  return FeatureSchema(
      {{0, make_strings(categories)}, {1, make_strings(brands)}, {2, make_strings(colours)}});
}

}  // namespace

Dataset make_shop(const SyntheticOptions& resolved, std::uint64_t first, std::uint64_t last,
                  Context& context) {
  const auto each = static_cast<std::size_t>(resolved.docs);
  const std::size_t documents = each * static_cast<std::size_t>(last - first);
  const std::size_t features = kShopFeatures;
  const Shop shop(each, context.seed);
  std::vector<float> labels(documents), dense(documents * features);
  parallel_for(context.pool, last - first, 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      shop.write(first + i, std::span(labels).subspan(i * each, each),
                 std::span(dense).subspan(i * each * features, each * features));
  });
  DatasetParts parts;
  std::vector<std::uint64_t> query_begin = {0};
  std::vector<std::string> qids, docids;
  for (std::uint64_t q = first; q < last; ++q) {
    query_begin.push_back(query_begin.back() + each);
    qids.push_back(fmt::format("{}", q + 1));
    for (std::size_t d = 0; d < each; ++d) docids.push_back(fmt::format("p{}-{}", q + 1, d + 1));
  }
  parts.query_begin = std::move(query_begin);
  parts.labels = std::move(labels);
  parts.qids = make_strings(qids);
  parts.docids = make_strings(docids);
  parts.features = features;
  parts.feature_names = {"category",          "brand", "colour",  "title_match",
                         "description_match", "price", "rating",  "reviews",
                         "discount",          "click", "purchase"};
  parts.schema = shop_schema();
  parts.dense = std::move(dense);
  return Dataset(std::move(parts));
}

}  // namespace podium
