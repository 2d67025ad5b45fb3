package io.plat.engine.abac;

import io.plat.engine.Decision;
import io.plat.review.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is asked of the lines of a policy, whether or not they are indexed. */
interface PolicyLines {
    /** The Allow of every line, in the order of the file. */
    List<Decision.Allow> allows();

    /** The Allow of the first line in the file that matches, or null where none does. */
    Decision.@Nullable Allow firstAllow(Attributes attributes);
}
