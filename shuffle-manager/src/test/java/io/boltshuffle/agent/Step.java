package io.boltshuffle.agent;

/**
 * What may happen next in an exploration.
 *
 * @param disturbing whether it need not happen for things to go on
 */
record Step(String name, boolean disturbing, Runnable action) {

    static Step of(String name, Runnable action) {
        return new Step(name, false, action);
    }

    static Step disturbing(String name, Runnable action) {
        return new Step(name, true, action);
    }
}
