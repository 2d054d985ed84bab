package io.boltshuffle.cli.verify.ladder;

/**
 * The result of one rung.
 *
 * @param passed on both hosts
 * @param detail what was seen, in one line
 * @param remedy what to do about a failure, in one line; empty if it passed or no remedy is known
 */
public record RungResult(Rung rung, boolean passed, String detail, String remedy) {

    static RungResult passed(Rung rung, String detail) {
        return new RungResult(rung, true, detail, "");
    }
}
