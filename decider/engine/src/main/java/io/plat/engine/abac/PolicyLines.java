package io.plat.engine.abac;

import io.plat.engine.Decision;
import io.plat.review.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queries on the lines of a policy, indexed or not. */
interface PolicyLines {
    /** The Allow of every line, in the order of the file. */
    List<Decision.Allow> allows();

    /** The Allow of the first line in the file that matches, or null where none does. */
    Decision.@Nullable Allow firstAllow(Attributes attributes);
}
