package io.plat.review;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserInfoTest {
    /** Keys with equal hash codes would block a decider for half a minute. */
    @Test
    void keysWithCollidingHashCodesAreCheap() {
        Map<String, List<String>> extra = new HashMap<>();
        for (int i = 0; i < 1 << 16; i++) {
            StringBuilder key = new StringBuilder();
            for (int bit = 0; bit < 16; bit++) {
                key.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            extra.put(key.toString(), List.of("x"));
        }
        assertThat(extra.keySet().stream().map(String::hashCode).distinct()).hasSize(1);
        UserInfo user = assertTimeoutPreemptively(ofSeconds(10), () -> new UserInfo("jane", "", List.of(), extra));
        assertThat(user.extra()).hasSize(1 << 16).containsKey("Aa".repeat(16));
    }

    @ParameterizedTest
    @CsvSource({
        "alice,            dev,                    dev system:authenticated, dev system:authenticated",
        "alice,            system:authenticated,   system:authenticated,     system:authenticated",
        "alice,            system:unauthenticated, system:unauthenticated,   system:unauthenticated",
        "system:anonymous, dev,                    dev,                      dev system:unauthenticated",
    })
    void impliesTheGroupOfEveryRequest(String name, String group, String authenticated, String implied) {
        UserInfo user = new UserInfo(name, List.of(group));
        assertThat(String.join(" ", user.authenticated().groups())).isEqualTo(authenticated);
        assertThat(String.join(" ", user.withImpliedGroup().groups())).isEqualTo(implied);
    }

    @Test
    void isIndependentOfItsArguments() {
        Map<String, List<String>> extra = new LinkedHashMap<>(Map.of("scopes", List.of("a")));
        UserInfo user = new UserInfo("jane", "", List.of(), extra);
        extra.put("more", List.of());
        assertThat(user.extra()).isEqualTo(Map.of("scopes", List.of("a")));
        assertThatThrownBy(() -> user.extra().put("more", List.of())).isInstanceOf(UnsupportedOperationException.class);
    }
}
