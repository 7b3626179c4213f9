// Small models for the server's tests.
#pragma once

#include <string>

#include "podium/model.h"

namespace podium::testing {

// a + 2 b
inline SavedModel linear_model(double weight_of_b = 2) {
  SavedModel model;
  model.learner = "linear";
  model.features = {"a", "b"};
  model.model = Linear{{1, weight_of_b}, 0};
  return model;
}

// Scaled to 0 … 1 within the query.
inline SavedModel scaled_model() {
  SavedModel model = linear_model();
  model.normalization.features = model.features;
  model.normalization.normalization = Normalization::query_minmax;
  return model;
}

// Features by number: 1 if feature 2 is above 0.5, else −1.
inline SavedModel stump() {
  SavedModel model;
  model.learner = "mart";
  model.features = {"1", "2", "3"};
  model.missing = "split";
  Tree tree;
  tree.nodes = {{1, 0.5F, Tree::Node::Missing::right, -1, -2, 1, 10}};
  tree.values = {-1, 1};
  tree.leaf_documents = {4, 6};
  Forest forest;
  forest.features = 3;
  forest.trees = {tree};
  model.model = forest;
  return model;
}

}  // namespace podium::testing
