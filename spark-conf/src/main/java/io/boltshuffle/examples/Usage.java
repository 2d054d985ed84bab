package io.boltshuffle.examples;

/** The arguments of an example, refused in one line. */
final class Usage {
    private Usage() {}

    static void require(String[] args, int count, String usage) {
        if (args.length < count) {
            throw new IllegalArgumentException("usage: " + usage);
        }
    }
}
