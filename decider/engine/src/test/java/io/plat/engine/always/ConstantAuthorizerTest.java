package io.plat.engine.always;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Decision;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConstantAuthorizerTest {
    private static final Attributes REQUEST = new Attributes(
            new UserInfo("root", List.of("system:masters")), new NonResourceAttributes("/version", "get"));

    @Test
    void alwaysAllowAllowsWithAReason() {
        assertThat(new AlwaysAllow().authorize(REQUEST))
                .isInstanceOfSatisfying(
                        Decision.Allow.class,
                        allow -> assertThat(allow.grant().authorizer()).isEqualTo("AlwaysAllow"));
        assertThat(new AlwaysAllow().decideFromMemory(REQUEST)).isEqualTo(new AlwaysAllow().authorize(REQUEST));
    }

    @Test
    void alwaysDenyDeniesMastersToo() {
        assertThat(new AlwaysDeny().authorize(REQUEST)).isEqualTo(new Decision.Deny("Everything is forbidden."));
        assertThat(new AlwaysDeny().decideFromMemory(REQUEST)).isEqualTo(new AlwaysDeny().authorize(REQUEST));
    }
}
