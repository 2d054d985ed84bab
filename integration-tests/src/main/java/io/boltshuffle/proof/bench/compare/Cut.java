package io.boltshuffle.proof.bench.compare;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How a shuffle is cut into blocks: one for each map task and reduce task. */
public record Cut(int maps, int reducers) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,5})x(\\d{1,5})");

    @Override
    public String toString() {
        return maps + "x" + reducers;
    }

    /** Converts for picocli. */
    public static final class Converter implements ITypeConverter<Cut> {
        @Override
        public Cut convert(String text) {
            Matcher matcher = TEXT.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException(
                        "'" + text + "' is no number of map and reduce tasks such as 200x200");
            }
            Cut cut = new Cut(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
            if (cut.maps < 1 || cut.reducers < 1) {
                throw new TypeConversionException("'" + text + "' has no task");
            }
            return cut;
        }
    }
}
