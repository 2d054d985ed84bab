package io.boltshuffle.examples;

/** Checks the arguments of an example, and refuses wrong ones in one line. */
final class Usage {
    private Usage() {}

    static void require(String[] args, int count, String usage) {
        if (args.length < count) {
            throw new IllegalArgumentException("usage: " + usage);
        }
    }
}
