package io.boltshuffle.topology;

/** Makes foreign text fit for a message: quoted, printable, short. */
final class Quoted {

    private static final int MAX_CHARS = 60;

    private Quoted() {}

    static String of(String text) {
        String printable = text.replaceAll("[^\\x20-\\x7e]", "?");
        return '"' + (printable.length() > MAX_CHARS ? printable.substring(0, MAX_CHARS) + "..." : printable) + '"';
    }
}
