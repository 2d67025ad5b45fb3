package io.plat.apiserver.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HistoryPolicyTest {
    @Test
    void readsBothGenerations() {
        Map<String, HistoryPolicy> cases = Map.of(
                "duration:5m", new HistoryPolicy.Age(Duration.ofMinutes(5)),
                "duration:250ms", new HistoryPolicy.Age(Duration.ofMillis(250)),
                "duration:30s", new HistoryPolicy.Age(Duration.ofSeconds(30)),
                "duration:2h", new HistoryPolicy.Age(Duration.ofHours(2)),
                "changes:1000", new HistoryPolicy.Changes(1000));
        cases.forEach((text, policy) -> assertThat(HistoryPolicy.parse(text)).contains(policy));
        assertThat(HistoryPolicy.parse("duration:5m")).contains(HistoryPolicy.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5m",
                "duration:",
                "duration:5",
                "duration:5d",
                "duration:0s",
                "duration:-5m",
                "changes:0",
                "changes:-1",
                "changes:1k",
                "changes:99999999999",
                "changes:1000 ",
                "Duration:5m"
            })
    void refusesInvalidText(String text) {
        assertThat(HistoryPolicy.parse(text)).isEmpty();
    }
}
