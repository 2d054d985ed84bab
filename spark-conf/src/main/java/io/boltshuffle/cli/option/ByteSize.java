package io.boltshuffle.cli.option;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An amount of bytes, as Spark writes it: {@code 20m}, {@code 1g}; powers of 1024. */
public record ByteSize(long bytes) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})([kmgt])b?");
    private static final String UNITS = "kmgt";

    /** Converts an argument for picocli. */
    public static final class Converter implements ITypeConverter<ByteSize> {
        @Override
        public ByteSize convert(String text) {
            Matcher matcher = TEXT.matcher(text.toLowerCase(Locale.ROOT));
            if (!matcher.matches()) {
                throw new TypeConversionException("'" + text + "' is not a size such as 20m or 1g");
            }
            int shift = 10 * (UNITS.indexOf(matcher.group(2)) + 1);
            return new ByteSize(Long.parseLong(matcher.group(1)) << shift);
        }
    }
}
