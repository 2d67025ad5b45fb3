package io.plat.engine.rbac.index;

import io.plat.review.NonResourceAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a role permits, or several together: the rule that covers a request is found without looking at all of them. */
sealed interface Permissions permits FewRules, PermissionSet {
    /** A rule that covers a resource request, or null. */
    @Nullable
    CompiledRule find(Question question);

    /** A rule that covers a path, or null. */
    @Nullable
    CompiledRule find(NonResourceAttributes request);

    /** The permissions of a role with these rules. */
    static Permissions of(List<CompiledRule> rules) {
        return FewRules.suits(rules)
                ? new FewRules(rules.toArray(CompiledRule[]::new))
                : PermissionSet.EMPTY.change(List.of(), rules);
    }
}
