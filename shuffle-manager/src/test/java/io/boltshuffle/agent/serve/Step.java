package io.boltshuffle.agent.serve;

/**
 * A step that may happen next in an exploration.
 *
 * @param disturbing whether it need not happen for things to go on
 */
public record Step(String name, boolean disturbing, Runnable action) {

    public static Step of(String name, Runnable action) {
        return new Step(name, false, action);
    }

    public static Step disturbing(String name, Runnable action) {
        return new Step(name, true, action);
    }
}
