package io.plat.engine.abac;

import io.plat.engine.Decision;
import io.plat.review.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Policy lines without an index, for few requests: each request scans all lines. Immutable. */
final class ScannedLines implements PolicyLines {
    private final List<Decision.Allow> allows;

    ScannedLines(AbacPolicy policy) {
        this.allows = policy.allows();
    }

    @Override
    public List<Decision.Allow> allows() {
        return allows;
    }

    @Override
    public Decision.@Nullable Allow firstAllow(Attributes attributes) {
        LineMismatches gaps = new LineMismatches(attributes.access());
        for (Decision.Allow allow : allows) {
            AbacLine line = AbacExplanation.lineOf(allow);
            if (gaps.ofAccess(line) == 0 && LineMismatches.ofUser(line, attributes.user()) == 0) {
                return allow;
            }
        }
        return null;
    }
}
