package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.base.Console;

/** Announces which step of how many begins. */
final class Steps {
    private final int count;
    private final Console console;
    private int begun;

    Steps(int count, Console console) {
        this.count = count;
        this.console = console;
    }

    void next(String what) {
        begun++;
        console.line("step " + begun + " of " + count + ": " + what);
    }
}
