package io.boltshuffle.topology;

/**
 * A topology that cannot be: its message says where ({@code file: path}), what was found and what is expected. Nothing
 * else is thrown by this package for bad input.
 */
public final class InvalidTopologyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidTopologyException(String where, String found, String expected) {
        super(where + ": " + found + "; expected " + expected);
    }

    private InvalidTopologyException(String file, InvalidTopologyException cause) {
        super(file + ": " + cause.getMessage(), cause);
    }

    /** The same problem, found while reading a file. */
    InvalidTopologyException in(String file) {
        return new InvalidTopologyException(file, this);
    }
}
