package io.boltshuffle.conf;

/** Whether a pull that is alone comes in parts: see {@link Options#FETCH_PARTS}. */
public enum PartsChoice {
    AUTO,
    ON,
    OFF
}
