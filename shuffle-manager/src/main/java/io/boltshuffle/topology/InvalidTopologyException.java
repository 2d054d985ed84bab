package io.boltshuffle.topology;

/**
 * A topology is impossible. The message says where ({@code file: path}), what was found and what is expected. This
 * package throws nothing else for bad input.
 */
public final class InvalidTopologyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidTopologyException(String where, String found, String expected) {
        super(where + ": " + found + "; expected " + expected);
    }

    private InvalidTopologyException(String file, InvalidTopologyException cause) {
        super(file + ": " + cause.getMessage(), cause);
    }

    /** Returns the same problem with the name of the file that has it. */
    InvalidTopologyException in(String file) {
        return new InvalidTopologyException(file, this);
    }
}
