package io.boltshuffle.cli.doctor.facts;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Model, chip and memory of a Mac, from {@code sysctl}. */
public record MacHardware(Optional<String> model, Optional<String> chip, OptionalLong memoryBytes) {

    /** M1 to M5 are known. For a later chip, the ports themselves say what they can do. */
    private static final Pattern CHIP = Pattern.compile("Apple M([1-5])(?: (Pro|Max|Ultra))?");

    /** The Thunderbolt ports that the chip's name implies. */
    public enum Ports {
        THUNDERBOLT_5,
        THUNDERBOLT_4,
        UNKNOWN
    }

    static MacHardware parse(String sysctl) {
        Map<String, String> values = KeyValues.parse(sysctl);
        return new MacHardware(
                KeyValues.get(values, "hw.model"),
                KeyValues.get(values, "machdep.cpu.brand_string"),
                KeyValues.longInteger(values.getOrDefault("hw.memsize", "")));
    }

    public Ports ports() {
        Matcher matcher = CHIP.matcher(chip.orElse(""));
        if (!matcher.matches()) {
            return Ports.UNKNOWN;
        }
        int generation = Integer.parseInt(matcher.group(1));
        String tier = Optional.ofNullable(matcher.group(2)).orElse("");
        boolean five = generation >= 4 ? !tier.isEmpty() : generation == 3 && tier.equals("Ultra");
        return five ? Ports.THUNDERBOLT_5 : Ports.THUNDERBOLT_4;
    }
}
