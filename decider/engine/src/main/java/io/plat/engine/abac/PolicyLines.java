package io.plat.engine.abac;

import io.plat.engine.Decision;
import io.plat.review.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines of a policy. Without an index, each request scans all of them, which is sufficient for few requests. Immutable. */
@FunctionalInterface
interface PolicyLines {
    /** Returns the Allow of each line, in the order of the file. */
    List<Decision.Allow> allows();

    /** Returns the Allow of the first matching line in the file, or null. */
    default Decision.@Nullable Allow firstAllow(Attributes attributes) {
        LineMismatches gaps = new LineMismatches(attributes.access());
        for (Decision.Allow allow : allows()) {
            AbacLine line = lineOf(allow);
            if (gaps.ofAccess(line) == 0 && LineMismatches.ofUser(line, attributes.user()) == 0) {
                return allow;
            }
        }
        return null;
    }

    /** Returns the lines, in the order of the file. */
    default List<AbacLine> lines() {
        return allows().stream().map(PolicyLines::lineOf).toList();
    }

    static AbacLine lineOf(Decision.Allow allow) {
        return ((AbacGrant) allow.grant()).line();
    }
}
