package io.boltshuffle.testing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Something that reads what others wrote.
 *
 * @param name of its folder of found cases, {@code src/test/resources/fuzz/NAME}
 * @param samples it accepts
 * @param refusals all that it may throw, whatever it is given
 */
public record FuzzTarget(String name, Decoder decoder, List<byte[]> samples, Set<Class<? extends Exception>> refusals) {

    /** Reads the whole of an input. */
    @FunctionalInterface
    public interface Decoder {
        void decode(byte[] input) throws Exception;
    }

    /** Reads the whole of a text. */
    @FunctionalInterface
    public interface TextDecoder {
        void decode(String input) throws Exception;
    }

    /** One that reads text; bytes that are no text are replaced, as they are where it is read. */
    public static FuzzTarget ofText(
            String name, TextDecoder decoder, Set<Class<? extends Exception>> refusals, String... samples) {
        return new FuzzTarget(
                name,
                input -> decoder.decode(new String(input, StandardCharsets.UTF_8)),
                Arrays.stream(samples)
                        .map(sample -> sample.getBytes(StandardCharsets.UTF_8))
                        .toList(),
                refusals);
    }

    @Override
    public String toString() {
        return name;
    }
}
