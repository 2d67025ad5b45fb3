package io.plat.engine.abac;

import io.plat.engine.Decision;
import io.plat.review.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queries on the lines of a policy, indexed or not. */
interface PolicyLines {
    /** Returns the Allow of each line, in the order of the file. */
    List<Decision.Allow> allows();

    /** Returns the Allow of the first matching line in the file, or null. */
    Decision.@Nullable Allow firstAllow(Attributes attributes);
}
