/* Scoring with Podium models from C and from anything that calls C.
 *
 * A model is loaded once and may be used from many threads at the same time. Functions return a
 * podium_status; the error message is then in podium_last_error(), one line, kept for each thread
 * until its next call that fails. No exception leaves the library. */
#ifndef PODIUM_C_H
#define PODIUM_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PODIUM_API __attribute__((visibility("default")))
#else
#define PODIUM_API
#endif

/* NOLINTBEGIN(readability-identifier-naming): names for C */
typedef enum podium_status {
  PODIUM_OK = 0,
  PODIUM_WRONG_ARGUMENT = 1, /* a null pointer, inconsistent sizes */
  PODIUM_WRONG_DATA = 2,     /* the content of a file, or of an argument, is wrong */
  PODIUM_FILE_ERROR = 3,     /* a file cannot be read */
  PODIUM_OUT_OF_MEMORY = 4,
  PODIUM_INTERNAL_ERROR = 5
} podium_status;
/* NOLINTEND(readability-identifier-naming) */

typedef struct podium_model podium_model;

/* "1.2.3" */
PODIUM_API const char* podium_version(void);

/* The last error of the calling thread, "" when there was none. Valid until the thread's next call.
 */
PODIUM_API const char* podium_last_error(void);

/* Reads a model file (.json, .json.zst, .json.gz), or a model in memory. *model is null on error.
 */
PODIUM_API podium_status podium_model_load(const char* path, podium_model** model);
PODIUM_API podium_status podium_model_load_memory(const char* json, size_t bytes,
                                                  podium_model** model);
/* Null is allowed. */
PODIUM_API void podium_model_free(podium_model* model);

/* The model's inputs: how many, and their names, which live as long as the model. The name is null
 * when the index is too large. 0 and null for a null model. */
PODIUM_API size_t podium_model_features(const podium_model* model);
PODIUM_API const char* podium_model_feature_name(const podium_model* model, size_t index);

/* A model may have categories among its inputs. A row has a category's code, which this gives for a
 * value such as "acme"; NaN, as for a missing value, if the model does not know the value, if the
 * input is a number, or for a null pointer. Any other number that is no code counts as an unknown
 * value. */
PODIUM_API int podium_model_is_category(const podium_model* model, size_t index);
PODIUM_API float podium_model_category_code(const podium_model* model, size_t index,
                                            const char* value);

/* Scores `documents` rows of podium_model_features() values each, one after another in the order of
 * the feature names. A NaN is a missing value; infinities are refused. The documents of one call
 * are one query: a model with query normalisation normalises over them. scores has room for
 * `documents` numbers. */
PODIUM_API podium_status podium_score_dense(const podium_model* model, const float* values,
                                            size_t documents, size_t features, double* scores);

/* The same for sparse rows: row i has the values at row_begin[i] … row_begin[i + 1] − 1, of the
 * features columns[…], counted from 0 and ascending within a row. row_begin has documents + 1
 * numbers, the first of which is 0. A feature that a row does not name is `absent`: 0, or NaN for
 * missing. */
PODIUM_API podium_status podium_score_sparse(const podium_model* model, const uint64_t* row_begin,
                                             const uint32_t* columns, const float* values,
                                             size_t documents, float absent, double* scores);

#ifdef __cplusplus
}
#endif

#endif /* PODIUM_C_H */
