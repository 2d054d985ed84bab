package io.boltshuffle.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

    @Test
    void anOptionThatIsNotSetHasItsDefault() {
        Settings settings = Settings.parse(Map.of());

        assertThat(settings.get(Options.ENABLED)).isTrue();
        assertThat(settings.get(Options.ALLOW_CLEARTEXT)).isFalse();
    }

    @Test
    void anOptionThatIsSetHasThatValue() {
        Settings settings = Settings.parse(Map.of("spark.boltshuffle.enabled", " FALSE "));

        assertThat(settings.get(Options.ENABLED)).isFalse();
    }

    @Test
    void anIllegalValueIsRefusedInOneLineWithKeyValueAndLimits() {
        assertThatThrownBy(() -> Settings.parse(Map.of("spark.boltshuffle.enabled", "yes")))
                .isInstanceOf(IllegalSettingException.class)
                .hasMessage("spark.boltshuffle.enabled=yes is refused: it must be true or false");
    }

    @Test
    void aMisspeltKeyIsReportedWithTheNearestOne() {
        Settings settings = Settings.parse(Map.of("spark.boltshuffle.allowClearText", "true"));

        assertThat(settings.unknownKeys())
                .extracting(UnknownKey::warning)
                .containsExactly("spark.boltshuffle.allowClearText is not an option and has no effect;"
                        + " the nearest one is spark.boltshuffle.allowCleartext");
    }

    @ParameterizedTest
    @ValueSource(strings = {"outputs.memory", "fetch.parts", "agent.completionEvents"})
    void anOptionThatIsGoneSaysSinceWhenAndWhy(String gone) {
        Settings settings = Settings.parse(Map.of("spark.boltshuffle." + gone, "true"));

        assertThat(settings.unknownKeys())
                .singleElement()
                .extracting(UnknownKey::warning, STRING)
                .startsWith("spark.boltshuffle." + gone + " has no effect: it is gone since 0.2.0, because ");
    }

    @Test
    void keysOfOthersAreNotOurBusiness() {
        assertThat(Settings.parse(Map.of("spark.shuffle.compress", "perhaps")).unknownKeys())
                .isEmpty();
    }

    @Test
    void anOptionThatWasNeverDeclaredCannotBeRead() {
        Option<Boolean> stray = new Option<>("spark.boltshuffle.stray", ValueTypes.flag(), true, "0.1.0", "Stray.");

        assertThatThrownBy(() -> Settings.parse(Map.of()).get(stray)).hasMessageContaining("spark.boltshuffle.stray");
    }
}
