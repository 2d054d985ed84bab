/* Layer 8, programs. vtbtest: lists the tests, and runs one by its name. */
#include "harness.h"

#include <libgen.h>
#include <stdio.h>
#include <string.h>

/* One suite in each file of tests. */
extern const struct test transfer_tests[];
extern const struct test limit_tests[];
extern const struct test fault_tests[];
extern const struct test process_tests[];
extern const struct test topology_tests[];
extern const struct test pace_tests[];

static const struct test *const suites[] = {transfer_tests, limit_tests,    fault_tests,
                                            process_tests,  topology_tests, pace_tests};

static const struct test *find(const char *name) {
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++) {
        for (const struct test *test = suites[i]; test->name; test++) {
            if (!strcmp(test->name, name)) {
                return test;
            }
        }
    }
    return NULL;
}

static int list(void) {
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++) {
        for (const struct test *test = suites[i]; test->name; test++) {
            puts(test->name);
        }
    }
    return 0;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fputs("usage: vtbtest --list | NAME\n", stderr);
        return 2;
    }
    if (!strcmp(arguments[1], "--list")) {
        return list();
    }
    const struct test *test = find(arguments[1]);
    if (!test) {
        fprintf(stderr, "vtbtest: no test %s\n", arguments[1]);
        return 2;
    }
    return run_test(test, dirname(arguments[0]));
}
