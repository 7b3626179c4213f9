/* Scores documents with a Podium model: score MODEL < DOCUMENTS
 *
 * Each line of the input is one document of the same query: the values of all features, in the
 * model's order, separated by blanks; "nan" is a missing value. Prints one score per line. */
#include <podium/podium_c.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  podium_model* model = NULL;
  if (argc != 2) {
    fprintf(stderr, "usage: %s MODEL < DOCUMENTS\n", argv[0]);
    return 2;
  }
  if (podium_model_load(argv[1], &model) != PODIUM_OK) {
    fprintf(stderr, "%s\n", podium_last_error());
    return 1;
  }
  const size_t features = podium_model_features(model);
  size_t documents = 0, room = 0;
  float* values = NULL;
  float value;
  for (size_t count = 0; scanf("%f", &value) == 1;) {
    if (count == room) {
      room = room ? 2 * room : 1024;
      values = realloc(values, room * sizeof *values);
      if (!values) return 1;
    }
    values[count++] = value;
    documents = count / features;
  }
  double* scores = malloc((documents + 1) * sizeof *scores);
  if (!scores) return 1;
  const podium_status status = podium_score_dense(model, values, documents, features, scores);
  if (status != PODIUM_OK) fprintf(stderr, "%s\n", podium_last_error());
  for (size_t i = 0; status == PODIUM_OK && i < documents; ++i) printf("%.17g\n", scores[i]);
  free(scores);
  free(values);
  podium_model_free(model);
  return status == PODIUM_OK ? 0 : 1;
}
