package io.plat.engine.rbac.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.rbac.RbacKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SourceLogTest {
    private static final String SERVER = "role objects of https://server: ";

    private final List<String> lines = new ArrayList<>();
    private long now;
    private final SourceLog log = new SourceLog(
            "https://server",
            () -> now,
            new SourceLog.Lines(line -> lines.add("warn " + line), line -> lines.add("info " + line)));

    @Test
    void failuresOfAllTypesAreOneLineAMinute() {
        for (int second = 0; second < 120; second++) {
            for (RbacKind kind : RbacKind.values()) {
                log.failed(kind, "cannot connect", true);
            }
            now += Duration.ofSeconds(1).toNanos();
        }
        String line = "warn " + SERVER + "roles: cannot connect; the last valid policy remains in effect";
        assertThat(lines).containsExactly(line, line);
    }

    @Test
    void theServerIsAvailableOnceAllTypesAre() {
        log.failed(RbacKind.ROLE, "cannot connect", true);
        log.failed(RbacKind.ROLE_BINDING, "cannot connect", true);
        log.succeeded(RbacKind.CLUSTER_ROLE);
        log.succeeded(RbacKind.ROLE);
        assertThat(lines).hasSize(1);
        log.succeeded(RbacKind.ROLE_BINDING);
        log.succeeded(RbacKind.ROLE_BINDING);
        assertThat(lines.subList(1, lines.size())).containsExactly("info " + SERVER + "followed again");
    }

    @Test
    void flappingIsRateLimited() {
        for (int i = 0; i < 100; i++) {
            log.failed(RbacKind.ROLE, "cut", true);
            log.succeeded(RbacKind.ROLE);
        }
        assertThat(lines).hasSize(2);
    }

    @Test
    void failuresAfterTheLoadAreLoggedAtOnce() {
        log.failed(RbacKind.ROLE, "cannot connect", false);
        log.loaded(3, 4);
        log.succeeded(RbacKind.ROLE);
        log.failed(RbacKind.CLUSTER_ROLE, "cut", true);
        assertThat(lines)
                .containsExactly(
                        "warn " + SERVER + "roles: cannot connect; nothing has been loaded yet",
                        "info " + SERVER + "loaded 3 roles and 4 bindings",
                        "warn " + SERVER + "clusterroles: cut; the last valid policy remains in effect");
    }

    @Test
    void suppressedInvalidObjectsAreCounted() {
        for (int i = 0; i < 10; i++) {
            log.unusable("Role/a/r" + i, "rules[0].verbs: Required value");
        }
        now += Duration.ofMinutes(1).toNanos();
        log.unusable("Role/a/x\nforged", "bad");
        assertThat(lines)
                .containsExactly(
                        "warn " + SERVER
                                + "Role/a/r0 cannot be used and grants nothing: rules[0].verbs: Required value",
                        "warn " + SERVER
                                + "Role/a/x forged cannot be used and grants nothing: bad (9 more since the last such line)");
    }
}
