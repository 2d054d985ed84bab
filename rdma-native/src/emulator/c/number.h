/* Layer 1, base. Reads numbers in words that people wrote. */
#ifndef VTB_NUMBER_H
#define VTB_NUMBER_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* False: not a whole number from 0 to max. */
static inline bool vtb_parse_number(const char *word, uint64_t max, uint64_t *out) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(word, &end, 0);
    if (errno || end == word || *end || word[0] < '0' || word[0] > '9' || value > max) {
        return false;
    }
    *out = value;
    return true;
}

/* False: not a number from 0 to max. */
static inline bool vtb_parse_fraction(const char *word, double max, double *out) {
    char *end;
    double value = strtod(word, &end);
    if (end == word || *end || !(value >= 0) || value > max) {
        return false;
    }
    *out = value;
    return true;
}

#endif
