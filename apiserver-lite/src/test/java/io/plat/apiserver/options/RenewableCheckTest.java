package io.plat.apiserver.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RenewableCheckTest {
    private static final Target TARGET =
            new Target(ResourceCatalog.builtIn().find("", "v1", "configmaps").orElseThrow(), "default", "m");

    private final AtomicLong now = new AtomicLong();
    private final List<String> checks = new ArrayList<>();
    private final WriteCheck check = new RenewableCheck(
            (target, part, after, before) -> checks.add(part + " at " + now.getAndAdd(40)), 100, now::get);

    private void admit(WriteCheck checking) throws StatusException {
        checking.admit(TARGET, "first", Json.object(), null);
    }

    private void renew(WriteCheck checking) throws StatusException {
        checking.renew(TARGET, "again", Json.object(), null);
    }

    @Test
    void recentCheckIsNotRepeated() throws StatusException {
        admit(check);
        now.set(100);
        renew(check);
        assertThat(checks).containsExactly("first at 0");
    }

    /** The age counts from the beginning of a check, as its first answer may be outdated at its end. */
    @Test
    void olderCheckIsRepeated() throws StatusException {
        admit(check);
        now.set(101);
        renew(check);
        assertThat(checks).containsExactly("first at 0", "again at 101");
        now.set(201);
        renew(check);
        assertThat(checks).hasSize(2);
    }

    @Test
    void permissionToCreateIsCheckedAgain() throws StatusException {
        WriteCheck creation = check.after((target, part, after, before) -> checks.add("create"));
        admit(creation);
        now.set(101);
        renew(creation);
        assertThat(checks).containsExactly("create", "first at 0", "create", "again at 101");
    }
}
